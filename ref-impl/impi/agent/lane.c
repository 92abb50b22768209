/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packets out of a stream, and into it; see lane.h. Chapter 3.5: a header of 128 octets, and behind it, in DATA and
 * DATASYNC only, pk_len octets. The host agents use it for both sides between which they stand.
 */
#include "ref-impl/impi/agent/lane.h"

#include "wire/octets/cursor.h"

#include <unistd.h>

enum { READ_OCTETS = 131072 };

enum queue_moved lane_read(struct lane *lane)
{
    return queue_receive(&lane->in, lane->fd, READ_OCTETS);
}

//= IMPI-252
enum lane_outcome lane_next(struct lane *lane, uint32_t datalen, struct lane_packet *packet)
{
    size_t len = queue_len(&lane->in);
    size_t whole = WIRE_IMPI_PACKET_OCTETS;

    if (len < WIRE_IMPI_PACKET_OCTETS) {
        return LANE_MORE;
    }
    if (wire_impi_packet_decode(queue_front(&lane->in), len, &packet->header) != WIRE_OK) {
        struct wire_reader r = wire_reader_over(queue_front(&lane->in), len);

        packet->header.type = wire_read_u32(&r);
        return LANE_UNKNOWN_TYPE;
    }
    //= IMPI-119
    //= IMPI-120
    if (wire_impi_packet_has_data(packet->header.type)) {
        if (packet->header.len > datalen) {
            return LANE_TOO_LONG; //= IMPI-255
        }
        whole += packet->header.len; //= IMPI-110
    }
    if (len < whole) {
        return LANE_MORE;
    }
    packet->octets = queue_front(&lane->in);
    packet->len = whole;
    /* The octets stay where they are until the queue is written to again. */
    lane->in.begin += whole;
    return LANE_PACKET;
}

size_t lane_left(const struct lane *lane)
{
    return queue_len(&lane->in);
}

bool lane_put(struct lane *lane, const void *octets, size_t len)
{
    return queue_put(&lane->out, octets, len);
}

bool lane_put_header(struct lane *lane, const struct wire_impi_packet *header)
{
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];

    return wire_impi_packet_encode(header, octets, sizeof octets) == WIRE_OK && lane_put(lane, octets, sizeof octets);
}

void lane_close(struct lane *lane)
{
    if (lane->fd >= 0) {
        close(lane->fd);
    }
    lane->fd = -1;
    queue_free(&lane->in);
    queue_free(&lane->out);
}
