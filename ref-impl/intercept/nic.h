/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The network interface card: 16 virtual NICs, each with a circular buffer for what it receives and two for what it
 * sends, a VDMA engine that all of them share, and a link on each of four planes (2.1.3 of the thesis).
 *
 *      VNIC 0 .. 15     TX-CB 0, TX-CB 1 --+                      +-- plane 0 --
 *                       RX-CB <-----+      |                      +-- plane 1 --
 *                                   |      +--> intercept_nic_pump --> |
 *      VDMA engine      slices ------------+                      +-- plane 2 --
 *                       channels <--+---------- packets <---------+-- plane 3 --
 *
 * The card spreads packets over the planes that each of them permits, so packets of one sender may arrive in another
 * order than they left, and those of several senders are mixed. It matches nothing and puts nothing together: that is
 * the software's. A packet for a full RX-CB stays with its sender, link by link.
 *
 * As the links, a card does no I/O and reads no clock. One thread at a time.
 */
#ifndef REF_IMPL_INTERCEPT_NIC_H
#define REF_IMPL_INTERCEPT_NIC_H

#include "ref-impl/intercept/channel.h"
#include "ref-impl/intercept/link.h"
#include "ref-impl/intercept/ring.h"
#include "wire/intercept/frame.h"

enum {
    ICPT_TX_OCTETS = 64 * 1024,     /* of a TX-CB */
    ICPT_RX_OCTETS_MIN = 1 << 20,   /* of an RX-CB, at least and by default */
    ICPT_RX_OCTETS_MAX = 128 << 20, /* at most */
    ICPT_TX_RINGS = 2,              /* TX-CBs of a VNIC */
    ICPT_FLAG_INDIRECT = 4,         /* of an entry of a TX-CB: it is an address */
    ICPT_INDIRECT_OCTETS = 16,      /* that address, behind the header */
};

/* When a VNIC raises its interrupt. */
//= ICPT-055
enum intercept_interrupts { ICPT_INTERRUPT_ALL, ICPT_INTERRUPT_MARKED };

/* struct intercept_nic_ops is the host computer, and the cables.
 *
 * transmit   puts a frame onto the cable of a plane, not before `at_ns`
 * interrupt  the card's one interrupt: intercept_nic_interrupts says of which VNICs. Not called again before they were
 * asked
 * write      the card writes to the memory of a channel with that token. NULL: it just does
 * sent       the last packet of a slice has left
 * fetch      the card reads so many octets, a packet that was posted or a part of a slice: *at_ns becomes when they are
 * there. False: it cannot yet; the host calls intercept_nic_pump when it can. NULL: reading takes no time
 * arm        as in struct intercept_link_ops; may be NULL */
struct intercept_nic_ops {
    void (*transmit)(void *host, unsigned plane, const unsigned char *octets, size_t len, uint64_t at_ns);
    void (*interrupt)(void *host, uint64_t at_ns);
    void (*write)(void *host, void *token, unsigned char *to, const unsigned char *octets, size_t len);
    void (*sent)(void *host, void *cookie);
    bool (*fetch)(void *host, bool is_slice, size_t octets, uint64_t *at_ns);
    void (*arm)(void *host, unsigned plane, uint64_t at_ns);
};

//= ICPT-045
struct intercept_vnic {
    enum intercept_interrupts mode;
    struct intercept_ring rx, tx[ICPT_TX_RINGS];
    unsigned starved; /* planes on which a packet was refused because `rx` is full */
};

/* struct intercept_slice is memory that the VDMA engine sends: at most one page table full. */
struct intercept_slice {
    uint16_t destination; /* IUCA */
    unsigned channel;     /* there */
    uint32_t window_start, len;
    const unsigned char *from; /* stays the caller's until `sent` */
    void *cookie;
    uint32_t done;
};

struct intercept_nic_plane {
    struct intercept_nic *nic;
    struct intercept_link link;
    uint64_t packets; /* sent over it */
};

struct intercept_nic_counts {
    uint64_t sent, received;
    uint64_t discarded;  /* for a VNIC that nobody has opened, against a rule, or for no slice */
    uint64_t interrupts; /* virtual ones */
    uint64_t slices_sent, slices_received;
    uint64_t posted, posted_octets; /* into TX-CBs */
    uint64_t taken;                 /* out of RX-CBs */
};

/* struct intercept_nic - begin with intercept_nic_begin. `counts` and the links' may be read. */
struct intercept_nic {
    const struct intercept_nic_ops *ops;
    void *host;
    uint16_t iuca;
    unsigned mask; /* planes that are cabled and usable */
    struct intercept_nic_counts counts;

    struct intercept_nic_plane planes[ICPT_PLANES];
    unsigned next_plane;
    struct intercept_vnic vnics[WIRE_INTERCEPT_VNICS];
    uint32_t filled; /* TX-CBs with entries, one bit each */
    unsigned next_ring;
    bool was_full;               /* a TX-CB, when something was posted: its owner is to hear of room */
    struct intercept_ring again; /* what was outstanding on a plane that has died */
    uint32_t interrupts;         /* raised and not yet asked for */
    struct intercept_channel channels[WIRE_INTERCEPT_CHANNELS];
    unsigned completed; /* channels whose counter has come to zero */
    struct intercept_slice slices[WIRE_INTERCEPT_CHANNELS];
    unsigned first_slice, slice_count;
};

/* intercept_nic_begin - a card with that address on those planes, no VNIC open. False: no memory.
 * intercept_nic_end - frees what it has. */
bool intercept_nic_begin(struct intercept_nic *nic, uint16_t iuca, unsigned mask, const struct intercept_nic_ops *ops,
                         void *host);
void intercept_nic_end(struct intercept_nic *nic);

/* intercept_nic_open - opens a VNIC with a receive buffer of `rx_octets`, between the two bounds above and a multiple
 * of 8. False: it is open, or there is no memory. intercept_nic_end closes it. */
bool intercept_nic_open(struct intercept_nic *nic, unsigned vnic, size_t rx_octets, enum intercept_interrupts mode);

/* intercept_nic_post - puts a packet into a TX-CB of an open VNIC: a direct transfer, the data is copied. Source and
 * lengths are filled in. False: it is longer than its kind may be (no link would take it), or the buffer is full; VNIC
 * 0 then raises its interrupt when something has left.
 * intercept_nic_post_indirect - puts only the address of the payload of a short message: `len` octets, whole quadwords,
 * which stay the caller's until the packet has left. */
bool intercept_nic_post(struct intercept_nic *nic, unsigned vnic, unsigned tx,
                        const struct wire_intercept_frame *frame);
bool intercept_nic_post_indirect(struct intercept_nic *nic, unsigned vnic, unsigned tx,
                                 const struct wire_intercept_frame *frame, const void *payload, size_t len);

/* intercept_nic_slice - gives a slice to the VDMA engine. One is sent at a time, three more may wait. False: they do.
 * */
bool intercept_nic_slice(struct intercept_nic *nic, const struct intercept_slice *slice);

/* intercept_nic_forget - takes back the slices with that cookie, none of which is sent any further. */
void intercept_nic_forget(struct intercept_nic *nic, const void *cookie);

/* intercept_nic_pump - sends what can be sent. */
void intercept_nic_pump(struct intercept_nic *nic, uint64_t at_ns);

/* intercept_nic_save - keeps what is outstanding on a link that has died, so that it is sent over the other planes. */
void intercept_nic_save(struct intercept_nic *nic, const struct intercept_link *link);

/* intercept_nic_idle - whether all has been sent and acknowledged. */
bool intercept_nic_idle(const struct intercept_nic *nic);

/* intercept_nic_interrupt - a VNIC raises its interrupt.
 * intercept_nic_interrupts - the VNICs that have raised their interrupt since the last call, one bit each. A slice that
 * is complete raises that of the VDMA handler.
 * intercept_nic_completed - the channels whose slice is complete, one bit each, once. */
void intercept_nic_interrupt(struct intercept_nic *nic, unsigned vnic, uint64_t at_ns);
uint32_t intercept_nic_interrupts(struct intercept_nic *nic);
unsigned intercept_nic_completed(struct intercept_nic *nic);

/* intercept_nic_first - the oldest packet in the RX-CB of an open VNIC: its entry. False: there is none.
 * intercept_nic_drop - it has been read; what `intercept_nic_first` has shown is gone. */
bool intercept_nic_first(struct intercept_nic *nic, unsigned vnic, struct wire_intercept_frame *frame);
void intercept_nic_drop(struct intercept_nic *nic, unsigned vnic, uint64_t at_ns);

#endif
