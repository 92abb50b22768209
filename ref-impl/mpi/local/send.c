/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending in the local device: chapter 5.3 of the Portals document, MPIsend, with the two protocols that local/state.h
 * describes. What is sent to one process goes in the order in which it was begun, so what cannot go holds up the rest.
 *
 *      short   put ------------------------------------> posted receive, or a buffer      SENT: done
 *              (a tiny one from a copy, local/tiny.c: done at once)
 *
 *      long    lay out; put ---------------------------> posted receive
 *              ACK and SENT: done <--------------------- acknowledgement
 *                       or
 *              lay out; put ---------------------------> `long`: the fact is noted
 *              GET and SENT: done <--------------------- get, when a receive wants it
 */
#include "ref-impl/mpi/local/send.h"

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/copy.h"
#include "ref-impl/mpi/local/fetch.h"
#include "ref-impl/mpi/local/offer.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/local/tiny.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/short_path.h"

/* Nothing more is to be heard of it. */
static void finish(struct request *request)
{
    request->local.place = LOCAL_NOWHERE;
    if (request->local.is_copy) {
        local_copy_done(request);
    }
    request_finish(request);
}

//= PUMA-145
//= PUMA-146
//= PUMA-160
static void bind(struct request *request, ptl_md_t *octets)
{
    struct local_device *d = &local_device;

    *octets = (ptl_md_t){
        .start = request->length ? request->octets : NULL,
        .length = request->length,
        .threshold = 1,
        .options = 0,
        .user_ptr = request,
        .eventq = request->local.beside ? d->asked : d->done,
    };
    if (d->spare_count == 0) {
        local_must(PtlMDBind(d->interface, *octets, &request->local.descriptor));
        return;
    }
    request->local.descriptor = d->spare[--d->spare_count];
    local_must(PtlMDUpdate(request->local.descriptor, NULL, octets, PTL_EQ_NONE));
}

/* All has been heard of the descriptor that there will be. */
static void unbind(const struct request *request)
{
    struct local_device *d = &local_device;

    if (d->spare_count < LOCAL_SPARE) {
        d->spare[d->spare_count++] = request->local.descriptor;
    } else {
        local_must(PtlMDUnlink(request->local.descriptor));
    }
}

//= PUMA-054
//= PUMA-055
//= PUMA-056
//= PUMA-130
static void put_short(struct request *request, int rid)
{
    struct local_request *r = &request->local;
    ptl_match_bits_t bits;
    ptl_md_t octets;

    r->is_long = false;
    r->is_short = true;
    r->cancelling = false;
    r->beside = r->is_copy;
    r->sequence = local_device.peer[rid].sequence++;
    bits = local_bits_sequence(local_bits_message(request), r->sequence);
    if (r->is_copy) {
        local_copy_left(request);
    }
    if (!r->is_copy && local_tiny_put(rid, bits, request->octets, request->length)) {
        finish(request);
        return;
    }
    bind(request, &octets);
    r->awaited = 1; /* that it has left */
    r->place = LOCAL_MOVING;
    local_device.sending++;
    local_must(PtlPut(r->descriptor, PTL_NOACK_REQ, local_process(rid), LOCAL_ARRIVE, LOCAL_COOKIE, bits, 0));
}

//= PUMA-057
//= PUMA-063
//= PUMA-131
//= PUMA-149
//= PUMA-181
ASIDE static void put_long(struct request *request, int rid, uint32_t number)
{
    struct local_device *d = &local_device;
    struct local_request *r = &request->local;
    ptl_md_t octets;

    r->beside = r->is_copy || local_offer_is_far(number);
    bind(request, &octets);
    octets.options = PTL_MD_OP_GET;
    r->is_long = true;
    r->is_short = false;
    r->settled = false;
    r->cancelling = false;
    r->number = number;
    r->place = LOCAL_MOVING;
    *(local_offer_is_far(number) ? &d->far_leaving : &d->sending) += 1;
    r->awaited = 2; /* that it has left, and that it was acknowledged or got */
    local_must(
        PtlMEInsert(local_process(rid), number, 0, PTL_UNLINK, PTL_INS_BEFORE, local_offer_end(number), &r->entry));
    local_must(PtlMDAttach(r->entry, octets, PTL_UNLINK, NULL));
    local_must(PtlPut(r->descriptor, PTL_ACK_REQ, local_process(rid), LOCAL_ARRIVE, LOCAL_COOKIE,
                      local_bits_offer(local_bits_message(request), number), 0));
}

static bool may_go_short(const struct request *request, const struct local_peer *peer)
{
    return request->length < LOCAL_LONG_OCTETS && request->mode != P2P_SYNCHRONOUS && peer->credits > 0;
}

/* Sends a message; false when it must wait. */
//= PUMA-043
//= PUMA-046
//= PUMA-070
//= PUMA-071
//= PUMA-183
static bool go(struct request *request, int rid)
{
    struct local_device *d = &local_device;
    struct local_peer *peer = &d->peer[rid];
    uint32_t number;
    bool went = true;

    if (may_go_short(request, peer)) {
        if (d->sending >= LOCAL_SENDING_MAX) {
            return false;
        }
        peer->credits--;
        put_short(request, rid);
        return true;
    }
    went = local_offer_take(request, rid, &number);
    if (went) {
        put_long(request, rid, number);
    }
    local_offer_ask(request, rid);
    return went;
}

//= PUMA-077
//= PUMA-180
SHORT_PATH void local_send(struct request *request)
{
    int rid = local_rid(request->match.peer);
    struct local_peer *peer = &local_device.peer[rid];

    if (peer->credits == 0 || !TAILQ_EMPTY(&peer->queue) || local_device.sending >= LOCAL_SENDING_MAX ||
        peer->unnoted >= local_device.numbers / 2 || local_tiny_is_full(rid)) {
        device_at(DEVICE_LOCAL)->advance(); /* what it lacks may have come */
    }
    if (!TAILQ_EMPTY(&peer->queue) || !may_go_short(request, peer)) {
        struct request *copy = local_copy_make(request);

        request = copy ? copy : request;
    }
    if (TAILQ_EMPTY(&peer->queue) && go(request, rid)) {
        return;
    }
    request->local.place = LOCAL_QUEUED;
    TAILQ_INSERT_TAIL(&peer->queue, request, local.queue);
    local_device.queued++;
}

/* Sends what has been waiting for a process, as far as that is possible now. */
static void go_on(int rid)
{
    struct local_peer *peer = &local_device.peer[rid];
    struct request *request;

    while ((request = TAILQ_FIRST(&peer->queue)) && go(request, rid)) {
        TAILQ_REMOVE(&peer->queue, request, local.queue);
        local_device.queued--;
    }
}

void local_send_deferred(void)
{
    for (int rid = 0; local_device.queued > 0 && rid < local_device.size; rid++) {
        go_on(rid);
    }
}

void local_credit(int rid, uint32_t count)
{
    struct local_peer *peer = &local_device.peer[rid];

    /* No more than what was lent, whatever somebody says. */
    peer->credits =
        count < (uint32_t)(local_device.credits - peer->credits) ? peer->credits + (int)count : local_device.credits;
    peer->credited = true;
    go_on(rid);
}

void local_send_noted(int rid, uint32_t count)
{
    struct local_peer *peer = &local_device.peer[rid];

    bool in_vain = count == 0 && !peer->credited;

    local_offer_noted(rid, count);
    peer->asked = in_vain; /* then it is not asked again at once */
    go_on(rid);
    if (in_vain) {
        peer->asked = false;
    }
}

/* One of the awaited events has come. */
//= PUMA-061
//= PUMA-140
//= PUMA-152
static void count_down(struct request *request)
{
    struct local_request *r = &request->local;
    struct local_device *d = &local_device;

    if (--r->awaited > 0) {
        return;
    }
    unbind(request);
    if (r->is_short || !local_offer_is_far(r->number)) {
        d->sending--;
        if (d->sending == LOCAL_SENDING_MAX - 1) {
            local_send_deferred();
        }
    }
    if (r->is_short && r->cancelling) {
        r->place = LOCAL_ASKED;
        return;
    }
    finish(request);
}

void local_send_settled(struct request *request)
{
    struct local_request *r = &request->local;
    int rid = local_rid(request->match.peer);

    local_offer_give_back(rid, r->number);
    go_on(rid);
    count_down(request);
}

/* One has left: of far ones, another may. */
static void left(struct request *request)
{
    struct local_device *d = &local_device;

    if (request->local.is_long && local_offer_is_far(request->local.number)) {
        d->far_leaving--;
        if (d->far_leaving == LOCAL_SENDING_MAX - 1) {
            local_send_deferred();
        }
    }
}

//= PUMA-059
//= PUMA-060
//= PUMA-062
//= PUMA-065
//= PUMA-072
//= PUMA-073
//= PUMA-074
//= PUMA-075
//= PUMA-147
void local_send_event(struct request *request, const ptl_event_t *event)
{
    struct local_request *r = &request->local;

    switch (event->type) {
    case PTL_EVENT_SENT:
        left(request);
        count_down(request);
        return;
    case PTL_EVENT_ACK:
        local_must(PtlMEUnlink(r->entry));
        local_offer_acknowledged(local_rid(request->match.peer));
        break;
    case PTL_EVENT_GET:
        local_fetch_heard(local_rid(request->match.peer), r->number);
        break;
    case PTL_EVENT_PUT:
    case PTL_EVENT_REPLY:
        return; /* not of a send */
    }
    r->settled = true;
    /* While the receiver has been asked about the number, no other message may have it. */
    if (!r->cancelling) {
        local_send_settled(request);
    }
}

void local_send_withdraw(struct request *request)
{
    TAILQ_REMOVE(&local_device.peer[local_rid(request->match.peer)].queue, request, local.queue);
    local_device.queued--;
    finish(request);
}
