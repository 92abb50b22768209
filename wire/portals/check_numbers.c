/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's memory of numbered messages (wire/portals/check.h): what is sent again under its old number must be
 * what it was (specs/portals-wire.md, 4.7). The latest messages stand in a ring, in the order in which they came, and
 * in buckets by pair, epoch and number. Headers are compared, octet by octet; what is behind them is not, since it may
 * be memory that has changed between the two times, which the Portals document allows.
 */
#include "wire/octets/keyed_hash.h"
#include "wire/portals/check_own.h"

#include <stddef.h>
#include <string.h>

/* An index that is none: the first element is but a bucket. */
enum { NONE = 0 };

static uint32_t *bucket_of(const struct wire_portals_check *check, const struct wire_portals_check_number *key)
{
    uint64_t words[2 + WIRE_PORTALS_CHECK_SLOT_WORDS] = {key->epoch, key->number};

    for (size_t i = 0; i < WIRE_PORTALS_CHECK_SLOT_WORDS; i++) {
        words[2 + i] = key->pair[i];
    }
    return &check->tables
                .numbers[wire_keyed_hash(check->tables.key, words, sizeof words / sizeof words[0]) %
                         check->tables.number_count]
                .bucket_first;
}

static bool same_number(const struct wire_portals_check_number *one, const struct wire_portals_check_number *other)
{
    return one->number == other->number && one->epoch == other->epoch &&
           memcmp(one->pair, other->pair, sizeof one->pair) == 0;
}

static const struct wire_portals_check_number *find(struct wire_portals_check *check,
                                                    const struct wire_portals_check_number *key)
{
    const struct wire_portals_check_number *all = check->tables.numbers;
    uint32_t at = *bucket_of(check, key);

    while (at != NONE && !same_number(&all[at], key)) {
        check->steps++;
        at = all[at].bucket_next;
    }
    check->steps++;
    return at == NONE ? NULL : &all[at];
}

static void forget(struct wire_portals_check *check, uint32_t index)
{
    struct wire_portals_check_number *all = check->tables.numbers;
    const struct wire_portals_check_number *one = &all[index];

    if (one->number == 0) {
        return;
    }
    *(one->bucket_before == NONE ? bucket_of(check, one) : &all[one->bucket_before].bucket_next) = one->bucket_next;
    if (one->bucket_next != NONE) {
        all[one->bucket_next].bucket_before = one->bucket_before;
    }
}

/* Takes the place of the oldest one. */
static void keep(struct wire_portals_check *check, const struct wire_portals_check_number *made)
{
    struct wire_portals_check_number *all = check->tables.numbers;
    uint32_t index = 1 + (uint32_t)(check->numbers++ % check->tables.number_count);
    uint32_t *bucket = bucket_of(check, made);
    uint32_t first, head;

    forget(check, index);
    first = *bucket;
    head = all[index].bucket_first; /* of another bucket: it stays where it is */
    all[index] = *made;
    all[index].bucket_first = head;
    all[index].bucket_next = first;
    all[index].bucket_before = NONE;
    if (first != NONE) {
        all[first].bucket_before = index;
    }
    *bucket = index;
}

/* The message as its sender should have it, and as it is. */
static void name_difference(struct wire_portals_check *check, const struct wire_portals_check_number *known,
                            const struct wire_portals_header *header, const unsigned char *octets)
{
    const struct wire_message *message = wire_portals_message_of(wire_portals_kind(header));
    struct wire_portals_finding *finding = wire_portals_check_find(check, WIRE_PORTALS_NUMBER_CHANGED, known->mark);

    for (uint16_t i = 0; i < message->row_count; i++) {
        uint64_t expected = 0, observed = 0;
        bool read = wire_row_get(&message->rows[i], known->octets, sizeof known->octets, &expected) == WIRE_OK &&
                    wire_row_get(&message->rows[i], octets, WIRE_PORTALS_HEADER_MAX, &observed) == WIRE_OK;

        if (read && expected != observed) { /* first the operation: of another one no more is compared */
            finding->field = message->rows[i].name;
            finding->expected = expected;
            finding->observed = observed;
            return;
        }
    }
}

bool wire_portals_check_repeated(const struct wire_portals_judged *judged)
{
    struct wire_portals_check *check = judged->check;
    struct wire_portals_check_number made = {.epoch = judged->epoch, .number = judged->number, .mark = judged->mark};
    const struct wire_portals_check_number *known;
    size_t len;

    if (check->tables.number_count == 0 ||
        wire_portals_encode(judged->header, made.octets, sizeof made.octets, &len) != WIRE_OK) {
        check->unjudged += judged->behind;
        return false;
    }
    wire_portals_check_pair(judged, made.pair);
    known = find(check, &made);
    if (!known) {
        check->unjudged += judged->behind && check->numbers > check->tables.number_count;
        keep(check, &made);
        return false;
    }
    if (memcmp(known->octets, made.octets, sizeof made.octets) != 0) {
        name_difference(check, known, judged->header, made.octets);
    }
    return true;
}
