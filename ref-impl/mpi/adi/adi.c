/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The device of MPI on Puma: makes the portals that adi/state.h draws, and looks what has come to them.
 */
#include "ref-impl/mpi/adi/adi.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ref-impl/mpi/adi/arrival.h"
#include "ref-impl/mpi/adi/bits.h"
#include "ref-impl/mpi/adi/receive.h"
#include "ref-impl/mpi/adi/send.h"
#include "ref-impl/mpi/adi/state.h"
#include "ref-impl/mpi/messages/beside.h"
#include "ref-impl/mpi/messages/engine_lock.h"

enum {
    ACCESS_ENTRIES = 2,
    EVENTS_BESIDES = 16,
    CREDITS_UNDER_WAY = 8, /* from one process: each gives back half of all short ones, or of all long ones */
    HEAP_SEGMENTS = 4,     /* each may lack room for one message */
    TURNS_AT_ONCE = 64,    /* of waiting, before there are pauses */
    PAUSE_STEP_US = 10,
    PAUSE_MOST_US = 1000,
};

/* The catch-all entries of figure 1: what nobody has asked for, but no ready message. */
//= PUMA-032
//= PUMA-040
//= PUMA-041
static bool catch_all_open(struct adi_device *d)
{
    size_t kept = (size_t)d->size * (size_t)d->credits + HEAP_SEGMENTS;
    struct puma_buffer heap = {malloc(kept * ADI_LONG_OCTETS), kept * ADI_LONG_OCTETS};
    struct puma_options options = {
        .headers = (unsigned)d->size * (unsigned)(d->credits + ADI_UNNOTED) + EVENTS_BESIDES,
    };
    struct puma_match shorts = {.from = local_process(LOCAL_EACH)}, longs = shorts;

    d->heap_octets = heap.start;
    shorts.ignored = longs.ignored = ~ADI_TYPE;
    longs.bits = ADI_LONG;
    d->heap = heap.start ? puma_dynamic(d->receive, &shorts, heap, &options) : NULL;
    d->headers = d->heap ? puma_overlay(d->receive, &longs, d->heap, PUMA_MARKED) : NULL;
    return d->headers;
}

static bool credits_open(struct adi_device *d)
{
    struct puma_options options = {
        .save = PUMA_HEADER,
        .headers = (unsigned)d->size * CREDITS_UNDER_WAY + EVENTS_BESIDES,
    };
    struct puma_match any = {.from = local_process(LOCAL_EACH), .ignored = ~(ptl_match_bits_t)0};

    d->credited = puma_single(d->credit, &any, (struct puma_buffer){NULL, 0}, &options);
    return d->credited;
}

static bool portals_open(struct adi_device *d)
{
    d->receive = puma_list_new(local_device.interface, ADI_RECEIVE);
    d->read = puma_list_new(local_device.interface, ADI_READ);
    d->credit = puma_list_new(local_device.interface, ADI_CREDIT);
    return d->receive && d->read && d->credit && catch_all_open(d) && credits_open(d);
}

static bool peers_open(struct adi_device *d)
{
    d->peer = calloc((size_t)d->size, sizeof(*d->peer));
    for (int rid = 0; d->peer && rid < d->size; rid++) {
        d->peer[rid].credits = d->credits;
        TAILQ_INIT(&d->peer[rid].queue);
    }
    return d->peer;
}

static bool adi_open(void)
{
    struct adi_device *d = &adi_device;
    ptl_id_t size;

    memset(d, 0, sizeof(*d));
    memset(&local_device, 0, sizeof(local_device));
    TAILQ_INIT(&d->sends);
    TAILQ_INIT(&d->receives);
    adi_arrivals_open();
    local_must(PtlGetId(&local_device.self, &size));
    local_must(PtlNIInit(PTL_IFACE_DEFAULT, LOCAL_PORTALS, ACCESS_ENTRIES, &local_device.interface));
    local_device.size = d->size = (int)size;
    d->credits = ADI_SHORT_KEPT / d->size > ADI_CREDITS_LEAST ? ADI_SHORT_KEPT / d->size : ADI_CREDITS_LEAST;
    if (!peers_open(d) || !portals_open(d)) {
        fprintf(stderr, "mpi: there is no memory for messages of %d processes\n", d->size);
        return false;
    }
    local_must(PtlNIBarrier(local_device.interface)); /* everybody can receive */
    return true;
}

/* Gives back what others have lent us messages for, once the heap has room for as many again. */
//= PUMA-048
static void give_back(struct adi_device *d)
{
    for (int rid = 0; rid < d->size; rid++) {
        struct adi_peer *peer = &d->peer[rid];

        if (peer->owed >= (d->credits + 1) / 2 && puma_is_empty(d->heap) && adi_send_credits(rid, peer->owed, 0)) {
            peer->owed = 0;
        }
        if (peer->noted >= ADI_UNNOTED / 2 && adi_send_credits(rid, 0, peer->noted)) {
            peer->noted = 0;
        }
    }
}

static void adi_advance(void)
{
    struct adi_device *d = &adi_device;
    struct puma_message message;

    adi_arrivals_note();
    adi_receive_poll();
    while (puma_next(d->credited, &message)) {
        d->idle = 0;
        adi_send_credited((int)message.initiator.rid, message.bits);
    }
    adi_send_poll();
    give_back(d);
}

static void adi_close(void)
{
    struct adi_device *d = &adi_device;

    while (adi_send_is_leaving()) { /* credits, for instance */
        sched_yield();
        adi_send_poll();
    }
    local_must(PtlNIBarrier(local_device.interface));
    adi_send_close();
    adi_receive_close();
    adi_arrivals_close();
    puma_drop(d->credited);
    puma_drop(d->headers);
    puma_drop(d->heap);
    puma_list_free(d->credit);
    puma_list_free(d->read);
    puma_list_free(d->receive);
    local_must(PtlNIFini(local_device.interface));
    free(d->heap_octets);
    for (int rid = 0; rid < d->size; rid++) {
        free(d->peer[rid].free);
    }
    free(d->peer);
    d->peer = NULL;
}

static bool adi_withdraw(struct request *request)
{
    return adi_receive_withdraw(request);
}

/* A message that has begun to leave is not called back. */
static void adi_cancel(struct request *request)
{
    if (adi_send_withdraw(request)) {
        request->outcome.cancelled = true;
        request_finish(request);
    }
}

static void adi_release(struct request *request)
{
    (void)request;
}

static bool adi_send_now(const struct request_match *match, const void *octets, size_t length)
{
    (void)match;
    (void)octets;
    (void)length;
    return false;
}

/* Whoever waits looks again and again, after pauses that grow while nothing happens. */
static void adi_wait(enum engine_wait what)
{
    unsigned idle = adi_device.idle++;
    unsigned us = idle > TURNS_AT_ONCE ? (idle - TURNS_AT_ONCE) * PAUSE_STEP_US : 0;
    struct timespec time = {0, (us < PAUSE_MOST_US ? us : PAUSE_MOST_US) * 1000L};

    adi_device.idle -= us >= PAUSE_MOST_US;
    beside_turn(us > 0);
    engine_sleep(what);
    if (us > 0) {
        (void)nanosleep(&time, NULL);
    } else {
        sched_yield();
    }
    engine_awake();
    adi_advance();
}

static void adi_wake(bool arrivals)
{
    (void)arrivals; /* it looks soon enough */
}

const struct device adi_as_device = {
    .contexts = ADI_CONTEXTS - 2,
    .open = adi_open,
    .close = adi_close,
    .send = adi_send,
    .receive = adi_receive,
    .probe = adi_probe,
    .withdraw = adi_withdraw,
    .cancel = adi_cancel,
    .release = adi_release,
    .send_now = adi_send_now,
    .advance = adi_advance,
    .wait = adi_wait,
    .wake = adi_wake,
};
