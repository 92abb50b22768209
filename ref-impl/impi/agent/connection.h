/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A stream on which IMPI packets travel in both directions: the channel to another host, or the link to a process.
 * Whole packets come out as they stood on the wire; what goes in waits until the socket takes it. Nothing here blocks.
 */
#ifndef REF_IMPL_IMPI_AGENT_CONNECTION_H
#define REF_IMPL_IMPI_AGENT_CONNECTION_H

#include "ref-impl/impi/common/queue.h"
#include "ref-impl/impi/common/secure.h"
#include "wire/impi/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct connection - all zeros but for `fd` is a connection on which nothing has been said. */
struct connection {
    int fd; /* -1: closed */
    struct queue in, out;
    struct secure *secure; /* NULL: plain */
};

enum connection_outcome {
    CONNECTION_PACKET,       /* *packet is filled */
    CONNECTION_MORE,         /* no whole packet is there */
    CONNECTION_UNKNOWN_TYPE, /* pk_type, in packet->header.type, is none; where the next packet begins cannot be told */
    CONNECTION_TOO_LONG,     /* pk_len, in packet->header.len, is above the limit */
};

/* struct connection_packet is a packet with its user data. The octets belong to the connection until the next call for
 * it. */
struct connection_packet {
    struct wire_impi_packet header;
    unsigned char *octets; /* the header, then the data; the caller may rewrite them */
    size_t len;
};

/* connection_read - takes what has come. QUEUE_ENDED, QUEUE_BROKEN: as queue_receive; packets that came before are
 * still to be asked for. */
enum queue_moved connection_read(struct connection *connection);

/* connection_next - the next packet, whose data may have at most `datalen` octets. The packet before it is forgotten.
 */
enum connection_outcome connection_next(struct connection *connection, uint32_t datalen,
                                        struct connection_packet *packet);

/* connection_left - octets of a packet that is not complete. */
size_t connection_left(const struct connection *connection);

/* connection_send - sends what waits, as far as that goes at once.
 * connection_pass - as queue_pass: sends octets, those that wait first, and keeps what does not go. */
enum queue_moved connection_send(struct connection *connection);
bool connection_pass(struct connection *connection, const void *octets, size_t len);

/* connection_put - puts octets of whole packets in the queue.
 * connection_put_header - a packet without data. False: no memory. */
bool connection_put(struct connection *connection, const void *octets, size_t len);
bool connection_put_header(struct connection *connection, const struct wire_impi_packet *header);

/* connection_close - closes the socket and forgets all. */
void connection_close(struct connection *connection);

#endif
