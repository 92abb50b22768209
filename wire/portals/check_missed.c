/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker (wire/portals/check.h) knows that nobody has seen, and which verdicts that holds back: an answer is
 * explained by whatever its receiver may have asked for, a barrier message by whatever its sender may have got, a
 * second stream by an end of the first one. What travels between two processes is known by both, by the one that
 * listens alone where the other one has not been named, or by nobody.
 */
#include "wire/portals/check_own.h"

#include "wire/portals/check.h"

#include <stddef.h>
#include <string.h>

/* A slot counts in its first value what is missing, or is doubted, by who sends to whom; the second one is the stream
 * that alone lacks it, behind what was judged of it, or 0. */
static struct wire_portals_check_slot *slot_for(struct wire_portals_check *check, uint32_t from_nid, uint32_t from_pid,
                                                uint32_t to_nid, uint32_t to_pid, bool make)
{
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {from_nid, from_pid, to_nid, to_pid};

    return wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_MISSED, key, make);
}

static void slot_count(struct wire_portals_check_slot *slot, bool missed, uint64_t stream)
{
    if (missed) {
        slot->value[1] = slot->value[0] == 0 || slot->value[1] == stream ? stream : 0;
    }
    slot->value[0] += missed ? 1 : UINT64_MAX;
}

/* By pair, and by who receives. Without room for it everything is withheld. */
static void count(struct wire_portals_check *check, const struct wire_portals_id *from,
                  const struct wire_portals_id *to, bool missed, uint64_t stream)
{
    struct wire_portals_check_slot *pair = slot_for(check, from->nid, from->pid, to->nid, to->pid, true);
    struct wire_portals_check_slot *receiver = slot_for(check, 0, 0, to->nid, to->pid, true);

    if (!pair || !receiver) {
        check->partial = true;
        return;
    }
    slot_count(pair, missed, stream);
    slot_count(receiver, missed, stream);
}

void wire_portals_check_missed(struct wire_portals_check *check, const struct wire_portals_id *from,
                               const struct wire_portals_id *to, uint64_t stream)
{
    check->gaps++;
    count(check, from, to, true, stream);
}

void wire_portals_check_seen(struct wire_portals_check *check, const struct wire_portals_id *from,
                             const struct wire_portals_id *to)
{
    check->gaps--;
    count(check, from, to, false, 0);
}

/* Whether something was not seen, beside what that stream alone lacks. */
static bool is_missed(struct wire_portals_check *check, uint32_t from_nid, uint32_t from_pid, uint32_t to_nid,
                      uint32_t to_pid, uint64_t stream)
{
    const struct wire_portals_check_slot *slot = slot_for(check, from_nid, from_pid, to_nid, to_pid, false);

    return slot && slot->value[0] != 0 && !(stream && slot->value[1] == stream);
}

/* Of these two processes, either of which may be one that was not named. */
static bool pair_missed(struct wire_portals_check *check, const uint32_t *from, const uint32_t *to, uint64_t stream)
{
    return is_missed(check, from[0], from[1], to[0], to[1], stream) ||
           is_missed(check, from[0], 0, to[0], to[1], stream) || is_missed(check, from[0], from[1], to[0], 0, stream) ||
           is_missed(check, from[0], 0, to[0], 0, stream);
}

/* Whether there is such a slot of these two processes. */
static bool is_noted(struct wire_portals_check *check, enum wire_portals_slot_kind kind, const uint32_t *from,
                     const uint32_t *to)
{
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {from[0], from[1], to[0], to[1]};

    return wire_portals_check_slot_of(check, kind, key, false) != NULL;
}

/* Whether who sends the wrong message may be explained by what he has sent himself: of an answer, which rests on what
 * was asked, only by a number that says that it is sent again, or where a request is taken for the one that it answers
 * wrongly which has had its answer. */
static bool rests_on_own(const struct wire_portals_finding *finding)
{
    switch (finding->violation) {
    case WIRE_PORTALS_SECOND_STREAM:
    case WIRE_PORTALS_BARRIER_AGAIN:
    case WIRE_PORTALS_BARRIER_SKIPPED:
        return true;
    default:
        return finding->numbered || (finding->field && strcmp(finding->field, "md") == 0);
    }
}

/* What the stream `behind` alone lacks came behind the violation. */
static bool lacks(struct wire_portals_check *check, const struct wire_portals_finding *finding, uint64_t behind)
{
    const uint32_t *sender = finding->ends, *receiver = finding->ends + 2;

    if (!wire_portals_violation_needs_all(finding->violation)) {
        return false;
    }
    if (check->partial) {
        return true;
    }
    if (finding->violation == WIRE_PORTALS_BARRIER_EARLY) {
        return check->twice || is_missed(check, 0, 0, sender[0], sender[1], 0) ||
               is_missed(check, 0, 0, sender[0], 0, 0);
    }
    if (!check->complete && !rests_on_own(finding) && !is_noted(check, WIRE_PORTALS_SLOT_SPOKEN, receiver, sender)) {
        return true; /* what it asks may travel on a connection that was not captured */
    }
    return check->gaps && ((rests_on_own(finding) && pair_missed(check, sender, receiver, behind)) ||
                           pair_missed(check, receiver, sender, behind));
}

bool wire_portals_check_lacks(struct wire_portals_check *check, const struct wire_portals_finding *finding)
{
    return lacks(check, finding, 0);
}

void wire_portals_check_placed(struct wire_portals_check *check, const struct wire_portals_id *process,
                               uint32_t address)
{
    const uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS] = {process->nid, process->pid};
    struct wire_portals_check_slot *slot = wire_portals_check_slot_of(check, WIRE_PORTALS_SLOT_PLACE, key, true);

    if (slot) {
        check->several_places = check->several_places || (slot->value[0] && slot->value[0] != address);
        slot->value[0] = address;
    }
}

bool wire_portals_check_withheld(struct wire_portals_check *check, const struct wire_portals_finding *finding)
{
    bool unproven =
        finding->violation == WIRE_PORTALS_SECOND_STREAM &&
        (check->several_places || !is_noted(check, WIRE_PORTALS_SLOT_RETURNED, finding->ends, finding->ends + 2));

    if (check->translated && finding->header_violation == WIRE_PORTALS_WRONG_PEER &&
        is_noted(check, WIRE_PORTALS_SLOT_ADDRESSED, finding->ends, finding->ends + 2)) {
        return true;
    }
    return unproven || wire_portals_check_explained(check, finding) || lacks(check, finding, finding->stream);
}
