/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Portals streams of a capture: a part of its examination (wire/follow/examine.h).
 */
#ifndef WIRE_FOLLOW_CONVERSATION_H
#define WIRE_FOLLOW_CONVERSATION_H

#include "wire/follow/examination.h"
#include "wire/follow/follow.h"

enum { WIRE_CONVERSATION_HEAD = 4, WIRE_CONVERSATION_PAIRS = 2 };

/* What all of them share. */
struct wire_conversations {
    struct wire_examine *examine;
    struct wire_portals_check check;
    bool partial_told;
    bool by_address; /* of processes known by their addresses alone something is missing */
};

/* Between whom something is missing. */
struct wire_conversation_pairs {
    struct wire_portals_id from[WIRE_CONVERSATION_PAIRS], to[WIRE_CONVERSATION_PAIRS];
    unsigned count;
};

/* What is known about a connection; its sides are those of the connection. */
struct wire_conversation {
    struct wire_conversations *all;
    struct wire_reassembly_connection *connection;
    bool is_portals, foreign;
    unsigned opener; /* the side that opened */
    int64_t opened_ns;
    bool late[2];     /* its beginning was not captured */
    bool lost[2];     /* it has lost octets, which was told */
    bool compared[2]; /* the process that it says to be, with its address */
    bool stopped[2];  /* what it says means nothing any more */
    bool reset[2];    /* it has reset the connection, and said nothing since */
    bool unbegun[2];  /* nothing of it had come when the other side greeted */
    unsigned char head[2][WIRE_CONVERSATION_HEAD];
    size_t head_len[2];
    uint64_t head_packet[2];
    struct wire_conversation_pairs doubts[2];
    struct wire_conversation_pairs replaced[2]; /* between whom something may be missing, where it was replaced */
    const struct wire_packet *packet;           /* at hand */
    struct wire_follow follow;
};

/* wire_conversations_settle - after each packet: where addresses turn out to be translated, nobody knows any more
 * between which processes something is missing that was known by addresses alone. */
void wire_conversations_settle(struct wire_conversations *all);

/* wire_conversation_meet - begins with a connection of which nothing has been seen. */
void wire_conversation_meet(struct wire_conversation *conversation, struct wire_conversations *all,
                            struct wire_reassembly_connection *connection, const struct wire_packet *packet);

/* wire_conversation_replaced - its ends have opened another connection: its end was not captured, and what came before
 * that neither. wire_conversation_beside: it was not so, for it goes on. */
void wire_conversation_replaced(struct wire_conversation *conversation);
void wire_conversation_beside(struct wire_conversation *conversation);

/* wire_conversation_part - the connection is over, whether its end was captured or not. */
void wire_conversation_part(struct wire_conversation *conversation);

/* wire_conversation_octets - takes octets of a side. wire_conversation_ended: a side has finished, or reset the
 * connection. */
void wire_conversation_octets(struct wire_conversation *conversation, unsigned side, const unsigned char *octets,
                              size_t len, const struct wire_packet *packet);
void wire_conversation_ended(struct wire_conversation *conversation, unsigned side, bool reset,
                             const struct wire_packet *packet);

/* wire_conversation_gap - octets of a side are missing; whether that is to be told, which is done once.
 * wire_conversation_doubted: they are missing so far, or are so no more. */
bool wire_conversation_gap(struct wire_conversation *conversation, unsigned side, uint32_t octets,
                           const struct wire_packet *packet);
void wire_conversation_doubted(struct wire_conversation *conversation, unsigned side, bool raised);

#endif
