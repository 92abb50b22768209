/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Unexpected messages of the local device: see local/arrival.h, and local/state.h for where they come from. After the
 * Portals document's chapter 5.3, where they are Rcvd, SearchRcvd and CopyMsg, with what it leaves open filled in:
 * buffers are lent, so that a short message always finds one; a long message has a number, so that the right one is
 * got.
 */
#include "ref-impl/mpi/local/arrival.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/device.h"

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

/* Puts a buffer at the end of its list. Only the first of the list is ever used, and it leaves the list when it is: if
 * the last one is gone, all are. */
static void put_back(ptl_md_t buffer)
{
    struct local_device *d = &local_device;

    buffer.threshold = 1;
    int code = PtlMDInsert(buffer, PTL_UNLINK, PTL_INS_AFTER, d->last_buffer, &d->last_buffer);
    if (code == PTL_INV_MD) {
        code = PtlMDAttach(d->short_entry, buffer, PTL_UNLINK, &d->last_buffer);
    }
    local_must_(code, "putting back a buffer");
}

bool local_buffers_open(void)
{
    struct local_device *d = &local_device;
    size_t count = (size_t)d->size * (size_t)d->credits;
    ptl_md_t buffer = {
        .length = LOCAL_LONG_OCTETS - 1,
        .threshold = 1,
        .options = PTL_MD_OP_PUT | PTL_MD_ACK_DISABLE,
        .eventq = d->arrived,
    };

    d->buffers = calloc(count, LOCAL_LONG_OCTETS);
    if (!d->buffers) {
        return false;
    }
    buffer.start = d->buffers;
    local_must(PtlMDAttach(d->short_entry, buffer, PTL_UNLINK, &d->last_buffer));
    for (size_t i = 1; i < count; i++) {
        buffer.start = d->buffers + i * LOCAL_LONG_OCTETS;
        put_back(buffer);
    }
    return true;
}

void local_buffers_close(void)
{
    struct local_arrival *arrival;

    while ((arrival = TAILQ_FIRST(&local_device.arrivals))) {
        TAILQ_REMOVE(&local_device.arrivals, arrival, link);
        free(arrival);
    }
    free(local_device.buffers);
    local_device.buffers = NULL;
}

void local_credit_owed(int rid)
{
    struct local_peer *peer = &local_device.peer[rid];

    peer->owed++;
    if (peer->owed >= (local_device.credits + 1) / 2) {
        local_tell(rid, LOCAL_CREDIT, (uint32_t)peer->owed);
        peer->owed = 0;
    }
}

void local_buffer_free(ptl_md_t buffer, int rid)
{
    put_back(buffer); /* first: who has the credit may use it at once */
    local_credit_owed(rid);
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

static bool fits(const struct local_arrival *arrival, const struct local_want *want)
{
    return ((arrival->bits ^ want->bits) & ~want->ignored) == 0 &&
           (want->rid == LOCAL_EACH || want->rid == arrival->rid);
}

struct local_arrival *local_arrival_find(const struct local_want *want)
{
    struct local_arrival *at;

    TAILQ_FOREACH(at, &local_device.arrivals, link)
    {
        if (fits(at, want)) {
            return at;
        }
    }
    return NULL;
}

void local_outcome(int rid, ptl_match_bits_t bits, ptl_size_t length, struct request_outcome *outcome)
{
    *outcome = (struct request_outcome){
        .source = local_rank(rid),
        .lsrank = -1,
        .tag = local_bits_tag(bits),
        .msglen = length,
        .external = local_bits_external(bits),
    };
}

/* Begins to get a long message from its sender. */
static void fetch(const struct local_arrival *arrival, struct request *request)
{
    struct local_request *r = &request->local;
    ptl_size_t wanted = arrival->length < request->length ? arrival->length : request->length;
    ptl_md_t room = {
        .start = wanted ? request->octets : NULL,
        .length = wanted,
        .threshold = 1,
        .user_ptr = request,
        .eventq = local_device.done,
    };

    local_must(PtlMDBind(local_device.interface, room, &r->descriptor));
    local_must(PtlGet(r->descriptor, local_process(arrival->rid), LOCAL_FETCH, LOCAL_COOKIE,
                      local_bits_number(arrival->bits), 0));
    r->place = LOCAL_MOVING;
}

/* Copies a short message out of its buffer. */
static void copy(const struct local_arrival *arrival, struct request *request)
{
    ptl_size_t wanted = arrival->length < request->length ? arrival->length : request->length;

    if (wanted) {
        memcpy(request->octets, arrival->buffer.start, wanted);
    }
    local_buffer_free(arrival->buffer, arrival->rid);
    request->local.place = LOCAL_NOWHERE;
    request_finish(request);
}

/* Gives a message to a receive that no device has, or that the wide device gives up now. */
static void deliver(const struct local_arrival *arrival, struct request *request)
{
    device_at(DEVICE_WIDE)->withdraw(request);
    local_outcome(arrival->rid, arrival->bits, arrival->length, &request->outcome);
    if (local_bits_long(arrival->bits)) {
        fetch(arrival, request);
    } else {
        copy(arrival, request);
    }
}

void local_arrival_take(struct local_arrival *arrival, struct request *request)
{
    TAILQ_REMOVE(&local_device.arrivals, arrival, link);
    deliver(arrival, request);
    free(arrival);
}

bool local_arrival_forget(int rid, uint8_t number)
{
    struct local_arrival *at;

    TAILQ_FOREACH(at, &local_device.arrivals, link)
    {
        if (at->rid == rid && local_bits_long(at->bits) && local_bits_number(at->bits) == number) {
            TAILQ_REMOVE(&local_device.arrivals, at, link);
            if (local_device.found == at) {
                local_device.found = NULL;
            }
            free(at);
            return true;
        }
    }
    return false;
}

/* ---- arriving --------------------------------------------------------------------------------------------------- */

/* Whether the receive that is being posted gets the message. */
static bool is_for_opening(const struct local_arrival *arrival)
{
    const struct request *opening = local_device.opening;

    if (!opening || local_device.found || opening->local.place != LOCAL_POSTED) {
        return false;
    }
    struct local_want want = local_want(&opening->match);

    return fits(arrival, &want);
}

/* The oldest receive without a place in the match list that wants the message, or NULL. */
static struct request *deferred_for(const struct local_arrival *arrival)
{
    struct request *at;

    TAILQ_FOREACH(at, &local_device.deferred, local.queue)
    {
        struct local_want want = local_want(&at->match);

        if (fits(arrival, &want)) {
            return at;
        }
    }
    return NULL;
}

void local_arrival_event(const ptl_event_t *event)
{
    struct local_device *d = &local_device;
    struct local_arrival arrival = {
        .bits = event->match_bits,
        .length = event->rlength,
        .rid = (int)event->initiator.rid,
        .buffer = event->mem_desc,
    };

    d->idle_turns = 0;
    if (event->portal == LOCAL_CONTROL) {
        d->waking[1] = false;
        return;
    }
    bool for_opening = is_for_opening(&arrival);
    struct request *wants = for_opening ? NULL : deferred_for(&arrival);
    if (wants) {
        TAILQ_REMOVE(&d->deferred, wants, local.queue);
        deliver(&arrival, wants);
        return;
    }
    struct local_arrival *kept = malloc(sizeof(*kept));
    if (!kept) {
        world_abort(1, "there is no memory to note one more message that nobody has asked for");
    }
    *kept = arrival;
    TAILQ_INSERT_TAIL(&d->arrivals, kept, link);
    if (for_opening) {
        d->found = kept;
    }
}

void local_arrivals_note(void)
{
    ptl_event_t event;
    int code;

    while ((code = PtlEQGet(local_device.arrived, &event)) != PTL_EQ_EMPTY) {
        local_must_(code, "PtlEQGet of arrivals");
        local_arrival_event(&event);
    }
}
