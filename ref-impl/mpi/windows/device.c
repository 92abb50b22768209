/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The portals of one-sided communication, and the thread beside the program's: see windows/state.h. No queue can
 * overflow: a process asks no more at a time than it has slots, and has no more of its own messages under way than
 * WINDOW_PIECES_MAX.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/beside.h"
#include "ref-impl/mpi/windows/attend.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/nal/thread.h"

#define ALL_BITS (~(ptl_match_bits_t)0)

enum { EVENTS_OF_A_PIECE = 2, EVENTS_BESIDES = 16 };

struct windows_device windows_device = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t slots_octets(const struct windows_device *d)
{
    return (size_t)d->size * WINDOW_SLOTS * WINDOW_SLOT_OCTETS;
}

/* Room that costs memory when it is used. NULL: there is none. */
static unsigned char *room(const struct windows_device *d)
{
    void *made =
        mmap(NULL, slots_octets(d), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return made == MAP_FAILED ? NULL : made;
}

static bool memory_open(struct windows_device *d)
{
    d->slots = room(d);
    d->answers = room(d);
    d->target = calloc((size_t)d->size, sizeof(*d->target));
    for (int rid = 0; d->target && rid < d->size; rid++) {
        STAILQ_INIT(&d->target[rid].waiting);
    }
    return d->slots && d->answers && d->target;
}

static void memory_close(struct windows_device *d)
{
    struct window_piece *piece;

    while ((piece = STAILQ_FIRST(&d->spare))) {
        STAILQ_REMOVE_HEAD(&d->spare, link);
        free(piece);
    }
    munmap(d->slots, slots_octets(d));
    munmap(d->answers, slots_octets(d));
    free(d->target);
}

/* Both lists of windows, empty but for their ends, at which nothing is. */
static void lists_open(struct windows_device *d)
{
    ptl_handle_ni_t interface = local_device.interface;

    local_must(PtlMEAttach(interface, LOCAL_PUTS, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN, &d->put_end));
    local_must(PtlMEAttach(interface, LOCAL_GETS, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN, &d->get_end));
}

static void asks_open(struct windows_device *d)
{
    ptl_size_t asks = (ptl_size_t)d->size * WINDOW_SLOTS;
    ptl_handle_me_t entry;
    ptl_md_t slots = {
        .start = d->slots,
        .length = slots_octets(d),
        .threshold = PTL_MD_THRESH_INF,
        .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE | PTL_MD_ACK_DISABLE,
    };
    ptl_md_t answers = slots;
    ptl_md_t nothing = {.eventq = PTL_EQ_NONE};

    local_must(PtlEQAlloc(local_device.interface, asks * 3 + EVENTS_BESIDES, &d->asked));
    local_must(PtlEQAlloc(local_device.interface,
                          asks * 2 + (ptl_size_t)WINDOW_PIECES_MAX * EVENTS_OF_A_PIECE + EVENTS_BESIDES, &d->done));
    slots.eventq = d->asked;
    answers.eventq = d->done;
    answers.start = d->answers;
    local_must(
        PtlMEAttach(local_device.interface, LOCAL_ANSWERS, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN, &entry));
    local_must(PtlMDAttach(entry, answers, PTL_RETAIN, NULL));
    local_must(
        PtlMEAttach(local_device.interface, LOCAL_ASKS, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN, &entry));
    local_must(PtlMDAttach(entry, slots, PTL_RETAIN, NULL));
    local_must(PtlMDBind(local_device.interface, nothing, &d->nothing));
}

bool windows_device_open(void)
{
    struct windows_device *d = &windows_device;

    if (d->is_open) {
        return true;
    }
    d->self = (int)local_device.self.rid;
    d->size = local_device.size;
    LIST_INIT(&d->windows);
    STAILQ_INIT(&d->spare);
    if (!memory_open(d)) {
        return false;
    }
    lists_open(d);
    asks_open(d);
    d->is_open = thread_start(&d->thread, attend_asks, NULL) == 0;
    if (d->is_open) {
        local_device.wait = attend_wait;
        beside_with(&attend_beside);
    }
    return d->is_open;
}

void windows_device_close(void)
{
    struct windows_device *d = &windows_device;

    if (!d->is_open) {
        return;
    }
    local_device.wait = PtlEQWait;
    beside_with(NULL);
    local_must(PtlPut(d->nothing, PTL_NOACK_REQ, local_process(d->self), LOCAL_ASKS, LOCAL_COOKIE, 0, 0));
    pthread_join(d->thread, NULL);
    for (enum local_portal portal = LOCAL_PUTS; portal <= LOCAL_ANSWERS; portal++) {
        ptl_handle_me_t gone;

        local_must(PtlMEAttach(local_device.interface, portal, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN,
                               &gone)); /* in the place of all entries that were there */
    }
    memory_close(d);
    d->is_open = false;
}
