/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The driver of a node: what brings Portals messages over the card (chapter 5 of the thesis). Short ones go by RMPP,
 * over circular buffers; long ones by VDMA, coordinated by the handler on VNIC 0. Which it is decides the length.
 *
 *      Portals      send     parse, receive, finalize
 *                    |          ^
 *      driver      order of messages to and from each node (numbers, from 0 on)
 *                  RMPP: RTS, CTS, DATA ..  | handler: TRY_MATCH, GET .. | slices
 *                    |                      |                            |
 *      card        VNIC 1 to 15           VNIC 0                       VDMA engine
 *
 * The functions below are what the thesis's kernel thread does. They do no I/O and read no clock; one thread at a time.
 * Messages of a node begin at the receiver in the order in which they were sent; they end in any order.
 */
#ifndef REF_IMPL_INTERCEPT_NODE_H
#define REF_IMPL_INTERCEPT_NODE_H

#include "ref-impl/intercept/nic.h"

enum {
    ICPT_RTS_DATA = 408,    /* octets that an RTS carries behind a header without tag */
    ICPT_PACKET_DATA = 480, /* octets of a data packet */
    ICPT_GRANT = 16,        /* data packets of a CTS */
    ICPT_CREDIT = 64,       /* control messages of an initial credit */
    ICPT_OPEN_MAX = 64,     /* messages to one node that are not answered */
    ICPT_SHORT_MAX = ICPT_RTS_DATA + ICPT_GRANT * ICPT_PACKET_DATA, /* octets; longer ones take VDMA */
};

/* What chapter 7 of the thesis wishes for (specs/intercept-wire.md, 12). All nodes of a network have the same of them,
 * or none, which is what the profile judges.
 *
 * joint     packets for the same VNIC of a node that are posted in one turn travel as one: an acknowledgement of
 *           Portals rides on the MSGEND that the same event causes
 * gets      the driver is told which message replies to a get: there is memory for it, so the get is the CTS of its
 *           reply, whose data packets follow the RTS at once
 * processes several processes are on the node: its driver brings messages to its own address, too */
enum intercept_wish { ICPT_WISH_JOINT = 1, ICPT_WISH_PROCESSES = 2, ICPT_WISH_GETS = 4 };

/* struct intercept_arrival is a message that begins: `length` octets are announced, or UINT64_MAX where only the
 * Portals header says how many. A VDMA_PUT has no header. */
struct intercept_arrival {
    uint16_t source;             /* IUCA */
    unsigned vnic;               /* at which it came; 0: by VDMA */
    const unsigned char *header; /* wire_intercept_portals_octets, or NULL */
    uint64_t length;
};

/* struct intercept_wanted is what Portals answers: how long the message is, and how much of it goes where. */
struct intercept_wanted {
    uint64_t rlength, mlength;
    unsigned char *memory; /* only its address counts: octets are handed to `receive` */
    void *token;           /* NULL: `finalize` need not come */
    bool is_reply;         /* to a get of ours, and wanted whole; with ICPT_WISH_GETS */
};

/* struct intercept_send is a message on its way. The caller fills the first group and leaves the memory alone until
 * `sent`; the rest, zeroed, is the driver's. */
struct intercept_get {
    unsigned channel;
    uint32_t window_start, len;
    const unsigned char *from;
};

struct intercept_send {
    uint16_t destination;                               /* IUCA; the node's own with ICPT_WISH_PROCESSES only */
    uint8_t vnic;                                       /* from 1 on; 0: a plain VDMA_PUT, without header and number */
    uint8_t destination_vnic;                           /* of a short message; 0: the same */
    bool is_short;                                      /* by RMPP, however long it is */
    bool is_reply;                                      /* to a get; with ICPT_WISH_GETS */
    unsigned char header[WIRE_INTERCEPT_TAGGED_OCTETS]; /* as many as wire_intercept_portals_octets are sent */
    const unsigned char *data;
    uint64_t length;

    struct intercept_send *next;
    bool is_open; /* its RTS, TRY_MATCH or PUT has been sent */
    bool is_long;
    uint64_t number, key;
    uint32_t granted, posted, packets;                  /* RMPP: data packets that may be sent, were, and all of them */
    uint64_t wanted;                                    /* octets that the receiver has asked for */
    struct intercept_get gets[WIRE_INTERCEPT_CHANNELS]; /* asked for, and not yet with the engine */
    unsigned get_first, get_count;
    bool owes_blocks; /* a GET_EXT_REPLY */
    uint64_t blocks_key;
    uint32_t first_len, last_len;
    const unsigned char *first_from, *last_from;
};

/* struct intercept_library is Portals, as the driver sees it.
 *
 * parse     lib_parse: a message begins; Portals decides at once. `wanted` is zeroed: then nothing of it is stored
 * receive   octets of it have come, in any order
 * finalize  lib_finalize at the target: all that was wanted is there (complete) or never will be. Once for every token
 * sent      lib_finalize at the initiator: the memory is free, the target is done with the message (complete) or will
 *           not be. Once for every intercept_node_send */
struct intercept_library {
    void (*parse)(void *portals, const struct intercept_arrival *arrival, struct intercept_wanted *wanted);
    void (*receive)(void *portals, void *token, uint64_t offset, const unsigned char *octets, size_t len);
    void (*finalize)(void *portals, void *token, bool complete);
    void (*sent)(void *portals, struct intercept_send *send, bool complete);
};

struct intercept_node_counts {
    uint64_t short_messages, long_messages; /* sent */
    uint64_t reordered;                     /* RTS and TRY_MATCH that waited for one before them */
    uint64_t stale;                         /* those that came again */
    uint64_t unknown;                       /* packets that belong to no message, or break a rule */
    uint64_t copied;                        /* octets that were copied because the two ends are aligned differently */
    uint64_t waited_for_credit;
    uint64_t joined; /* packets that rode on another */
};

/* struct intercept_joint is a packet to which others for the same VNIC of the same node may be joined. */
struct intercept_joint {
    size_t len; /* octets of payload; 0: there is none */
    uint16_t destination;
    uint8_t flags, destination_vnic, source_vnic;
    unsigned tx; /* the TX-CB for it */
    unsigned char payload[WIRE_INTERCEPT_SHORT_MAX];
};

struct intercept_peer;
struct intercept_receive;

enum { ICPT_BUCKETS = 256 };

/* struct intercept_node - begin with intercept_node_begin. `short_max` and `wishes` may be set before the first
 * message: the longest that goes by RMPP; a sum of enum intercept_wish. `counts` may be read; the rest is the driver's
 * own. */
struct intercept_node {
    struct intercept_nic *nic;
    const struct intercept_library *library;
    void *portals;
    uint64_t rank; /* physical: IUCA x 65536 + pid */
    uint64_t short_max;
    unsigned wishes;
    struct intercept_node_counts counts;

    uint64_t last_key;
    struct intercept_peer *peers[ICPT_BUCKETS];
    struct intercept_receive *owners[WIRE_INTERCEPT_CHANNELS]; /* of the card's channels */
    unsigned char *bounce;                /* where a slice is aligned anew; made when it is needed first */
    const struct intercept_send *bounced; /* whose slice is in it */
    struct intercept_joint joint;
    struct intercept_send *first_local; /* from process to process of this node */
};

/* intercept_node_begin - the driver of a card, whose VNIC 0 it opens; the NAL opens those that it uses. False: no
 * memory.
 * intercept_node_end - frees what it has; messages on their way are forgotten. */
bool intercept_node_begin(struct intercept_node *node, struct intercept_nic *nic, uint16_t pid,
                          const struct intercept_library *library, void *portals);
void intercept_node_end(struct intercept_node *node);

/* intercept_node_send - takes a message. False: no memory, and nothing was done. The next turn sends it. */
bool intercept_node_send(struct intercept_node *node, struct intercept_send *send);

/* intercept_node_abandon - takes back a message that `sent` has not come for; it will not come. */
void intercept_node_abandon(struct intercept_node *node, struct intercept_send *send);

/* intercept_node_turn - one turn of the kernel thread: all packets that have arrived, then what was postponed, then
 * data packets. To be called after the card's interrupt, after a slice has left, and after intercept_node_send. */
void intercept_node_turn(struct intercept_node *node, uint64_t now_ns);

/* intercept_node_write, intercept_node_slice_sent - what the card's host does for `write` and `sent` of struct
 * intercept_nic_ops. */
void intercept_node_write(struct intercept_node *node, void *token, unsigned char *to, const unsigned char *octets,
                          size_t len);
void intercept_node_slice_sent(struct intercept_node *node, void *cookie);

/* intercept_node_idle - whether nothing is owed to anybody: all answers are given, all messages answered. */
bool intercept_node_idle(const struct intercept_node *node);

#endif
