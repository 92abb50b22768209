/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: a card and its driver on a network of hostile cards. The input is frames, one behind the other; those
 * that may be packets get the sequence that is due, an address that is one of few, and the right CRC, so that they come
 * as far as RMPP and VDMA go. The driver sends messages of its own meanwhile, of which the input may speak. Nothing is
 * written beyond what Portals has given, and every message ends once at most.
 */
#include "ref-impl/intercept/node.h"
#include "tests/fuzz/fuzz.h"
#include "wire/intercept/crc32.h"
#include "wire/octets/cursor.h"

#include <string.h>

enum { OWN = 1, MEMORY = 64 * 1024, TOKENS = 512, SENDS = 4, LONG = 3 << 20, ANSWERS = 256, VNIC = 1 };

struct token {
    bool is_live;
    uint64_t mlength;
};

struct world {
    struct intercept_nic nic;
    struct intercept_node node;
    struct token tokens[TOKENS];
    unsigned token_count;
    struct intercept_send sends[SENDS];
    unsigned ended[SENDS];
    unsigned char answers[ANSWERS][ICPT_ANSWER_OCTETS];
    unsigned planes[ANSWERS], answer_count;
};

static _Alignas(4096) unsigned char memory[MEMORY], data[LONG];

/* ---- the card's host ---- */

static void host_transmit(void *host, unsigned plane, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct world *world = host;

    (void)at_ns;
    FUZZ_DEMAND(intercept_cable_judge(octets, len) == ICPT_GOOD);
    if (intercept_cable_kind(octets) <= WIRE_INTERCEPT_COMMAND && world->answer_count < ANSWERS) {
        intercept_cable_answer(world->answers[world->answer_count], WIRE_INTERCEPT_ACKNOWLEDGE, plane,
                               intercept_cable_sequence(octets));
        world->planes[world->answer_count++] = plane;
    }
}

static void host_interrupt(void *host, uint64_t at_ns)
{
    (void)host;
    (void)at_ns;
}

static void host_write(void *host, void *token, unsigned char *to, const unsigned char *octets, size_t len)
{
    intercept_node_write(&((struct world *)host)->node, token, to, octets, len);
}

static void host_sent(void *host, void *cookie)
{
    intercept_node_slice_sent(&((struct world *)host)->node, cookie);
}

static const struct intercept_nic_ops nic_ops = {
    .transmit = host_transmit, .interrupt = host_interrupt, .write = host_write, .sent = host_sent};

/* ---- Portals ---- */

/* The header's last octets say what Portals makes of a message. */
static void play_parse(void *portals, const struct intercept_arrival *arrival, struct intercept_wanted *wanted)
{
    struct world *world = portals;
    const unsigned char *header = arrival->header;

    if (!header || world->token_count == TOKENS || header[79] & 1) {
        return;
    }
    struct token *token = &world->tokens[world->token_count++];
    uint64_t said = (uint64_t)header[76] << 16 | (uint64_t)header[77] << 8 | header[78];

    wanted->rlength = arrival->length == UINT64_MAX ? said : arrival->length;
    wanted->memory = memory + (header[79] >> 1 & 63);
    wanted->mlength = wanted->rlength < MEMORY - 64 ? wanted->rlength : MEMORY - 64;
    wanted->token = token;
    *token = (struct token){true, wanted->mlength};
}

static void play_receive(void *portals, void *cookie, uint64_t offset, const unsigned char *octets, size_t len)
{
    const struct token *token = cookie;

    (void)portals;
    FUZZ_DEMAND(token && token->is_live && offset <= token->mlength && len <= token->mlength - offset);
    memcpy(memory + offset, octets, len);
}

static void play_finalize(void *portals, void *cookie, bool complete)
{
    struct token *token = cookie;

    (void)portals;
    (void)complete;
    FUZZ_DEMAND(token->is_live);
    token->is_live = false;
}

static void play_sent(void *portals, struct intercept_send *send, bool complete)
{
    struct world *world = portals;

    (void)complete;
    FUZZ_DEMAND(world->ended[send - world->sends]++ == 0);
}

static const struct intercept_library library = {
    .parse = play_parse, .receive = play_receive, .finalize = play_finalize, .sent = play_sent};

/* ---- the hostile cards ---- */

static void answers_give(struct world *world)
{
    for (unsigned i = 0; i < world->answer_count; i++) {
        intercept_link_receive(&world->nic.planes[world->planes[i]].link, world->answers[i], ICPT_ANSWER_OCTETS,
                               (struct intercept_moment){0, 0});
    }
    world->answer_count = 0;
}

static void frame_give(struct world *world, const uint8_t *octets, size_t len)
{
    unsigned char frame[WIRE_INTERCEPT_FRAME_MAX];
    unsigned plane = octets[3] % ICPT_PLANES;
    struct intercept_link *link = &world->nic.planes[plane].link;

    memcpy(frame, octets, len);
    if (intercept_cable_kind(frame) <= WIRE_INTERCEPT_COMMAND && frame[3] < 240) {
        frame[4] = 0;
        frame[5] = OWN;
        frame[6] = 0;
        frame[7] = OWN + 1 + frame[7] % 3;
        intercept_cable_seal(frame, len, (uint8_t)(link->expected + link->held));
    } else {
        intercept_cable_seal(frame, len, frame[3]);
    }
    intercept_link_receive(link, frame, len, (struct intercept_moment){0, 0});
    intercept_node_turn(&world->node, 0);
    answers_give(world);
}

static void messages_send(struct world *world)
{
    static const uint64_t lengths[SENDS] = {16, 8088, LONG - 77, 100000};

    for (unsigned i = 0; i < SENDS; i++) {
        world->sends[i] = (struct intercept_send){.destination = (uint16_t)(OWN + 1 + i % 2),
                                                  .vnic = i == 3 ? 0 : VNIC,
                                                  .data = data + i,
                                                  .length = lengths[i]};
        FUZZ_DEMAND(intercept_node_send(&world->node, &world->sends[i]));
    }
    intercept_node_turn(&world->node, 0);
    answers_give(world);
}

static void input_give(const uint8_t *input, size_t size, unsigned wishes)
{
    static struct world world;
    size_t len = 0;

    memset(&world, 0, sizeof world);
    FUZZ_DEMAND(intercept_nic_begin(&world.nic, OWN, WIRE_INTERCEPT_PLANES_ALL, &nic_ops, &world) &&
                intercept_node_begin(&world.node, &world.nic, 7, &library, &world) &&
                intercept_nic_open(&world.nic, VNIC, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL));
    world.node.wishes = wishes;
    messages_send(&world);
    while (wire_intercept_measure(input, size, &len) == WIRE_OK && len <= size) {
        frame_give(&world, input, len);
        input += len;
        size -= len;
    }
    intercept_node_end(&world.node);
    intercept_nic_end(&world.nic);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    input_give(input, size, 0);
    input_give(input, size, ICPT_WISH_JOINT | ICPT_WISH_PROCESSES | ICPT_WISH_GETS);
    return 0;
}
