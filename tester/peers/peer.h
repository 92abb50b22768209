/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scripted peers on the Portals TCP binding (specs/portals-wire.md): who they are, and the cutting of their streams
 * (stream.h) into messages. A peer decides nothing: whatever is sent was asked for by the case.
 */
#ifndef TESTER_PEERS_PEER_H
#define TESTER_PEERS_PEER_H

#include "tester/peers/port.h"
#include "wire/portals/messages.h"

#include <stddef.h>
#include <stdint.h>

struct passive_checker;

enum { PEERS_MAX = 64 };

/* struct peer is one scripted process; its id holds the address at which it listens. */
struct peer {
    struct peers *all;
    unsigned index;
    struct port *port;
    struct wire_portals_id id;
};

/* struct peers is all of a case's. */
struct peers {
    struct streams *streams;
    struct passive_checker *checker; /* or NULL */
    struct peer *peers[PEERS_MAX];
    unsigned peer_count;
};

/* Why something did not come. */
enum stream_result { STREAM_MESSAGE, STREAM_NOTHING, STREAM_CLOSED, STREAM_RESET, STREAM_MALFORMED };

/* peer_open_all begins with none; peer_close_all frees them. Their sockets belong to the streams. */
void peer_open_all(struct peers *peers, struct streams *streams);
void peer_close_all(struct peers *peers);

/* peer_new makes a peer that listens at the numeric IPv4 address; NULL and a message when it cannot. */
struct peer *peer_new(struct peers *peers, const char *address, char *message, size_t message_octets);

/* peer_connect opens a stream from the peer (port.h: port_connect). */
struct stream *peer_connect(struct peer *peer, uint32_t nid, uint32_t pid);

/* peer_next decodes the message at the front of what has come. STREAM_MESSAGE: header, its octets and those of the
 * data (all there); it stays at the front until stream_take. STREAM_NOTHING: not complete. */
enum stream_result peer_next(struct stream *stream, struct wire_portals_header *header, size_t *header_octets,
                             size_t *data_octets);

/* peer_describe prints a message's fields on one line: "put initiator.nid=127.0.0.1 ... rlength=40". */
void peer_describe(const void *octets, size_t len, char *text, size_t room);

#endif
