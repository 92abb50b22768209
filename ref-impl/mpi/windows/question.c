/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Questions to the threads at the targets: see windows/question.h.
 *
 *      asked[rid]   [ question ] --> [ question ] --> ...       wait, oldest first
 *                    \_______________________/
 *      a slot            one behind the other                   as many as fit; of locks each has one of its own,
 *                                                               whose answer may take long
 *      the answer    [ fetched | fetched | ... ]                in the same order
 */
#include "ref-impl/mpi/windows/question.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/window.h"

enum { ENOUGH_OCTETS = WINDOW_SLOT_OCTETS / 2 };

static size_t waiting_octets; /* for all targets */

/* Octets of a question in a slot, those included that align the next one. */
static size_t octets_of(const struct window_ask *ask)
{
    return window_ask_octets(ask->octets);
}

static bool goes_alone(const struct window_ask *ask)
{
    return ask->wish != WINDOW_ACCUMULATE && ask->wish != WINDOW_SWAP;
}

/* Takes from those that wait what goes next, in one slot; how many octets it has there. */
static size_t gather(struct window_target *target, struct window_pieces *gathered)
{
    struct window_piece *piece;
    size_t len = 0, fetched = 0;
    bool ends = false;

    while (!ends && (piece = STAILQ_FIRST(&target->waiting))) {
        size_t octets = octets_of(piece->ask);

        ends = goes_alone(piece->ask);
        fetched += piece->ask->fetched;
        if (len > 0 && (ends || len + octets > WINDOW_SLOT_OCTETS || fetched > WINDOW_SLOT_OCTETS)) {
            break;
        }
        len += octets;
        STAILQ_REMOVE_HEAD(&target->waiting, link);
        STAILQ_INSERT_TAIL(gathered, piece, link);
    }
    target->waiting_octets -= len;
    waiting_octets -= len;
    return len;
}

/* The questions one behind the other: those of one piece are so already. */
static void *lay_out(struct window_piece *carrier, size_t len)
{
    struct window_piece *piece = STAILQ_FIRST(&carrier->carried);
    unsigned char *at;

    if (!STAILQ_NEXT(piece, link)) {
        return piece->ask;
    }
    at = carrier->octets = malloc(len);
    if (!at) {
        world_abort(1, "there is no memory for what is asked of a window");
    }
    STAILQ_FOREACH(piece, &carrier->carried, link)
    {
        memcpy(at, piece->ask, sizeof(*piece->ask) + piece->ask->octets);
        at += octets_of(piece->ask);
    }
    return carrier->octets;
}

/* Sends what goes next to a process, in a slot that is free. */
static void send_next(int rid, unsigned slot)
{
    struct window_target *target = &windows_device.target[rid];
    struct window_piece *carrier = calloc(1, sizeof(*carrier));
    ptl_md_t moved = {.threshold = 1, .eventq = windows_device.done, .user_ptr = carrier};

    if (!carrier) {
        world_abort(1, "there is no memory for what is asked of a window");
    }
    carrier->awaited = 2;
    STAILQ_INIT(&carrier->carried);
    moved.length = gather(target, &carrier->carried);
    moved.start = lay_out(carrier, moved.length);
    local_must(PtlMDBind(local_device.interface, moved, &carrier->descriptor));
    target->asking[slot] = carrier;
    target->sent++;
    local_must(PtlPut(carrier->descriptor, PTL_NOACK_REQ, local_process(rid), LOCAL_ASKS, LOCAL_COOKIE, 0,
                      window_slot_offset(windows_device.self, slot)));
}

/* Sends what waits for a process: few questions only while it has none to answer. */
static void send_waiting(int rid)
{
    struct window_target *target = &windows_device.target[rid];

    for (unsigned slot = 0; slot < WINDOW_SLOTS && !STAILQ_EMPTY(&target->waiting); slot++) {
        if (!target->asking[slot] && (target->sent == 0 || target->waiting_octets >= ENOUGH_OCTETS)) {
            send_next(rid, slot);
        }
    }
}

bool question_add(struct window_piece *piece)
{
    int rid = window_rid(piece->win, piece->rank);
    struct window_target *target = &windows_device.target[rid];

    target->waiting_octets += octets_of(piece->ask);
    waiting_octets += octets_of(piece->ask);
    STAILQ_INSERT_TAIL(&target->waiting, piece, link);
    send_waiting(rid);
    return target->waiting_octets >= ENOUGH_OCTETS;
}

/* What was fetched goes to where it belongs. Accesses are refused where there is nothing to be accessed. */
static void take_answer(const struct window_piece *carrier, const ptl_event_t *event)
{
    const unsigned char *from = windows_device.answers + event->offset;
    bool good = event->match_bits < WINDOW_SLOTS;
    struct window_piece *piece;
    size_t expected = 0;

    STAILQ_FOREACH(piece, &carrier->carried, link)
    {
        expected += piece->ask->fetched;
    }
    good = good && event->mlength == expected && event->offset <= window_slot_offset(windows_device.size, 0) - expected;
    STAILQ_FOREACH(piece, &carrier->carried, link)
    {
        piece->win->failed |= !good;
        if (good && piece->ask->fetched > 0) {
            memcpy(piece->result, from, piece->ask->fetched);
            from += piece->ask->fetched;
        }
    }
}

struct window_piece *question_answered(const ptl_event_t *event)
{
    int rid = (int)event->initiator.rid;
    struct window_target *target = &windows_device.target[rid];
    struct window_piece **slot = &target->asking[event->match_bits % WINDOW_SLOTS];
    struct window_piece *carrier = *slot;

    if (carrier) {
        *slot = NULL;
        target->sent--;
        take_answer(carrier, event);
        send_waiting(rid);
    }
    return carrier;
}

size_t question_waiting(void)
{
    return waiting_octets;
}
