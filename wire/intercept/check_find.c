/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's table (check_own.h): open addressing within a few places behind the one that the keyed hash says, so
 * that a look-up is short whatever a capture contains. What is over makes place for what is new.
 */
#include "wire/intercept/check_own.h"
#include "wire/octets/keyed_hash.h"

enum { PLACES = 24, PLANES_AT = 1, SEQUENCE_AT = 3, LOGGED = WIRE_INTERCEPT_LOGS * WIRE_INTERCEPT_LOG };

size_t wire_intercept_check_octets(size_t entries)
{
    return (entries + LOGGED) * sizeof(struct wire_intercept_check_entry);
}

struct wire_intercept_check wire_intercept_check_begin(void *memory, size_t entries, const uint64_t key[2])
{
    struct wire_intercept_check_entry *all = memory;
    struct wire_intercept_check made = {.entries = all + LOGGED, .entry_count = entries, .key = {key[0], key[1]}};

    for (uint8_t i = 0; i < WIRE_INTERCEPT_LOGS; i++) {
        made.logs[i].before = all + (size_t)i * WIRE_INTERCEPT_LOG;
        made.log_order[i] = i;
    }
    return made;
}

static struct wire_intercept_check_entry *place(struct wire_intercept_check *check, enum check_kind kind, uint64_t one,
                                                uint64_t other, unsigned step)
{
    uint64_t words[3] = {(uint64_t)kind, one, other};

    return &check->entries[(wire_keyed_hash(check->key, words, 3) + step) % check->entry_count];
}

struct wire_intercept_check_entry *wire_icpt_find(struct wire_intercept_check *check, enum check_kind kind,
                                                  uint64_t one, uint64_t other)
{
    struct wire_intercept_check_entry *first = place(check, kind, one, other, 0);
    size_t at = (size_t)(first - check->entries);

    for (unsigned step = 0; step < PLACES; step++) {
        struct wire_intercept_check_entry *entry = &check->entries[(at + step) % check->entry_count];

        if (entry->kind == kind && entry->words[0] == one && entry->words[1] == other) {
            wire_icpt_touch(check, entry);
            return entry;
        }
    }
    return NULL;
}

static bool is_over(const struct wire_intercept_check_entry *entry)
{
    return entry->kind == CHECK_FREE || (entry->kind == CHECK_MESSAGE && entry->of.message.is_over) ||
           (entry->kind == CHECK_TRANSFER && entry->of.transfer.is_over);
}

struct wire_intercept_check_entry *wire_icpt_make(struct wire_intercept_check *check, enum check_kind kind,
                                                  uint64_t one, uint64_t other)
{
    struct wire_intercept_check_entry *found = wire_icpt_find(check, kind, one, other);
    size_t at = (size_t)(place(check, kind, one, other, 0) - check->entries);

    for (unsigned step = 0; !found && step < 2 * PLACES; step++) {
        struct wire_intercept_check_entry *entry = &check->entries[(at + step % PLACES) % check->entry_count];

        /* first what is free, then what is over */
        if (step < PLACES ? entry->kind == CHECK_FREE : is_over(entry)) {
            wire_icpt_touch(check, entry);
            *entry = (struct wire_intercept_check_entry){.kind = kind, .words = {one, other}};
            found = entry;
        }
    }
    check->forgotten += !found;
    return found;
}

static uint64_t pair_word(uint16_t from, uint16_t to)
{
    return (uint64_t)from << 16 | to;
}

static bool has_begun(struct wire_intercept_check *check, uint16_t iuca, uint64_t since)
{
    const struct wire_intercept_check_entry *card = wire_icpt_find(check, CHECK_CARD, iuca, 0);

    return card && card->of.card.begun_at > since;
}

/* Where one of its cards has made itself known again, what is said of a pair begins anew: jobs follow each other in a
 * capture, or it was merged with itself. */
struct check_pair *wire_icpt_pair_of(struct wire_intercept_check *check, uint16_t from, uint16_t to)
{
    struct wire_intercept_check_entry *entry = wire_icpt_make(check, CHECK_PAIR, pair_word(from, to), 0);
    struct check_pair *pair = entry ? &entry->of.pair : NULL;

    if (pair && check->begun_at > pair->looked_at) {
        if (has_begun(check, from, pair->looked_at) || has_begun(check, to, pair->looked_at)) {
            const struct check_order *order = &pair->order;
            uint64_t until = order->misplaced_until < check->frames ? order->misplaced_until : check->frames;

            *pair = (struct check_pair){.boots = pair->boots + 1,
                                        .is_renewed = pair->known,
                                        .order = {.misplaced_from = order->misplaced_from, .misplaced_until = until}};
        }
        pair->looked_at = check->frames;
    }
    if (pair) {
        pair->known = true;
    }
    return pair;
}

struct check_message *wire_icpt_message_of(struct wire_intercept_check *check, uint16_t from, uint16_t to,
                                           uint64_t number)
{
    struct wire_intercept_check_entry *entry =
        wire_icpt_find(check, CHECK_MESSAGE, pair_word(from, to), number % CHECK_NUMBERS);

    struct check_pair *pair = entry ? wire_icpt_pair_of(check, from, to) : NULL;

    return pair && entry->of.message.number == number && entry->of.message.boots == pair->boots ? &entry->of.message
                                                                                                : NULL;
}

uint64_t wire_icpt_digest(const struct wire_intercept_check *check, const unsigned char *octets, size_t len)
{
    uint64_t words[WIRE_INTERCEPT_FRAME_MAX / 8 + 1] = {0};
    size_t end = len - WIRE_INTERCEPT_CRC_OCTETS;

    for (size_t i = 0; i < end; i++) {
        bool own = i == PLANES_AT || i == SEQUENCE_AT;
        words[i / 8] |= (uint64_t)(own ? 0 : octets[i]) << i % 8 * 8;
    }
    return wire_keyed_hash(check->key, words, (end + 7) / 8);
}

void wire_icpt_doubt(struct wire_intercept_check *check, uint16_t from, uint16_t to)
{
    struct wire_intercept_check_entry *sender = wire_icpt_find(check, CHECK_CARD, from, 0);
    struct wire_intercept_check_entry *card = sender ? sender : wire_icpt_find(check, CHECK_CARD, to, 0);

    for (unsigned plane = 0; card && !check->is_trying && plane < CHECK_PLANES; plane++) {
        uint64_t number = card->of.card.links[plane];
        struct wire_intercept_check_entry *entry = number ? wire_icpt_find(check, CHECK_LINK, number, 0) : NULL;
        struct check_link *link = entry ? &entry->of.link : NULL;
        struct check_way *way = link ? &link->ways[sender ? link->side : !link->side] : NULL;

        if (way && way->synced && !way->doubted) {
            way->doubted = true;
            wire_icpt_suspected(check, wire_icpt_packets(check, link, sender ? link->side : !link->side),
                                way->heard_at);
        }
    }
}

struct check_message *wire_icpt_number(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_pair *pair = wire_icpt_pair_of(check, frame->source, frame->destination);
    const struct check_message *before =
        wire_icpt_message_of(check, frame->source, frame->destination, frame->message_number);
    struct wire_intercept_check_entry *entry;

    if (pair && before) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_NUMBER_AGAIN);
        if (frame->message_number != 0 && !before->is_over) {
            return NULL;
        }
    }
    if (pair && before && frame->message_number == 0) {
        pair->boots++; /* all the same it begins the numbers anew */
        pair->top = 0;
        pair->answered = false;
    }
    entry = wire_icpt_make(check, CHECK_MESSAGE, pair_word(frame->source, frame->destination),
                           frame->message_number % CHECK_NUMBERS);
    if (!pair || !entry) {
        return NULL;
    }
    if (frame->message_number > 0 && pair->begun && !pair->answered) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_BOOT_FIRST);
    }
    heard->late = pair->begun && frame->message_number < pair->top;
    pair->begun = pair->begun || frame->message_number == 0;
    pair->top = frame->message_number > pair->top ? frame->message_number : pair->top;
    entry->of.message = (struct check_message){.number = frame->message_number, .boots = pair->boots};
    check->messages++;
    return &entry->of.message;
}
