/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker (wire/portals/check.h) remembers about pairs and processes: who a process said that it is, on which
 * stream it sends to a peer, how far it has come in the barrier with another rank. One hash table with open addressing,
 * in the caller's storage; nothing is ever removed from it, and a quarter of it stays free, so that whoever is not
 * there is soon known not to be.
 */
#include "wire/portals/check_own.h"

#include "wire/octets/keyed_hash.h"

#include <stddef.h>
#include <string.h>

/* In place of a barrier's sequence: it can no longer be told. */
#define NEVER_MIND UINT64_MAX

static uint32_t place_of(const struct wire_portals_check *check, uint32_t kind, const uint32_t *key)
{
    uint64_t words[1 + WIRE_PORTALS_CHECK_SLOT_WORDS] = {kind};

    for (size_t i = 0; i < WIRE_PORTALS_CHECK_SLOT_WORDS; i++) {
        words[1 + i] = key[i];
    }
    return (uint32_t)(wire_keyed_hash(check->tables.key, words, sizeof words / sizeof words[0]) %
                      check->tables.slot_count);
}

static bool has_room(const struct wire_portals_check *check)
{
    return check->slots < check->tables.slot_count - check->tables.slot_count / 4;
}

struct wire_portals_check_slot *wire_portals_check_slot_of(struct wire_portals_check *check,
                                                           enum wire_portals_slot_kind kind, const uint32_t *key,
                                                           bool make)
{
    struct wire_portals_check_slot *slots = check->tables.slots;
    uint32_t count = check->tables.slot_count;
    uint32_t at = count ? place_of(check, kind, key) : 0;

    for (uint32_t tried = 0; tried < count; tried++, at = (at + 1) % count) {
        check->steps++;
        if (slots[at].kind == WIRE_PORTALS_SLOT_FREE) {
            if (!make || !has_room(check)) {
                break;
            }
            check->slots++;
            slots[at] = (struct wire_portals_check_slot){.kind = kind};
            memcpy(slots[at].key, key, sizeof slots[at].key);
            return &slots[at];
        }
        if (slots[at].kind == kind && memcmp(slots[at].key, key, sizeof slots[at].key) == 0) {
            return &slots[at];
        }
    }
    check->unjudged += make;
    return NULL;
}

void wire_portals_check_identity(const struct wire_portals_judged *judged)
{
    const struct wire_portals_id *sender = &judged->header->initiator;
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {sender->nid, sender->pid, sender->gid};
    struct wire_portals_check_slot *slot =
        wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_IDENTITY, key, true);
    const uint64_t said = (uint64_t)sender->rid << 32 | judged->header->group_size;

    if (slot && slot->mark && slot->value[0] != said) {
        bool rank = slot->value[0] >> 32 != sender->rid;
        struct wire_portals_finding *finding =
            wire_portals_check_find(judged->check, WIRE_PORTALS_OTHER_IDENTITY, slot->mark);
        finding->field = rank ? "initiator.rid" : "group_size";
        finding->expected = rank ? slot->value[0] >> 32 : slot->value[0] & UINT32_MAX;
        finding->observed = rank ? said >> 32 : said & UINT32_MAX;
    }
    if (slot) {
        slot->value[0] = said;
        slot->value[1]++; /* streams on which it has said so, and that are open */
        slot->mark = judged->mark;
    }
}

void wire_portals_check_pair(const struct wire_portals_judged *judged, uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS])
{
    const struct wire_portals_id *from = &judged->way->hello.initiator;

    key[0] = from->nid;
    key[1] = from->pid;
    key[2] = judged->receiver.nid;
    key[3] = judged->receiver.pid;
    key[4] = judged->interface;
}

static struct wire_portals_check_slot *pair_slot(const struct wire_portals_judged *judged, uint32_t kind)
{
    uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS];

    wire_portals_check_pair(judged, key);
    return wire_portals_check_slot_of(judged->check, kind, key, true);
}

void wire_portals_check_counting(struct wire_portals_judged *judged)
{
    struct wire_portals_check_slot *slot = pair_slot(judged, WIRE_PORTALS_SLOT_COUNTING);

    judged->disorder = judged->behind = true;
    if (!slot) {
        return;
    }
    if (judged->epoch > slot->value[0]) {
        slot->value[0] = judged->epoch;
        slot->value[1] = 1;
    }
    judged->behind =
        judged->epoch < slot->value[0] || (judged->epoch == slot->value[0] && judged->number < slot->value[1]);
    if (judged->epoch < slot->value[0] || judged->number != slot->value[1]) {
        slot->mark = 1;
    }
    if (judged->epoch == slot->value[0] && judged->number >= slot->value[1]) {
        slot->value[1] = judged->number + 1;
        wire_portals_check_came(judged->check, slot, judged->number);
    }
    judged->disorder = slot->mark != 0;
}

void wire_portals_check_acknowledged(const struct wire_portals_judged *judged)
{
    const struct wire_portals_header *header = judged->header;
    const struct wire_portals_id *from = &judged->receiver, *to = &judged->way->hello.initiator;
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {from->nid, from->pid, to->nid, to->pid, judged->interface};
    const struct wire_portals_check_slot *slot =
        wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_COUNTING, key, false);

    if (slot && slot->value[0] == header->epoch && slot->value[1] <= header->acknowledged) {
        struct wire_portals_finding *finding =
            wire_portals_check_find(judged->check, WIRE_PORTALS_ACKNOWLEDGE_UNSENT, 0);
        finding->field = "acknowledged";
        finding->expected = slot->value[1] - 1;
        finding->observed = header->acknowledged;
        wire_portals_check_await(judged->check, WIRE_PORTALS_SLOT_COUNTING, key, header->acknowledged);
    }
}

/* Where the latest message of the direction found it, as a rule. */
static struct wire_portals_check_slot *path_slot(const struct wire_portals_judged *judged)
{
    struct wire_portals_check_slot **latest = &judged->stream->ways[judged->way - judged->stream->ways].path;
    uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS];

    wire_portals_check_pair(judged, key);
    if (!*latest || memcmp((*latest)->key, key, sizeof key) != 0) {
        *latest = wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_PATH, key, true);
        (void)wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_SPOKEN, judged->check->ends, true);
    }
    return *latest;
}

void wire_portals_check_path(const struct wire_portals_judged *judged)
{
    struct wire_portals_check_slot *slot = path_slot(judged);

    if (!slot || judged->stream->closed) {
        return; /* on a half-closed stream the sender may not have noticed yet */
    }
    if (slot->value[0] && slot->value[0] != judged->stream->number) {
        wire_portals_check_find(judged->check, WIRE_PORTALS_SECOND_STREAM, slot->mark);
    }
    if (slot->value[0] > judged->stream->number) {
        if (judged->mark - slot->value[1] <= judged->check->close) {
            return; /* it may have been sent before the other stream was taken */
        }
        (void)wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_RETURNED, judged->check->ends, true);
    }
    if (slot->value[0] != judged->stream->number) {
        slot->value[0] = judged->stream->number;
        slot->value[1] = judged->mark;
    }
    slot->mark = judged->mark;
}

uint32_t wire_portals_check_interface(const struct wire_portals_check_stream *stream)
{
    bool opened = stream->ways[WIRE_PORTALS_OPENER].greeted;

    return stream->ways[opened ? WIRE_PORTALS_OPENER : WIRE_PORTALS_ACCEPTOR].hello.interface ^ stream->apart;
}

/* A stream has ended. When a process has none any more, one of another job may have its address from now on, and the
 * same group. */
static void forget_process(struct wire_portals_check *check, const struct wire_portals_check_way *way)
{
    const struct wire_portals_id *id = &way->hello.initiator;
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {id->nid, id->pid, id->gid};
    struct wire_portals_check_slot *slot = wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_IDENTITY, key, false);

    if (way->greeted && slot && slot->value[1]) {
        slot->value[1]--;
        slot->mark = slot->value[1] ? slot->mark : 0;
    }
}

/* Likewise what it said in barriers to the process at the other end. */
static void forget_barriers(struct wire_portals_check *check, const struct wire_portals_check_stream *stream, int side)
{
    const struct wire_portals_check_way *way = &stream->ways[side], *back = &stream->ways[!side];
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {way->hello.initiator.gid, way->hello.initiator.rid,
                                                         back->hello.initiator.nid, back->hello.initiator.pid,
                                                         wire_portals_check_interface(stream)};
    struct wire_portals_check_slot *slot = wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_BARRIER, key, false);

    if (slot && slot->value[0] != NEVER_MIND && slot->value[1] == stream->number) {
        slot->mark = 0;
    }
}

void wire_portals_check_unpath(struct wire_portals_check *check, const struct wire_portals_check_stream *stream)
{
    for (int side = WIRE_PORTALS_OPENER; side <= WIRE_PORTALS_ACCEPTOR; side++) {
        const struct wire_portals_id *from = &stream->ways[side].hello.initiator;
        const struct wire_portals_check_way *back = &stream->ways[!side];
        bool by_address = side == WIRE_PORTALS_OPENER && stream->acceptor.nid;
        const struct wire_portals_id *to = back->greeted ? &back->hello.initiator
                                           : by_address  ? &stream->acceptor
                                                         : &stream->ways[side].hello.target;
        const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {from->nid, from->pid, to->nid, to->pid,
                                                             wire_portals_check_interface(stream)};
        struct wire_portals_check_slot *slot = wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_PATH, key, false);

        if (slot && slot->value[0] == stream->number) {
            slot->value[0] = 0;
        }
        if (check->several_jobs) {
            forget_process(check, &stream->ways[side]);
            forget_barriers(check, stream, side);
        }
    }
}

/* Doublings that it takes to get from 1 to `size` or beyond. */
static uint32_t rounds_of(uint32_t size)
{
    uint32_t rounds = 0;

    while (rounds < 32 && (uint64_t)1 << rounds < size) {
        rounds++;
    }
    return rounds;
}

/* What rank `from` has said in barriers to the process `to`, which is known by its address: jobs that run at the same
 * time may have numbered their groups alike. */
static struct wire_portals_check_slot *barrier_slot(const struct wire_portals_judged *judged, uint32_t from,
                                                    const struct wire_portals_id *to, bool make)
{
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {judged->header->initiator.gid, from, to->nid, to->pid,
                                                         judged->interface};

    return wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_BARRIER, key, make);
}

/* Must the sender still wait for another rank? Told only when that rank's barrier messages have been seen before. */
static void judge_turn(const struct wire_portals_judged *judged, uint32_t size)
{
    const struct wire_portals_header *header = judged->header;
    uint32_t round = header->round ? header->round - 1 : rounds_of(size) - 1;
    uint64_t sequence = header->round ? header->sequence : header->sequence - 1;
    uint64_t distance = ((uint64_t)1 << round) % size;
    uint32_t partner = (uint32_t)((header->initiator.rid + size - distance) % size);
    const struct wire_portals_check_slot *slot = barrier_slot(judged, partner, &judged->way->hello.initiator, false);

    //= P30-090
    if (slot && slot->mark && slot->value[0] < sequence) {
        wire_portals_check_find(judged->check, WIRE_PORTALS_BARRIER_EARLY, slot->mark);
        wire_portals_check_await(judged->check, WIRE_PORTALS_SLOT_BARRIER, slot->key, sequence);
    }
}

/* Whether it may be a barrier of another job, which counts anew: one that comes on another stream. */
static bool may_be_new(const struct wire_portals_judged *judged, const struct wire_portals_check_slot *slot)
{
    return judged->check->several_jobs && slot->value[1] != judged->stream->number;
}

/* The barriers of a pair of ranks follow each other. False when this one is a repetition. */
static bool judge_sequence(const struct wire_portals_judged *judged)
{
    const struct wire_portals_header *header = judged->header;
    struct wire_portals_check_slot *slot = barrier_slot(judged, header->initiator.rid, &judged->receiver, true);

    if (!slot) {
        return true;
    }
    if (slot->value[0] == NEVER_MIND) { /* also where the next ones have no numbers */
        return false;
    }
    bool follows = slot->mark && !may_be_new(judged, slot);

    if (follows && header->sequence <= slot->value[0]) {
        wire_portals_check_find(judged->check, WIRE_PORTALS_BARRIER_AGAIN, slot->mark);
        return false;
    }
    if (follows && header->sequence > slot->value[0] + 1) {
        struct wire_portals_finding *finding =
            wire_portals_check_find(judged->check, WIRE_PORTALS_BARRIER_SKIPPED, slot->mark);
        finding->field = "sequence";
        finding->expected = slot->value[0] + 1;
        finding->observed = header->sequence;
    }
    slot->value[0] = header->sequence;
    slot->value[1] = judged->stream->number;
    slot->mark = judged->mark;
    wire_portals_check_came(judged->check, slot, header->sequence);
    return true;
}

void wire_portals_check_barrier(const struct wire_portals_judged *judged)
{
    const struct wire_portals_header *header = judged->header;
    uint32_t size = judged->way->hello.group_size;
    uint64_t partner;

    if (header->round >= rounds_of(size)) {
        wire_portals_check_find(judged->check, WIRE_PORTALS_BARRIER_SURPLUS, 0);
        return;
    }
    partner = ((uint64_t)header->initiator.rid + ((uint64_t)1 << header->round)) % size;
    if (header->target.rid != partner) {
        struct wire_portals_finding *finding = wire_portals_check_find(judged->check, WIRE_PORTALS_BARRIER_PARTNER, 0);
        finding->field = "target.rid";
        finding->expected = partner;
        finding->observed = header->target.rid;
        return;
    }
    if (judged->disorder) {
        /* What came when between these two can no longer be told, so it must not be held against others either. */
        struct wire_portals_check_slot *slot = barrier_slot(judged, header->initiator.rid, &judged->receiver, true);
        if (slot) {
            slot->value[0] = NEVER_MIND;
        }
    } else if (judge_sequence(judged)) {
        judge_turn(judged, size);
    }
}
