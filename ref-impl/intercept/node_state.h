/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the driver, shared by its files and by nobody else. All that is owed to a peer and could not be sent at
 * once stands in its messages' own state, so nothing queues up: it is sent by a later turn.
 *
 *      turn.c          the turn, peers               control.c        connections, credits, what comes for VNIC 0
 *      order.c         numbers of messages           vdma_send.c      GET: slices and blocks to the peer
 *      rmpp_send.c     RTS, DATA                     vdma_receive.c   TRY_MATCH, PUT: pulling by GETs
 *      rmpp_receive.c  CTS, NEXT_CTS, MSGEND           wishes.c         what chapter 7 of the thesis wishes for
 */
#ifndef REF_IMPL_INTERCEPT_NODE_STATE_H
#define REF_IMPL_INTERCEPT_NODE_STATE_H

#include "ref-impl/intercept/node.h"

enum {
    ICPT_EARLY_OCTETS = WIRE_INTERCEPT_HEADER_OCTETS + WIRE_INTERCEPT_SHORT_MAX,
    ICPT_SEEN_PACKETS = 512, /* how far apart the first missing data packet and the last granted one may be */
    ICPT_PUTS = 4,           /* VDMA_PUTs of a peer at a time */
};

enum intercept_receive_kind { ICPT_FREE, ICPT_RMPP, ICPT_MATCH, ICPT_PUT };

/* struct intercept_receive is a message that arrives. */
struct intercept_receive {
    enum intercept_receive_kind kind;
    struct intercept_peer *peer;
    uint64_t number;
    uint8_t vnic, source_vnic;
    void *token;
    uint64_t mlength, received;
    bool is_over;    /* the final answer is owed: MSGEND, MSGERROR, MATCH_REPLY, DONE */
    uint32_t status; /* WIRE_INTERCEPT_STATUS_.. of it */
    bool is_reply;   /* its data packets come without a CTS */

    /* RMPP */
    bool owes_cts, owes_next;
    uint64_t first; /* octets of data that its RTS has room for */
    uint32_t packets, granted;
    uint32_t base; /* all packets before it have come; a multiple of 64 */
    uint64_t seen[ICPT_SEEN_PACKETS / 64];

    /* VDMA */
    uint64_t key, address;
    unsigned char *memory;
    uint64_t middle, asked; /* octets that slices move; of them, asked for */
    uint32_t slices, slices_asked, slices_done;
    uint32_t first_len, last_len;
    uint64_t blocks_key; /* 0: there are no blocks, or they have come */
};

/* An RTS or TRY_MATCH that waits for those before it. */
struct intercept_early {
    bool is_used;
    size_t len;
    unsigned char entry[ICPT_EARLY_OCTETS];
};

/* A data packet of a reply that has overtaken its RTS. */
struct intercept_overtaking {
    bool is_used;
    enum wire_intercept_message message;
    uint64_t message_number;
    uint32_t packet_number;
    size_t len;
    unsigned char data[ICPT_PACKET_DATA];
};

struct intercept_peer {
    struct intercept_peer *next;
    uint16_t iuca;

    /* Sending: messages in the order of their numbers, first those that are open. */
    struct intercept_send *first_send;
    uint64_t next_number;
    bool is_booting; /* its boot message is not answered */

    /* Receiving. */
    uint64_t expected;                                /* number of the message that begins next */
    struct intercept_receive receives[ICPT_OPEN_MAX]; /* by number */
    struct intercept_receive puts[ICPT_PUTS];
    unsigned busy;                 /* of both, how many are not free */
    struct intercept_early *early; /* ICPT_OPEN_MAX of them, by number; NULL: none has been needed */

    struct intercept_overtaking *overtaking; /* [ICPT_OPEN_MAX][ICPT_GRANT]; NULL: none has been needed */

    /* The connection of the handlers. */
    bool is_connected, owes_connection, owes_refusal;
    uint64_t refused_key;
    uint32_t credits; /* control messages that may be sent to it */
    uint32_t taken;   /* that it has sent since credit was given */
    uint32_t owed;    /* credit that is to be given */
};

/* intercept_peer_of - the peer with that address, made where there is none; NULL: no memory. */
struct intercept_peer *intercept_peer_of(struct intercept_node *node, uint16_t iuca);

/* intercept_post - posts a packet to a peer: RTS by TX-CB 0, all else by TX-CB 1 of that VNIC. False: no room. */
bool intercept_post(struct intercept_node *node, const struct intercept_peer *peer, struct wire_intercept_frame *frame);

/* intercept_joint_post - as intercept_post does, but the packet may travel with others, before or after them.
 * intercept_joint_flush - posts what has been joined; false: no room, and it stays.
 * intercept_joint_next - the packet that begins `*at` octets behind the beginning of a joint payload, and moves `*at`
 * behind it; `entry` has ICPT_EARLY_OCTETS, in which it then is. False: there is no further one. */
bool intercept_joint_post(struct intercept_node *node, const struct wire_intercept_frame *frame, unsigned tx);
bool intercept_joint_flush(struct intercept_node *node);
bool intercept_joint_next(const struct wire_intercept_frame *joint, size_t *at, unsigned char *entry,
                          struct wire_intercept_frame *frame);

/* intercept_reply_push - a reply has begun, `first` octets of which its RTS can carry: its first data packets are
 * granted.
 * intercept_reply_expect - the same at its receiver, to which the RTS has come; those that overtook it are taken.
 * intercept_reply_keep - keeps a data packet of a message that has not begun. False: it cannot be one. */
void intercept_reply_push(const struct intercept_node *node, struct intercept_send *send, uint64_t first);
void intercept_reply_expect(struct intercept_node *node, struct intercept_receive *receive);
bool intercept_reply_keep(const struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame);

/* intercept_local_send - takes a message from one process of the node to another.
 * intercept_local_abandon - takes it back; false: it is none of these.
 * intercept_local_deliver - brings all of them. */
void intercept_local_send(struct intercept_node *node, struct intercept_send *send);
bool intercept_local_abandon(struct intercept_node *node, const struct intercept_send *send);
void intercept_local_deliver(struct intercept_node *node);

/* intercept_control_post - posts a control message, which takes a credit and connects first. False: not now.
 * intercept_control_take - a packet has come for VNIC 0.
 * intercept_control_flush - sends what the connection owes. */
bool intercept_control_post(struct intercept_node *node, struct intercept_peer *peer,
                            struct wire_intercept_frame *frame);
void intercept_control_take(struct intercept_node *node, struct intercept_peer *peer,
                            const struct wire_intercept_frame *frame);
void intercept_control_flush(struct intercept_node *node, struct intercept_peer *peer);

/* intercept_order_take - an RTS or TRY_MATCH has come: it begins, and those that waited for it, or it waits.
 * intercept_order_resume - begins those whose turn it is and for which there was no place. */
void intercept_order_take(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame);
void intercept_order_resume(struct intercept_node *node, struct intercept_peer *peer);

/* intercept_receive_begin - takes a place for a message: asks Portals, and checks its answer. `data` is how many octets
 * have come with it. False: what is announced cannot be; the final answer is owed already. */
bool intercept_receive_begin(struct intercept_node *node, struct intercept_receive *receive,
                             const struct intercept_arrival *arrival, uint64_t data);
/* intercept_receive_close - the message is over: Portals is told, and the final answer owed. */
void intercept_receive_close(struct intercept_node *node, struct intercept_receive *receive, uint32_t status);
/* intercept_receive_free - the final answer has been sent. */
void intercept_receive_free(struct intercept_receive *receive);

/* intercept_rmpp_begin - an RTS in its turn.
 * intercept_rmpp_data - a data packet.
 * intercept_rmpp_answer - sends what is owed for a message. */
void intercept_rmpp_begin(struct intercept_node *node, struct intercept_receive *receive,
                          const struct wire_intercept_frame *frame);
void intercept_rmpp_data(struct intercept_node *node, struct intercept_peer *peer,
                         const struct wire_intercept_frame *frame);
void intercept_rmpp_answer(struct intercept_node *node, struct intercept_receive *receive);

/* intercept_rmpp_granted - a CTS or NEXT_CTS has come.
 * intercept_rmpp_ended - an MSGEND or MSGERROR.
 * intercept_send_start - sends the RTS, TRY_MATCH or PUT of a message. False: not now.
 * intercept_send_data - sends data packets that are granted.
 * intercept_send_close - the message is over. */
void intercept_rmpp_granted(struct intercept_node *node, struct intercept_peer *peer,
                            const struct wire_intercept_frame *frame);
void intercept_rmpp_ended(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame);
bool intercept_send_start(struct intercept_node *node, struct intercept_peer *peer, struct intercept_send *send);
void intercept_send_data(struct intercept_node *node, struct intercept_peer *peer, struct intercept_send *send);
void intercept_send_close(struct intercept_node *node, struct intercept_send *send, bool complete);

/* intercept_vdma_get - a GET has come.
 * intercept_vdma_ended - a MATCH_REPLY or DONE.
 * intercept_vdma_serve - gives slices to the engine, and blocks to the peer. */
void intercept_vdma_get(struct intercept_node *node, struct intercept_peer *peer,
                        const struct wire_intercept_frame *frame);
void intercept_vdma_ended(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame);
void intercept_vdma_serve(struct intercept_node *node, struct intercept_peer *peer, struct intercept_send *send);

/* intercept_pull_match - a TRY_MATCH in its turn.
 * intercept_pull_put - a PUT.
 * intercept_pull_blocks - a GET_EXT_REPLY has come.
 * intercept_pull_channel - a slice is complete.
 * intercept_pull_go - asks for slices, and answers. */
void intercept_pull_match(struct intercept_node *node, struct intercept_receive *receive,
                          const struct wire_intercept_frame *frame);
void intercept_pull_put(struct intercept_node *node, struct intercept_peer *peer,
                        const struct wire_intercept_frame *frame);
void intercept_pull_blocks(struct intercept_node *node, struct intercept_peer *peer,
                           const struct wire_intercept_frame *frame);
void intercept_pull_channel(struct intercept_node *node, unsigned channel);
void intercept_pull_go(struct intercept_node *node, struct intercept_receive *receive);

#endif
