/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a channel between IMPI hosts, cut into packets (declared in wire/impi/packet.h; the counterpart of
 * wire/portals/stream.c). Only DATA and DATASYNC packets have data behind the header; pk_len of all others is not
 * looked at.
 *
 *              header whole, data follow
 *     HEADER ----------------------------> DATA
 *      |  ^                                  |
 *      |  +----------------------------------+
 *      |            last octet of data
 *      +--> BROKEN   unknown pk_type
 */
#include "wire/impi/packet.h"

#include <string.h>

struct wire_impi_packets wire_impi_packets_begin(void)
{
    struct wire_impi_packets packets = {.broken = false};

    return packets;
}

static enum wire_status next_data(struct wire_impi_packets *packets, const unsigned char **octets, size_t *len,
                                  struct wire_impi_packets_piece *piece)
{
    size_t count = *len < packets->data_left ? *len : packets->data_left;

    if (count == 0) {
        return WIRE_SHORT;
    }
    packets->data_left -= (uint32_t)count;
    *piece = (struct wire_impi_packets_piece){WIRE_IMPI_USER_DATA, packets->offset, &packets->packet, *octets, count,
                                              packets->data_left};
    packets->offset += count;
    *octets += count;
    *len -= count;
    return WIRE_OK;
}

static void keep(struct wire_impi_packets *packets, const unsigned char **octets, size_t *len)
{
    size_t wanted = WIRE_IMPI_PACKET_OCTETS - packets->kept_len;
    size_t count = *len < wanted ? *len : wanted;

    if (packets->kept_len == 0) {
        packets->packet_offset = packets->offset;
    }
    if (count) {
        memcpy(packets->kept + packets->kept_len, *octets, count);
        *octets += count;
        *len -= count;
    }
    packets->kept_len += count;
    packets->offset += count;
}

//= IMPI-119
//= IMPI-120
static enum wire_status next_header(struct wire_impi_packets *packets, const unsigned char **octets, size_t *len,
                                    struct wire_impi_packets_piece *piece)
{
    enum wire_status status;

    keep(packets, octets, len);
    status = wire_impi_packet_decode(packets->kept, packets->kept_len, &packets->packet);
    packets->broken = status == WIRE_UNKNOWN;
    if (status != WIRE_OK) {
        return status;
    }
    packets->data_left = wire_impi_packet_has_data(packets->packet.type) ? packets->packet.len : 0;
    packets->kept_len = 0;
    *piece = (struct wire_impi_packets_piece){WIRE_IMPI_HEADER, packets->packet_offset,  &packets->packet,
                                              packets->kept,    WIRE_IMPI_PACKET_OCTETS, packets->data_left};
    return WIRE_OK;
}

enum wire_status wire_impi_packets_next(struct wire_impi_packets *packets, const unsigned char **octets, size_t *len,
                                        struct wire_impi_packets_piece *piece)
{
    if (packets->broken) {
        return WIRE_UNKNOWN;
    }
    return packets->data_left ? next_data(packets, octets, len, piece) : next_header(packets, octets, len, piece);
}

bool wire_impi_packets_skip(struct wire_impi_packets *packets, uint32_t octets)
{
    if (packets->broken || octets == 0 || packets->data_left < octets) {
        return false;
    }
    packets->data_left -= octets;
    packets->offset += octets;
    return true;
}

uint64_t wire_impi_packets_missing(const struct wire_impi_packets *packets)
{
    if (packets->data_left) {
        return packets->data_left;
    }
    return packets->kept_len ? WIRE_IMPI_PACKET_OCTETS - packets->kept_len : 0;
}
