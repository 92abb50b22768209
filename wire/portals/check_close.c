/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's view of order (wire/portals/check.h). TCP tells in what order a connection's packets were sent, but not
 * which of two packets on two connections came first: who captures on several processors or interfaces writes them down
 * as they reach him. So what lacked something is found at once, and is explained, and withheld from then on, if that
 * comes close behind it: a request (check_requests.c), or a number (check_pairs.c) that stands here as awaited.
 */
#include "wire/portals/check_own.h"

#include <string.h>

bool wire_portals_check_is_unordered(const struct wire_portals_check *check, uint64_t stream, uint64_t mark)
{
    return stream != check->stream && (check->mark - mark <= check->close || mark < check->turned);
}

void wire_portals_check_explain(struct wire_portals_check *check, uint64_t message)
{
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {(uint32_t)message, (uint32_t)(message >> 32)};

    if (!wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_EXPLAINED, key, true)) {
        check->partial = true; /* without room for it everything is withheld */
    }
}

bool wire_portals_check_explained(struct wire_portals_check *check, const struct wire_portals_finding *finding)
{
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {(uint32_t)finding->message,
                                                         (uint32_t)(finding->message >> 32)};

    return wire_portals_violation_rests_on_order(finding->violation) &&
           wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_EXPLAINED, key, false);
}

void wire_portals_check_await(struct wire_portals_check *check, enum wire_portals_slot_kind kind, const uint32_t *key,
                              uint64_t value)
{
    struct wire_portals_check_awaited *made = &check->awaited[check->awaiting % WIRE_PORTALS_CHECK_AWAITED_MAX];

    if (check->close) {
        *made = (struct wire_portals_check_awaited){
            .kind = kind, .value = value, .message = check->messages, .stream = check->stream, .mark = check->mark};
        memcpy(made->key, key, sizeof made->key);
        check->awaiting++;
    }
}

void wire_portals_check_came(struct wire_portals_check *check, const struct wire_portals_check_slot *slot,
                             uint64_t value)
{
    for (unsigned i = 0; i < WIRE_PORTALS_CHECK_AWAITED_MAX && i < check->awaiting; i++) {
        struct wire_portals_check_awaited *one = &check->awaited[i];

        if (one->kind == slot->kind && wire_portals_check_is_unordered(check, one->stream, one->mark) &&
            one->value <= value && memcmp(one->key, slot->key, sizeof one->key) == 0) {
            wire_portals_check_explain(check, one->message);
            one->kind = WIRE_PORTALS_SLOT_FREE;
        }
    }
}

/* The ends of the message at hand, the same whoever sends it. */
static void ends_key(const struct wire_portals_check *check, uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS])
{
    const uint32_t *one = check->ends, *other = check->ends + 2;
    bool turned = memcmp(one, other, 2 * sizeof *one) > 0;

    memcpy(key, turned ? other : one, 2 * sizeof *key);
    memcpy(key + 2, turned ? one : other, 2 * sizeof *key);
    key[4] = 0;
}

void wire_portals_check_between(struct wire_portals_check *check)
{
    uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS];
    struct wire_portals_check_slot *slot;

    ends_key(check, key);
    slot = wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_STREAMS, key, true);
    if (slot) {
        slot->value[1] = slot->value[1] || (slot->value[0] && slot->value[0] != check->stream);
        slot->value[0] = check->stream;
    }
}

bool wire_portals_check_is_several(struct wire_portals_check *check)
{
    uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS];
    const struct wire_portals_check_slot *slot;

    ends_key(check, key);
    slot = wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_STREAMS, key, false);
    return slot && slot->value[1];
}
