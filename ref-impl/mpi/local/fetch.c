/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Getting long messages: see local/fetch.h. As many as events may come of, wait for their octets at a time: some of
 * which the program hears, and as many again of which the helper does, so that all go on while the program computes.
 * Further ones wait in their order. So do messages with far numbers (local/offer.c) of which their sender has not said
 * that it has heard that they were got: at its side events must find room too.
 */
#include "ref-impl/mpi/local/fetch.h"

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/offer.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/request.h"

static bool may_begin(int rid, uint32_t number)
{
    const struct local_device *d = &local_device;

    return (d->getting < LOCAL_FETCHING_MAX || d->getting_beside < LOCAL_FETCHING_MAX) &&
           (!local_offer_is_far(number) || d->peer[rid].unsaid < d->numbers);
}

//= PUMA-044
//= PUMA-058
//= PUMA-066
//= PUMA-067
//= PUMA-069
//= PUMA-157
//= PUMA-161
static void begin(struct request *request)
{
    struct local_device *d = &local_device;
    struct local_request *r = &request->local;
    int rid = local_rid(request->outcome.source);
    ptl_size_t length = request->outcome.msglen;
    ptl_size_t wanted = length < request->length ? length : request->length;
    ptl_md_t room = {
        .start = wanted ? request->octets : NULL,
        .length = wanted,
        .threshold = 1,
        .user_ptr = request,
    };

    r->beside = d->getting >= LOCAL_FETCHING_MAX;
    room.eventq = r->beside ? d->asked : d->done;
    *(r->beside ? &d->getting_beside : &d->getting) += 1;
    d->peer[rid].unsaid += local_offer_is_far(r->number);
    local_must(PtlMDBind(d->interface, room, &r->descriptor));
    local_must(PtlGet(r->descriptor, local_process(rid), local_offer_portal(r->number), LOCAL_COOKIE, r->number, 0));
}

void local_fetch(struct request *request, int rid, uint32_t number)
{
    struct local_device *d = &local_device;

    request->local.number = number;
    request->local.place = LOCAL_MOVING;
    d->fetching++;
    if (TAILQ_EMPTY(&d->fetches) && may_begin(rid, number)) {
        begin(request);
    } else {
        TAILQ_INSERT_TAIL(&d->fetches, request, local.queue);
    }
}

/* Begins what has been waiting, as far as it may. */
static void go_on(void)
{
    struct local_device *d = &local_device;
    struct request *request;

    while ((request = TAILQ_FIRST(&d->fetches)) &&
           may_begin(local_rid(request->outcome.source), request->local.number)) {
        TAILQ_REMOVE(&d->fetches, request, local.queue);
        begin(request);
    }
}

void local_fetched(struct request *request)
{
    struct local_device *d = &local_device;

    local_must(PtlMDUnlink(request->local.descriptor));
    request->local.place = LOCAL_NOWHERE;
    *(request->local.beside ? &d->getting_beside : &d->getting) -= 1;
    d->fetching--;
    go_on();
    request_finish(request);
}

void local_fetch_said(int rid, uint32_t count)
{
    struct local_peer *peer = &local_device.peer[rid];

    peer->unsaid -= count < peer->unsaid ? count : peer->unsaid; /* whatever somebody says */
    go_on();
}

void local_fetch_heard(int rid, uint32_t number)
{
    struct local_peer *peer = &local_device.peer[rid];

    if (local_offer_is_far(number) && ++peer->heard >= local_device.numbers / 2) {
        local_tell(rid, LOCAL_GOT, peer->heard);
        peer->heard = 0;
    }
}
