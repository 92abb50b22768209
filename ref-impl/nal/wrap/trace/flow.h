/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages as packets of TCP connections that never were: for every peer one connection whose addresses, ports and
 * numbers are consistent, so that Wireshark puts the octets together again. The captures of both processes show the
 * same connection, and those of a process's several interfaces show different ones. Part of the trace network.
 */
#ifndef REF_IMPL_NAL_WRAP_TRACE_FLOW_H
#define REF_IMPL_NAL_WRAP_TRACE_FLOW_H

#include "ref-impl/nal/wrap/trace/pcapng.h"
#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stdint.h>

/* struct trace_flow is one connection, between this process (end 0) and a peer (end 1). */
struct trace_flow {
    struct trace_flow *next;
    struct wire_portals_id ends[2];
    uint16_t ports[2];
    int opener;           /* the end that connected */
    uint32_t sequence[2]; /* the next octet of either direction */
    bool open;            /* there has been a handshake */
    bool greeted[2];      /* that direction has had its HELLO */
};

/* struct trace_message is a message to be shown. Of its `payload_octets` the first `known` stand at `payload`; the
 * others are not to be had, and are shown as not captured, or where they are many as a gap. `note` is appended to the
 * packet's comment. */
struct trace_message {
    const struct wire_portals_header *header;
    bool sent; /* by this process; else received */
    const void *payload;
    uint64_t known;
    uint64_t payload_octets;
    const char *note;
};

/* struct trace_flows is all connections of one interface; begin with zeros and `capture`, `self`, `interface`,
 * `group_size` set. */
struct trace_flows {
    struct pcapng *capture;
    struct wire_portals_id self;
    uint32_t interface;
    uint32_t group_size;
    struct trace_flow *first;
};

/* trace_flow_show - writes a message, and before it what its connection still lacks: the handshake, the direction's
 * HELLO. False with errno when the capture could not be written or memory is lacking. One thread at a time. */
bool trace_flow_show(struct trace_flows *flows, const struct trace_message *message);

/* trace_flow_end - frees the connections. */
void trace_flow_end(struct trace_flows *flows);

#endif
