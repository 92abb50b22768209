/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What stands between a packet's link layer and the IP packet of the job, where a network carries that within other
 * packets: labels of MPLS, sessions of PPPoE, tunnels of GRE, VXLAN, Geneve, L2TP and GTP-U, and ERSPAN, by which
 * switches send on what they capture. A part of segment.c.
 */
#ifndef TESTER_CAPTURE_TUNNEL_H
#define TESTER_CAPTURE_TUNNEL_H

#include "wire/octets/cursor.h"

#include <stdint.h>

/* What follows, as Ethernet numbers it, and numbers of our own below all of those. */
enum {
    CAPTURE_TYPE_BY_VERSION = 0, /* IP: the first four bits say which */
    CAPTURE_TYPE_NONE = 1,       /* nothing that is known */
    CAPTURE_TYPE_OTHER = 2,      /* something else in a link layer that is known */
    CAPTURE_TYPE_IPV4 = 0x0800,
    CAPTURE_TYPE_ETHERNET = 0x6558,
    CAPTURE_TYPE_IPV6 = 0x86dd,
    CAPTURE_TYPE_MPLS = 0x8847,
    CAPTURE_TYPE_MPLS_MANY = 0x8848,
    CAPTURE_TYPE_PPPOE = 0x8864,
};

/* capture_tunnel_ppp, capture_tunnel_mpls, capture_tunnel_pppoe, capture_tunnel_gre - take their headers off the reader
 * and return the type of what follows.
 * capture_tunnel_udp - does so with a datagram's data, by its ports. */
unsigned capture_tunnel_ppp(struct wire_reader *reader);
unsigned capture_tunnel_mpls(struct wire_reader *reader);
unsigned capture_tunnel_pppoe(struct wire_reader *reader);
unsigned capture_tunnel_gre(struct wire_reader *reader);
unsigned capture_tunnel_udp(struct wire_reader *reader, uint16_t from, uint16_t to);

#endif
