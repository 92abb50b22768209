/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of one-sided communication: see windows/piece.h.
 *
 *      put      data --------------------------> in the window          SENT and ACK: done
 *      get      request -----------------------> the window answers     REPLY: done
 *      ask      question ----------------------> in a slot, the thread  SENT and the answer, with what was
 *                                                answers                fetched: done
 */
#include "ref-impl/mpi/windows/piece.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/local/receive.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/engine.h"
#include "ref-impl/mpi/messages/fiber.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/transfer_end.h"
#include "ref-impl/mpi/windows/window.h"

/* One of the awaited events has come. */
static void count_down(struct window_piece *piece)
{
    if (--piece->awaited > 0) {
        return;
    }
    local_must(PtlMDUnlink(piece->descriptor));
    piece->win->part[piece->rank].pending--;
    windows_device.under_way--;
    transfer_part_done(piece->transfer);
    free(piece->ask);
    free(piece);
}

/* An access is refused where there is nothing to be accessed. */
static void take_answer(struct window_piece *piece, const ptl_event_t *event)
{
    size_t expected = piece ? piece->ask->fetched : 0;

    if (!piece) {
        return;
    }
    if (event->match_bits >= WINDOW_SLOTS || event->mlength != expected ||
        event->offset > window_slot_offset(windows_device.size, 0) - expected) {
        piece->win->failed = true;
    } else if (expected > 0) {
        memcpy(piece->result, windows_device.answers + event->offset, expected);
    }
}

static void note(const ptl_event_t *event)
{
    struct window_piece *piece = event->mem_desc.user_ptr;

    if (event->type == PTL_EVENT_PUT) {
        struct window_piece **slot = &windows_device.asking[event->initiator.rid][event->match_bits % WINDOW_SLOTS];

        piece = *slot;
        *slot = NULL;
        take_answer(piece, event);
    }
    if (piece) {
        count_down(piece);
    }
}

void piece_look(void)
{
    ptl_event_t event;
    int code;

    while ((code = PtlEQGet(windows_device.done, &event)) != PTL_EQ_EMPTY) {
        local_must_(code, "PtlEQGet of windows");
        note(&event);
    }
}

/* Waits until one may have got done. While there are fibers, they go on: what is waited for may wait for them, at
 * another process. */
static void await_one(void)
{
    ptl_event_t event;

    if (fiber_any()) {
        engine_lock();
        engine_wait(ENGINE_EITHER);
        engine_unlock();
        piece_look();
    } else {
        local_must(PtlEQWait(windows_device.done, &event));
        note(&event);
    }
}

/* Posts the receives that need the library to look at arrivals, which it does not while it waits here: their senders
 * may wait for that, and hold locks. */
static void post_listed(void)
{
    engine_lock();
    local_receive_post_listed();
    engine_unlock();
}

void piece_await(struct mpi_win *win, int rank)
{
    int first = rank < 0 ? 0 : rank, behind = rank < 0 ? win->comm->local->count : rank + 1;

    for (int at = first; at < behind; at++) {
        piece_look();
        if (win->part[at].pending > 0) {
            post_listed();
        }
        while (win->part[at].pending > 0) {
            await_one();
        }
    }
}

/* A new message, with a descriptor of what it moves. NULL: memory is used up. */
static struct window_piece *begin(struct window_transfer *transfer, struct mpi_win *win, int rank, unsigned awaited,
                                  void *octets, size_t len)
{
    struct window_piece *piece;
    ptl_md_t moved = {
        .start = octets,
        .length = len,
        .threshold = 1,
        .options = 0,
        .eventq = windows_device.done,
    };

    while (windows_device.under_way >= WINDOW_PIECES_MAX) {
        await_one();
    }
    piece = malloc(sizeof(*piece));
    if (!piece) {
        return NULL;
    }
    *piece = (struct window_piece){.transfer = transfer, .win = win, .rank = rank, .awaited = awaited};
    moved.user_ptr = piece;
    local_must(PtlMDBind(local_device.interface, moved, &piece->descriptor));
    transfer_part_begun(transfer);
    win->part[rank].pending++;
    windows_device.under_way++;
    return piece;
}

//= PUMA-111
//= PUMA-116
bool piece_put(struct window_transfer *transfer, struct mpi_win *win, int rank, const struct piece_octets *moved)
{
    struct window_piece *piece = begin(transfer, win, rank, 2, moved->octets, moved->len);

    if (!piece) {
        return false;
    }
    local_must(PtlPut(piece->descriptor, PTL_ACK_REQ, local_process(window_rid(win, rank)), LOCAL_PUTS, LOCAL_COOKIE,
                      window_bits(win->comm->context.slot), moved->offset));
    return true;
}

//= PUMA-120
//= PUMA-121
//= PUMA-122
bool piece_get(struct window_transfer *transfer, struct mpi_win *win, int rank, const struct piece_octets *moved)
{
    struct window_piece *piece = begin(transfer, win, rank, 1, moved->octets, moved->len);

    if (!piece) {
        return false;
    }
    local_must(PtlGet(piece->descriptor, local_process(window_rid(win, rank)), LOCAL_GETS, LOCAL_COOKIE,
                      window_bits(win->comm->context.slot), moved->offset));
    return true;
}

/* A slot at a process that is free, if need be after waiting for one. */
static unsigned free_slot(int rid)
{
    for (;;) {
        for (unsigned slot = 0; slot < WINDOW_SLOTS; slot++) {
            if (!windows_device.asking[rid][slot]) {
                return slot;
            }
        }
        await_one();
    }
}

bool piece_ask(struct window_transfer *transfer, struct mpi_win *win, int rank, struct window_ask *ask, void *result)
{
    int rid = window_rid(win, rank);
    struct window_piece *piece = begin(transfer, win, rank, 2, ask, sizeof(*ask) + ask->octets);
    unsigned slot;

    if (!piece) {
        free(ask);
        return false;
    }
    ask->window = win->comm->context.slot;
    piece->ask = ask;
    piece->result = result;
    slot = free_slot(rid);
    windows_device.asking[rid][slot] = piece;
    local_must(PtlPut(piece->descriptor, PTL_NOACK_REQ, local_process(rid), LOCAL_ASKS, LOCAL_COOKIE, 0,
                      window_slot_offset(windows_device.self, slot)));
    return true;
}
