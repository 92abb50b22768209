/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of one-sided communication: see windows/piece.h.
 *
 *      put      data --------------------------> in the window          SENT (data is the program's again) and
 *                                                                       ACK: done
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
#include "ref-impl/mpi/windows/attend.h"
#include "ref-impl/mpi/windows/question.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/transfer_end.h"
#include "ref-impl/mpi/windows/window.h"

/* A piece that is done may be used again: a burst has thousands of them. NULL: memory is used up. */
static struct window_piece *piece_new(void)
{
    struct window_piece *piece = STAILQ_FIRST(&windows_device.spare);

    if (!piece) {
        return malloc(sizeof(*piece));
    }
    STAILQ_REMOVE_HEAD(&windows_device.spare, link);
    return piece;
}

/* The program may use again what it has given to an access. */
static void give_back(struct window_piece *piece)
{
    if (piece->lent) {
        piece->win->part[piece->rank].lent--;
        piece->lent = false;
    }
}

/* What was to be done for a transfer is. */
static void end(struct window_piece *piece)
{
    piece->win->part[piece->rank].pending--;
    give_back(piece);
    windows_device.under_way--;
    transfer_part_done(piece->transfer);
    free(piece->ask);
    STAILQ_INSERT_HEAD(&windows_device.spare, piece, link);
}

/* One of the awaited events has come. */
static void count_down(struct window_piece *message)
{
    struct window_piece *piece;

    if (--message->awaited > 0) {
        return;
    }
    local_must(PtlMDUnlink(message->descriptor));
    if (message->win) {
        end(message);
        return;
    }
    while ((piece = STAILQ_FIRST(&message->carried))) {
        STAILQ_REMOVE_HEAD(&message->carried, link);
        end(piece);
    }
    free(message->octets);
    free(message);
}

static void note(const ptl_event_t *event)
{
    struct window_piece *message = event->type == PTL_EVENT_PUT ? question_answered(event) : event->mem_desc.user_ptr;

    if (!message) {
        return;
    }
    if (event->type == PTL_EVENT_SENT) {
        give_back(message);
    }
    count_down(message);
}

void piece_look(void)
{
    ptl_event_t event;
    int code;

    while (windows_device.under_way > 0 && (code = PtlEQGet(windows_device.done, &event)) != PTL_EQ_EMPTY) {
        local_must_(code, "PtlEQGet of windows");
        note(&event);
    }
    attend_look();
}

/* Octets of questions that may wait for a slot. */
#define WAITING_OCTETS_MAX ((size_t)4 << 20)

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
        local_must(attend_wait(windows_device.done, &event));
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

void piece_await_lent(struct mpi_win *win, int rank)
{
    piece_look();
    if (win->part[rank].lent > 0) {
        post_listed();
    }
    while (win->part[rank].lent > 0) {
        await_one();
    }
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

/* A new piece. NULL: memory is used up. */
static struct window_piece *begin(struct window_transfer *transfer, struct mpi_win *win, int rank, bool lent)
{
    struct window_piece *piece;

    while (windows_device.under_way >= WINDOW_PIECES_MAX || question_waiting() > WAITING_OCTETS_MAX) {
        await_one();
    }
    piece = piece_new();
    if (!piece) {
        return NULL;
    }
    *piece = (struct window_piece){.transfer = transfer, .win = win, .rank = rank, .lent = lent};
    transfer_part_begun(transfer);
    win->part[rank].pending++;
    win->part[rank].lent += lent;
    windows_device.under_way++;
    return piece;
}

/* A new message, with a descriptor of what it moves. NULL: memory is used up. */
static struct window_piece *begin_message(struct window_transfer *transfer, struct mpi_win *win, int rank,
                                          unsigned awaited, const struct piece_octets *octets)
{
    struct window_piece *piece = begin(transfer, win, rank, true);
    ptl_md_t moved = {
        .start = octets->octets,
        .length = octets->len,
        .threshold = 1,
        .options = 0,
        .eventq = windows_device.done,
        .user_ptr = piece,
    };

    if (piece) {
        piece->awaited = awaited;
        local_must(PtlMDBind(local_device.interface, moved, &piece->descriptor));
    }
    return piece;
}

//= PUMA-111
//= PUMA-116
bool piece_put(struct window_transfer *transfer, struct mpi_win *win, int rank, const struct piece_octets *moved)
{
    struct window_piece *piece = begin_message(transfer, win, rank, 2, moved);

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
    struct window_piece *piece = begin_message(transfer, win, rank, 1, moved);

    if (!piece) {
        return false;
    }
    local_must(PtlGet(piece->descriptor, local_process(window_rid(win, rank)), LOCAL_GETS, LOCAL_COOKIE,
                      window_bits(win->comm->context.slot), moved->offset));
    return true;
}

bool piece_ask(struct window_transfer *transfer, struct mpi_win *win, int rank, struct window_ask *ask, void *result)
{
    struct window_piece *piece = begin(transfer, win, rank, ask->fetched > 0);

    if (!piece) {
        free(ask);
        return false;
    }
    ask->window = win->comm->context.slot;
    piece->ask = ask;
    piece->result = result;
    if (question_add(piece)) {
        piece_look();
    }
    return true;
}
