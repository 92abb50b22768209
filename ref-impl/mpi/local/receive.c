/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving in the local device: chapter 5.3 of the Portals document, MPIreceive. A receive looks among the messages
 * that have come; if none fits, it waits in one of two places.
 *
 * One with room for less than LOCAL_LISTED_OCTETS is listed in the library (local/expected.h): such a message comes by
 * itself into a buffer of ours, and to copy it from there costs less than an entry in the match list. Whoever waits for
 * the receive notes arrivals.
 *
 * A larger one is posted in the match list, so that its octets go straight to their place whatever the program does.
 * There must be no moment at which a message could pass both the list of arrivals and the match list: the entry is
 * there from the beginning, but closed, and opens in one step with the finding that nothing more has come
 * (PtlMDUpdate).
 *
 *      search the list       found: take it
 *      post, closed
 *      open, if quiet     <---------------+
 *      not quiet: note arrivals           |
 *          one fits: take down, take it   |
 *          there are none: wait for one   |
 *          else --------------------------+
 *
 * Not quiet without arrivals means that a message is just arriving, which may be a large one. The lock is given away
 * until it has, so that others go on: those who answer wishes to cancel, and the other device, which may even take the
 * receive away.
 *
 * The match list comes first. So before a receive is posted that could take a message of a listed one, which is older,
 * all listed ones are posted; and so they are before the program waits without noting arrivals, because a sender may
 * wait for a listed receive: for its acknowledgement, or for credits. Where the match list has no room, receives are
 * listed whatever their length.
 */
#include "ref-impl/mpi/local/receive.h"

#include "ref-impl/mpi/local/arrival.h"
#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/cancel.h"
#include "ref-impl/mpi/local/expected.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/local/unexpected.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/short_path.h"

/* Gives the lock away until something has arrived, and takes note of it. */
static void await_arrival(void)
{
    ptl_event_t event;

    engine_sleep(ENGINE_ARRIVAL);
    local_must(PtlEQWait(local_device.arrived, &event));
    engine_awake();
    local_arrival_event(&event);
}

/* Opens the entry of a receive, unless a message comes that it must have instead, or the other device takes it. */
//= PUMA-051
//= PUMA-102
//= PUMA-137
//= PUMA-171
//= PUMA-172
static void open_entry(struct request *request, ptl_md_t *room)
{
    struct local_device *d = &local_device;
    int code = PTL_NOUPDATE;

    room->threshold = 1;
    d->opening = request;
    d->found = NULL;
    while (code == PTL_NOUPDATE && !d->found && request->local.place == LOCAL_POSTED) {
        code = PtlMDUpdate(request->local.descriptor, NULL, room, d->arrived);
        if (code != PTL_NOUPDATE) {
            local_must_(code, "PtlMDUpdate");
        } else if (!local_arrivals_note()) {
            await_arrival();
            local_cancel_asks(); /* nobody else answers them meanwhile */
        }
    }
    d->opening = NULL;
}

/* Posts a receive, which nothing in the list of arrivals fits. */
//= PUMA-036
//= PUMA-047
//= PUMA-135
//= PUMA-136
//= PUMA-143
//= PUMA-162
ASIDE static void post(struct request *request)
{
    struct local_device *d = &local_device;
    const struct local_want *want = &request->local.want;
    ptl_md_t room = {
        .start = request->length ? request->octets : NULL,
        .length = request->length,
        .threshold = 0, /* takes nothing until PtlMDUpdate opens it */
        .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE,
        .user_ptr = request,
        .eventq = d->done,
    };

    /* Behind the receives that were posted earlier, before what takes messages that nobody has asked for. */
    local_must(PtlMEInsert(local_process(want->rid), want->bits, want->ignored, PTL_UNLINK, PTL_INS_BEFORE, d->mark,
                           &request->local.entry));
    local_must(PtlMDAttach(request->local.entry, room, PTL_UNLINK, &request->local.descriptor));
    request->local.place = LOCAL_POSTED;
    d->posted++;
    open_entry(request, &room);
    if (d->found) {
        local_must(PtlMEUnlink(request->local.entry)); /* a message has come meanwhile */
        request->local.place = LOCAL_NOWHERE;
        d->posted--;
        local_arrival_take(d->found, request);
    }
}

static bool has_room(void)
{
    return local_device.posted < LOCAL_POSTED_MAX;
}

/* Posts the oldest of the listed receives. */
static void post_oldest(void)
{
    struct request *request = local_expected_oldest();

    local_expected_remove(request);
    post(request);
}

bool local_receive_post_listed(void)
{
    bool any = false;

    for (; local_expected_any() && has_room(); any = true) {
        post_oldest();
    }
    return any;
}

//= PUMA-050
//= PUMA-174
//= PUMA-175
//= PUMA-176
SHORT_PATH void local_receive(struct request *request)
{
    struct local_request *r = &request->local;
    struct local_arrival *found;

    bool is_large = request->length >= LOCAL_LISTED_OCTETS;

    r->want = local_want(&request->match);
    if (is_large && local_expected_overlaps(&r->want)) {
        local_receive_post_listed(); /* may note arrivals */
    }
    found = local_unexpected_find(&r->want);
    if (found) {
        local_arrival_take(found, request);
    } else if (is_large && has_room() && !local_expected_overlaps(&r->want)) {
        post(request);
    } else {
        local_expected_add(request);
    }
}

//= PUMA-053
//= PUMA-068
void local_receive_event(struct request *request, const ptl_event_t *event)
{
    local_device.posted--;
    request->local.place = LOCAL_NOWHERE;
    device_at(DEVICE_WIDE)->withdraw(request);
    local_outcome((int)event->initiator.rid, event->match_bits, event->rlength, &request->outcome);
    if (!local_bits_long(event->match_bits)) {
        local_credit_owed((int)event->initiator.rid);
    }
    request_finish(request);
}

void local_receive_post_large(void)
{
    while (local_expected_any_large() && has_room()) {
        post_oldest();
    }
}

//= PUMA-076
//= PUMA-173
bool local_withdraw(struct request *request)
{
    struct local_request *r = &request->local;

    switch (r->place) {
    case LOCAL_NOWHERE:
        return true;
    case LOCAL_MOVING:
    case LOCAL_ASKED:
        return false;
    case LOCAL_LISTED:
        local_expected_remove(request);
        break;
    case LOCAL_QUEUED: /* of sends */
        break;
    case LOCAL_POSTED:
        /* Whether the entry is still there decides: the network takes it away in the moment in which it matches. */
        if (PtlMEUnlink(r->entry) != PTL_OK) {
            return false;
        }
        local_device.posted--;
        break;
    }
    r->place = LOCAL_NOWHERE;
    return true;
}

bool local_probe(const struct request_match *match, struct request_outcome *outcome)
{
    struct local_want want = local_want(match);
    struct local_arrival *found;

    local_arrivals_note();
    found = local_unexpected_find(&want);
    if (found) {
        local_outcome(found->rid, found->bits, found->length, outcome);
    }
    return found;
}
