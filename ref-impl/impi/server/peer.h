/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection to the IMPI server: socket, conversation, what waits to be sent, and whose it is. The server's loop
 * (server.c) owns all peers.
 */
#ifndef REF_IMPL_IMPI_SERVER_PEER_H
#define REF_IMPL_IMPI_SERVER_PEER_H

#include "ref-impl/impi/common/address.h"
#include "ref-impl/impi/common/queue.h"
#include "ref-impl/impi/common/secure.h"
#include "ref-impl/impi/server/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct peer - `rank` is -1 until the server has accepted it as a client of the job. */
struct peer {
    struct peer *next;
    int fd;
    int32_t rank;
    unsigned notes; /* how many have been told */
    short watched;  /* what the loop polls for */
    struct session session;
    struct queue in, out;
    struct secure *secure;       /* NULL: the connection is plain */
    uint64_t handshake_until_ms; /* when the handshake must be over */
    char place[ADDRESS_TEXT_OCTETS];
};

/* peer_begin - a peer for a connected socket, which it owns from now on. NULL: no memory, the socket is closed.
 * peer_end - closes the connection and frees the peer; what waits is sent as far as that goes at once, and what the
 * other side had said meanwhile is thrown away, so that it sees an end and no reset. */
struct peer *peer_begin(int fd, const struct auth *auth);
void peer_end(struct peer *peer);

/* peer_secure - the secure channel has been agreed on: the handshake comes, and inside a conversation of its own with
 * `auth`. False: no memory, or what was said in plain has not gone.
 * peer_handshakes - whether its handshake is still to come to an end. */
bool peer_secure(struct peer *peer, const struct secure_key *key, const struct auth *auth);
bool peer_handshakes(const struct peer *peer);

/* peer_report - one line on stderr about this peer: "impirun: client 1 (ADDRESS) " or "impirun: connection from
 * ADDRESS ", and the text. */
__attribute__((format(printf, 2, 3))) void peer_report(const struct peer *peer, const char *fmt, ...);

/* peer_note - as peer_report, but no more than a few times for one peer. */
void peer_note(struct peer *peer, const char *text);

/* peer_say - puts a message in the queue. False: no memory. */
bool peer_say(struct peer *peer, const void *octets, size_t len);

#endif
