/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Drivers on a simulated network, with a Portals of the test above each: it knows of every message what it carries, and
 * looks whether it begins in its turn, arrives whole and where it should, and is ended on both sides once.
 */
#ifndef TESTS_INTERCEPT_PLAYER_H
#define TESTS_INTERCEPT_PLAYER_H

#include "ref-impl/intercept/node.h"
#include "ref-impl/intercept/simulation.h"

enum { PLAYER_NODES = 8, PLAYER_MESSAGES = 4096 };

struct player_message {
    struct intercept_send send;
    uint16_t source;
    uint64_t mlength;      /* octets that the receiver will take */
    unsigned char *data;   /* block that the message is in */
    unsigned char *room;   /* block that it is to arrive in, between guards */
    unsigned char *memory; /* in it */
    unsigned begun, finalized, sent;
    bool finalized_well, sent_well;
};

struct player {
    struct intercept_simulation *simulation;
    uint32_t nodes;
    struct intercept_node node[PLAYER_NODES];
    struct player_node {
        struct player *player;
        uint32_t number;
    } self[PLAYER_NODES];
    unsigned count;
    struct player_message *messages;                 /* PLAYER_MESSAGES of them */
    unsigned last_begun[PLAYER_NODES][PLAYER_NODES]; /* [receiver][sender]: message, plus one */
    unsigned disordered;
    bool refuses_puts;
};

/* player_begin - a network of that setup with a driver on each node; false: no memory.
 * player_end - frees all. */
bool player_begin(struct player *player, const struct intercept_setup *setup);
void player_end(struct player *player);

/* player_send - node `from` sends `length` octets to `to`, which takes `mlength` of them. Returns the message.
 * player_send_at - the same with VNIC (0: a VDMA_PUT), and how far its memory begins behind a page's beginning at both
 * ends. */
struct player_message *player_send(struct player *player, uint32_t from, uint32_t to, uint64_t length,
                                   uint64_t mlength);
struct player_message *player_send_at(struct player *player, uint16_t ends[2], uint8_t vnic, uint64_t lengths[2],
                                      unsigned offsets[2]);

/* player_run - until nothing more happens. True: every message has begun and ended as it should, and nobody owes
 * anything. */
bool player_run(struct player *player);

/* player_is_good - whether one message has arrived whole, and nothing beside it. */
bool player_is_good(const struct player_message *message);

#endif
