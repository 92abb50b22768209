/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A stream on which IMPI packets travel in both directions: the channel to another host, or the link to a process.
 * Whole packets come out as they stood on the wire; what goes in waits until the socket takes it. Nothing here blocks.
 */
#ifndef REF_IMPL_IMPI_AGENT_LANE_H
#define REF_IMPL_IMPI_AGENT_LANE_H

#include "ref-impl/impi/common/queue.h"
#include "wire/impi/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct lane - all zeros but for `fd` is a lane on which nothing has been said. */
struct lane {
    int fd; /* -1: closed */
    struct queue in, out;
};

enum lane_outcome {
    LANE_PACKET,       /* *packet is filled */
    LANE_MORE,         /* no whole packet is there */
    LANE_UNKNOWN_TYPE, /* pk_type, in packet->header.type, is none; where the next packet begins cannot be told */
    LANE_TOO_LONG,     /* pk_len, in packet->header.len, is above the limit */
};

/* struct lane_packet is a packet with its user data. The octets belong to the lane until the next call for it. */
struct lane_packet {
    struct wire_impi_packet header;
    unsigned char *octets; /* the header, then the data; the caller may rewrite them */
    size_t len;
};

/* lane_read - takes what has come. QUEUE_ENDED, QUEUE_BROKEN: as queue_receive; packets that came before are still to
 * be asked for. */
enum queue_moved lane_read(struct lane *lane);

/* lane_next - the next packet, whose data may have at most `datalen` octets. The packet before it is forgotten. */
enum lane_outcome lane_next(struct lane *lane, uint32_t datalen, struct lane_packet *packet);

/* lane_left - octets of a packet that is not complete. */
size_t lane_left(const struct lane *lane);

/* lane_put - puts octets of whole packets in the queue.
 * lane_put_header - a packet without data. False: no memory. */
bool lane_put(struct lane *lane, const void *octets, size_t len);
bool lane_put_header(struct lane *lane, const struct wire_impi_packet *header);

/* lane_close - closes the socket and forgets all. */
void lane_close(struct lane *lane);

#endif
