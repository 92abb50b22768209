/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The memory of such traffic alone: see baseline.h. A piece of memory begins with where the next one is, so that this
 * is known only when its first line has been read; its further lines need not wait for each other. So it is in the
 * core, where besides more is done between two pieces than a processor looks ahead: what the next endpoint needs is not
 * read while this one is waited for. An interface is locked first.
 *
 *      endpoint --> interface (locked) --> descriptor --> queue, event
 *      at a server: chain --> entry --> descriptor
 */
#include "tests/bench/baseline.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/core/acl_table.h"
#include "ref-impl/core/eq.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"
#include "tests/bench/traffic.h"

enum { LINE = 64 /* octets of a line of the cache */, EVENTS = 8, PORTALS = 4, ACCESSES = 2 };

/* How many lines of a piece are touched. */
enum { OF_INTERFACE = 3, OF_DESCRIPTOR = 1, OF_QUEUE = 4, OF_ENTRY = 1, OF_OPERATION = 3 };

struct piece {
    struct piece *next;
    uint32_t lines;
    uint32_t touched;
};

/* An endpoint: as much as the network (many.c) and the traffic know of it. */
struct place {
    struct piece *first;
    struct piece *unused;
    char further[56 - 2 * sizeof(struct piece *)];
};

/* Its message of a wave that is on its way. */
struct landing {
    struct piece *sent, *served;
    char further[LINE - 2 * sizeof(struct piece *)];
};

static struct place *places;
static struct landing *landings;
static struct piece **chains[TRAFFIC_SERVERS + 1]; /* of each server, by a hash; NULL where one entry is for all */
static struct eq_slot *wave_ring;                  /* of the server of waves */
static uint32_t place_count, chain_mask, round_number;

static void *demand(void *memory)
{
    if (!memory) {
        fprintf(stderr, "baseline: no memory\n");
        exit(2);
    }
    return memory;
}

/* Makes a piece of fresh memory. */
static struct piece *piece_at(struct piece *piece, uint32_t lines, struct piece *next)
{
    for (uint32_t i = 0; i < lines; i++) {
        *(struct piece *)(void *)((char *)piece + (size_t)i * LINE) = (struct piece){0};
    }
    *piece = (struct piece){.next = next, .lines = lines};
    return piece;
}

static struct piece *piece_new(size_t octets, uint32_t lines, struct piece *next)
{
    return piece_at(demand(malloc(octets)), lines, next);
}

static void pieces_free(struct piece *piece)
{
    while (piece) {
        struct piece *next = piece->next;

        free(piece);
        piece = next;
    }
}

/* Touches pieces up to the last one. Returns 0, which nobody knows before its first line has been read. */
static uint32_t touch(struct piece *piece)
{
    uint32_t lines = 0;

    for (; piece; piece = piece->next) {
        lines = piece->lines;
        for (uint32_t i = 0; i < piece->lines; i++) {
            volatile uint32_t *touched = &((struct piece *)(void *)((char *)piece + (size_t)i * LINE))->touched;

            *touched += 1;
        }
    }
    return lines >> 31;
}

static uint32_t touch_place(uint32_t rank)
{
    struct piece *interface = places[rank].first;

    *(volatile char *)&places[rank].further[sizeof(places[rank].further) - 1] += 1;
    (void)__atomic_fetch_add(&interface->touched, 1, __ATOMIC_SEQ_CST);
    return touch(interface);
}

/* The chain of an endpoint's entry at a server. Each has one of its own, though they are in no order. */
static struct piece **chain_of(uint32_t server, uint32_t rank)
{
    return &chains[server][rank * 0x9e3779b1u & chain_mask];
}

static uint32_t touch_entry(uint32_t server, uint32_t rank)
{
    return chains[server] ? touch(*chain_of(server, rank)) : 0;
}

static void place_open(struct place *place)
{
    struct piece *interface = piece_new(sizeof(struct ni), OF_INTERFACE, NULL);

    place->first = interface;
    place->unused = piece_new(PORTALS * sizeof(struct match_list), 1, NULL);
    place->unused = piece_new(ACCESSES * sizeof(struct acl_entry), 1, place->unused);
    interface->next = piece_new(sizeof(struct md), OF_DESCRIPTOR, NULL);
    interface->next->next = piece_new(sizeof(struct eq) + EVENTS * sizeof(struct eq_slot), OF_QUEUE, NULL);
}

static void entries_open(uint32_t server)
{
    chains[server] = demand(calloc(chain_mask + 1, sizeof(struct piece *)));
    for (uint32_t rank = 0; rank < place_count; rank++) {
        struct piece *entry = piece_new(sizeof(struct me), OF_ENTRY, NULL);

        entry->next = piece_new(sizeof(struct md), OF_DESCRIPTOR, NULL);
        *chain_of(server, rank) = entry;
    }
}

void baseline_open(uint32_t count, bool entry_each)
{
    place_count = count;
    places = demand(calloc(count, sizeof(*places)));
    landings = demand(calloc(count, sizeof(*landings)));
    wave_ring = demand(calloc(count, sizeof(*wave_ring)));
    for (chain_mask = 1; chain_mask < count; chain_mask = 2 * chain_mask + 1) {
    }
    for (uint32_t rank = 0; rank < count; rank++) {
        place_open(&places[rank]);
    }
    for (uint32_t server = 0; entry_each && server <= TRAFFIC_SERVERS; server++) {
        entries_open(server);
    }
}

void baseline_round(void)
{
    for (uint32_t rank = 0; rank < place_count; rank++) {
        rank += touch_place(rank);
        rank += touch_entry((rank + round_number) % TRAFFIC_SERVERS, rank);
    }
    round_number++;
}

static void touch_event(uint32_t number)
{
    volatile uint32_t *portal = &wave_ring[number].event.portal;
    volatile uint64_t *eventq = &wave_ring[number].event.md.eventq;

    *portal += 1;
    *eventq += 1;
}

void baseline_wave(void)
{
    for (uint32_t rank = 0; rank < place_count; rank++) {
        rank += touch_place(rank);
        landings[rank].sent = piece_new(sizeof(struct operation), OF_OPERATION, NULL);
        rank += touch_entry(TRAFFIC_SERVERS, rank);
        landings[rank].served = piece_new(sizeof(struct operation), OF_OPERATION, NULL);
    }
    for (uint32_t rank = 0; rank < place_count; rank++) {
        rank += touch(landings[rank].served);
        rank += touch_place(rank);
        touch_event(rank);
        free(landings[rank].served);
        rank += touch(landings[rank].sent);
        free(landings[rank].sent);
    }
    for (uint32_t rank = 0; rank < place_count; rank++) {
        rank += touch_place(rank);
        touch_event(rank);
    }
}

void baseline_close(void)
{
    for (uint32_t server = 0; server <= TRAFFIC_SERVERS; server++) {
        for (uint32_t rank = 0; chains[server] && rank < place_count; rank++) {
            pieces_free(*chain_of(server, rank));
        }
        free(chains[server]);
        chains[server] = NULL;
    }
    for (uint32_t rank = 0; rank < place_count; rank++) {
        pieces_free(places[rank].first);
        pieces_free(places[rank].unused);
    }
    free(wave_ring);
    free(landings);
    free(places);
}
