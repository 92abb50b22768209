/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Captures as evidence: a pcapng file whose packets are made from what the manager really sent and received on TCP,
 * with the real addresses and ports. Link, network and transport headers are synthesized, since a socket does not show
 * them.
 */
#ifndef TESTER_CAPTURE_PCAPNG_H
#define TESTER_CAPTURE_PCAPNG_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pcapng;

/* The interfaces that every capture describes. */
enum pcapng_interface { PCAPNG_WIRE, PCAPNG_INTERPRETER };

/* pcapng_open creates the file with its section header (comment: what this capture is) and both interfaces; NULL when
 * that fails (errno says why). pcapng_close returns false when anything could not be written. */
struct pcapng *pcapng_open(const char *path, const char *comment);
bool pcapng_close(struct pcapng *capture);

/* pcapng_comment keeps a text for the next packet; several are joined by line ends. */
void pcapng_comment(struct pcapng *capture, const char *text);

/* pcapng_limit sets how many octets the file may have; the first packet that does not fit and all after it are left
 * out. Without it, or with more than that, 256 MiB. pcapng_cut tells whether anything was left out. A NULL capture is
 * allowed in both. */
void pcapng_limit(struct pcapng *capture, uint64_t octets);
bool pcapng_cut(const struct pcapng *capture);

/* Which way a packet went, as the format writes it down: to the manager, or from it. */
enum pcapng_direction { PCAPNG_UNKNOWN, PCAPNG_INBOUND, PCAPNG_OUTBOUND };

/* pcapng_packet adds a packet as it is, with the time now and the comment that was kept, while there is room. */
void pcapng_packet(struct pcapng *capture, enum pcapng_interface interface, enum pcapng_direction direction,
                   const void *octets, size_t len);

/* Whose side: the manager's or the system's under test. */
enum flow_side { FLOW_MANAGER, FLOW_SUT };

/* Who also wants to know what happens on a connection, before it is captured. */
struct flow_listener {
    void *context;
    void (*opened)(void *context, enum flow_side opener);
    void (*octets)(void *context, enum flow_side from, const void *octets, size_t len);
    void (*ended)(void *context, enum flow_side from, bool reset);
};

/* struct flow is one TCP connection in a capture. Set interface and ends (by enum flow_side), and listener if there is
 * one, which must outlive the flow; the rest starts as zero. */
struct flow {
    enum pcapng_interface interface;
    struct sockaddr_in ends[2];
    uint32_t next[2]; /* next sequence number of each side */
    bool open, finished[2];
    const struct flow_listener *listener;
};

/* flow_open adds the handshake, begun by `opener`; flow_data adds octets, flow_finish a FIN and flow_reset an RST, none
 * of them unless the flow is open and that side unfinished. A NULL capture is allowed everywhere. */
void flow_open(struct pcapng *capture, struct flow *flow, enum flow_side opener);
void flow_data(struct pcapng *capture, struct flow *flow, enum flow_side from, const void *octets, size_t len);
void flow_finish(struct pcapng *capture, struct flow *flow, enum flow_side from);
void flow_reset(struct pcapng *capture, struct flow *flow, enum flow_side from);

/* flow_datagram adds a UDP datagram of that side, of at most 2048 octets, on the interface PCAPNG_WIRE. `ends` are by
 * enum flow_side. A NULL capture is allowed. */
void flow_datagram(struct pcapng *capture, enum flow_side side, const struct sockaddr_in *const ends[2],
                   const void *octets, size_t len);

#endif
