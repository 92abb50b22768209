/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where arriving payload goes, and how that is taken back: inside of the TCP network, see tcp_net.h and tcp_landing.c.
 */
#ifndef REF_IMPL_NAL_TCP_LANDING_H
#define REF_IMPL_NAL_TCP_LANDING_H

#include "wire/portals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tcp_net;
struct tcp_interface;

enum tcp_landing_state {
    TCP_LANDING_NONE,    /* no message with a sink is arriving */
    TCP_LANDING_ACTIVE,  /* octets are being stored; in the list net->landings */
    TCP_LANDING_REVOKED, /* none will be stored any more, `landed` is still to come */
};

/* struct tcp_landing is the sink of the message that is arriving on one stream. Guarded by sink_lock, except for the
 * members that only the progress thread uses. */
struct tcp_landing {
    struct tcp_landing *next, *prev;
    enum tcp_landing_state state;
    unsigned char *start;
    uint64_t remaining;
    void *token;
    struct tcp_interface *interface;
};

/* tcp_landing_begin - gives a whole header to the interface and keeps its sink. False when the interface is not open
 * (nothing counted). tcp_landing_store - stores octets, returns how many it took (the rest is surplus).
 * tcp_landing_end - the message is over: calls `landed`. tcp_landing_settle - calls
 * the `landed` of a revoked landing and returns how many octets will not be stored. Progress thread, no lock held. */
bool tcp_landing_begin(struct tcp_net *net, struct tcp_landing *landing, uint32_t interface,
                       const struct wire_portals_header *header, uint64_t payload_octets);
size_t tcp_landing_store(struct tcp_net *net, struct tcp_landing *landing, const void *octets, size_t len);
void tcp_landing_end(struct tcp_net *net, struct tcp_landing *landing, bool complete);
uint64_t tcp_landing_settle(struct tcp_net *net, struct tcp_landing *landing);
/* tcp_landing_revoke - takes back the sink of that token. Any thread. */
void tcp_landing_revoke(struct tcp_interface *interface, void *token);

#endif
