/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packets of IMPI by their looks (wire/follow/guess.h): the document gives them no mark, so processes must have
 * addresses, and lengths must not contradict each other.
 */
#include "wire/follow/guess.h"

#include <string.h>

void wire_guess_host_of(const struct wire_end *end, unsigned char *id)
{
    memset(id, 0, WIRE_IMPI_HOST_OCTETS);
    memcpy(end->family == 4 ? id + 12 : id, end->address, end->family == 4 ? 4 : 16);
}

struct wire_impi_packet wire_guess_packet_of(const unsigned char *octets)
{
    unsigned char typed[WIRE_IMPI_PACKET_OCTETS];
    struct wire_impi_packet packet = {.type = WIRE_IMPI_DATA};

    memcpy(typed, octets, sizeof typed);
    memset(typed, 0, sizeof packet.type);
    if (wire_impi_packet_decode(typed, sizeof typed, &packet) != WIRE_OK) {
        memset(&packet, 0, sizeof packet);
    }
    return packet;
}

/* An IPv4 address in 16 octets, or a usual IPv6 address. */
static bool looks_like_host(const unsigned char *host)
{
    static const unsigned char zeros[10];
    bool ipv4 = memcmp(host, zeros, sizeof zeros) == 0 && host[10] == host[11] && (host[10] == 0 || host[10] == 0xff);

    return ipv4 ? host[12] != 0 : (host[0] & 0xe0) == 0x20 || host[0] >= 0xfc;
}

bool wire_guess_is_packet(const unsigned char *octets)
{
    struct wire_impi_packet packet;

    return wire_impi_packet_decode(octets, WIRE_IMPI_PACKET_OCTETS, &packet) == WIRE_OK &&
           packet.type != WIRE_IMPI_FINI && looks_like_host(packet.src.host) && looks_like_host(packet.dest.host) &&
           (!wire_impi_packet_has_data(packet.type) || packet.len <= packet.msglen);
}

bool wire_guess_is_between(const unsigned char *octets, const struct wire_end *from, const struct wire_end *to)
{
    unsigned char src[WIRE_IMPI_HOST_OCTETS], dest[WIRE_IMPI_HOST_OCTETS];
    struct wire_impi_packet packet;

    if (!wire_guess_is_packet(octets) || wire_impi_packet_decode(octets, WIRE_IMPI_PACKET_OCTETS, &packet) != WIRE_OK) {
        return false;
    }
    wire_guess_host_of(from, src);
    wire_guess_host_of(to, dest);
    return packet.reserved == 0 && wire_impi_host_same(packet.src.host, src) &&
           wire_impi_host_same(packet.dest.host, dest);
}
