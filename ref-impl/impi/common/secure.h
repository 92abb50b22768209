/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Secure channels: TLS 1.3 with a key that both sides know, around a connection between client and server or between
 * two host agents. No part of the IMPI 0.0 document, which only says that such things may come; the extension is
 * described octet by octet in specs/impi-tls.md.
 *
 * A secure connection is moved like a plain one (queue.h), by functions of the same meaning, which take one that is
 * NULL for plain. Nothing blocks and there is no thread: what TLS makes of the octets is kept here until the socket
 * takes it.
 */
#ifndef REF_IMPL_IMPI_COMMON_SECURE_H
#define REF_IMPL_IMPI_COMMON_SECURE_H

#include "ref-impl/impi/common/queue.h"
#include "ref-impl/impi/common/secure_key.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SECURE_HANDSHAKE_MS = 30000, /* how long a client's and the server's handshake may take */
    SECURE_NAME_OCTETS = 64,
    SECURE_RECORDS_A_KEY = 1 << 18, /* what AES-GCM may protect by one key is 2^24.5 records */
};

/* The name of the connection between any client and the server. */
#define SECURE_NAME_SERVER "impi client to server"

enum secure_side { SECURE_CONNECTS, SECURE_ACCEPTS };

struct secure;

/* secure_create - the secure form of a connection on which nothing has been said. `key` must outlive it. `name` says
 * which connection it is; it is part of the handshake, which fails where the two sides have different ones. NULL: no
 * memory.
 * secure_close - tells the other side the end, as far as that goes at once, and frees. NULL is nothing. The socket is
 * the caller's. */
struct secure *secure_create(const struct secure_key *key, enum secure_side side, const char *name);
void secure_close(struct secure *secure, int fd);

/* secure_ready - whether the handshake is over: each side has proven that it has the key. */
bool secure_ready(const struct secure *secure);

/* secure_error - why it is broken, as the end of a sentence; "" where it is not, and where the socket has failed. */
const char *secure_error(const struct secure *secure);

/* secure_receive, secure_send, secure_pass - as queue_receive, queue_send, queue_pass. QUEUE_BROKEN with errno EPROTO:
 * secure_error tells more. Octets stay in the queue until the socket has taken all that protects them; as long as the
 * handshake lasts they stay there anyway. */
enum queue_moved secure_receive(struct secure *secure, int fd, struct queue *in, size_t max);
enum queue_moved secure_send(struct secure *secure, int fd, struct queue *out);
bool secure_pass(struct secure *secure, int fd, struct queue *out, const void *octets, size_t len);

/* struct secure_way is a connection whose handshake is to be waited for; `secure` NULL: it is none. */
struct secure_way {
    struct secure *secure;
    int fd;
    struct queue *in;
};

/* secure_agree - waits until all handshakes are over, until one has failed, or until `deadline_ms` of the clock. What
 * the other sides say afterwards may be in their queues already. False: *failed is one that is not ready, and
 * secure_error has a text for it. */
bool secure_agree(const struct secure_way *ways, size_t count, uint64_t deadline_ms, size_t *failed);

#endif
