/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving in MPI on Puma: chapter 2 of the paper. The heap is searched; if there is nothing, the receive's entry is
 * activated, in one step with the finding that nothing has come meanwhile (puma_open).
 */
#include "ref-impl/mpi/adi/receive.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/adi/arrival.h"
#include "ref-impl/mpi/adi/state.h"
#include "ref-impl/mpi/messages/engine_lock.h"

#include <sched.h>

static struct adi_receive *receive_new(struct request *request)
{
    struct adi_receive *receive = adi_need(calloc(1, sizeof(*receive)));

    receive->request = request;
    request->local.part = receive;
    TAILQ_INSERT_TAIL(&adi_device.receives, receive, link);
    return receive;
}

static void receive_end(struct adi_receive *receive)
{
    receive->request->local.place = LOCAL_NOWHERE;
    receive->request->local.part = NULL;
    TAILQ_REMOVE(&adi_device.receives, receive, link);
    if (receive->posted) {
        puma_drop(receive->posted);
    } else {
        puma_sent(&receive->pull);
    }
    free(receive);
}

/* Begins to pull a long message from its sender. */
//= PUMA-066
//= PUMA-067
static void pull(const struct adi_arrival *arrival, struct request *request)
{
    struct puma_buffer into = {request->octets, arrival->length < request->length ? arrival->length : request->length};
    struct puma_target target = {local_process(arrival->rid), ADI_READ, arrival->number, 0};
    struct adi_receive *receive = receive_new(request);

    request->local.place = LOCAL_MOVING;
    (void)adi_need(puma_read(adi_device.receive, into, &target, &receive->pull) ? receive : NULL);
}

/* Gives a receive a message that has come. */
//= PUMA-052
static void take(struct adi_arrival *arrival, struct request *request)
{
    size_t wanted = arrival->length < request->length ? arrival->length : request->length;

    adi_arrival_remove(arrival);
    request->outcome = adi_outcome(arrival->bits, arrival->rid, arrival->length);
    if (arrival->bits & ADI_LONG) {
        pull(arrival, request);
    } else {
        if (wanted > 0) {
            memcpy(request->octets, arrival->octets, wanted);
        }
        request->local.place = LOCAL_NOWHERE;
        request_finish(request);
    }
    free(arrival);
}

/* Activates an entry, unless a message comes that the receive must have instead: that one, or NULL. */
//= PUMA-050
//= PUMA-051
//= PUMA-102
static struct adi_arrival *activate(const struct adi_receive *receive, const struct adi_want *want)
{
    struct adi_arrival *found = NULL;

    while (!found && !puma_open(receive->posted, adi_device.heap)) {
        if (!adi_arrivals_note()) {
            engine_sleep(ENGINE_ARRIVAL);
            sched_yield();
            engine_awake();
        }
        found = adi_arrival_find(want);
    }
    return found;
}

//= PUMA-036
//= PUMA-047
//= PUMA-049
void adi_receive(struct request *request)
{
    struct adi_want want = adi_want(&request->match, request->message.peer);
    struct puma_match match = {local_process(want.rid), want.bits, want.ignored};
    struct puma_options options = {.acknowledge = true, .closed = true, .cuts = true, .headers = 1};
    struct puma_buffer buffer = {request->octets, request->length};
    struct adi_arrival *found = adi_arrival_find(&want);
    struct adi_receive *receive;

    if (found) {
        take(found, request);
        return;
    }
    receive = receive_new(request);
    request->local.place = LOCAL_POSTED;
    puma_in_front(adi_device.receive, adi_device.heap);
    receive->posted = adi_need(puma_independent(adi_device.receive, &match, &buffer, 1, &options));
    found = activate(receive, &want);
    if (found) {
        receive_end(receive);
        take(found, request);
    }
}

//= PUMA-076
bool adi_receive_withdraw(struct request *request)
{
    struct adi_receive *receive = request->local.part;

    if (request->local.place == LOCAL_NOWHERE) {
        return true;
    }
    if (!receive || !receive->posted || !puma_close(receive->posted)) {
        return false;
    }
    receive_end(receive);
    return true;
}

/* Whether a receive has its message, which its outcome tells then. */
//= PUMA-053
static bool has_come(struct adi_receive *receive)
{
    struct puma_message message;

    if (!receive->posted) {
        return puma_heard(&receive->pull, false);
    }
    if (!puma_next(receive->posted, &message)) {
        return false;
    }
    receive->request->outcome = adi_outcome(message.bits, (int)message.initiator.rid, message.sent);
    if (!(message.bits & (ADI_LONG | ADI_READY))) {
        adi_device.peer[message.initiator.rid].owed++;
    }
    return true;
}

void adi_receive_poll(void)
{
    struct adi_receive *next;

    for (struct adi_receive *receive = TAILQ_FIRST(&adi_device.receives); receive; receive = next) {
        struct request *request = receive->request;

        next = TAILQ_NEXT(receive, link);
        if (has_come(receive)) {
            adi_device.idle = 0;
            receive_end(receive);
            request_finish(request);
        }
    }
}

void adi_receive_close(void)
{
    struct adi_receive *receive;

    while ((receive = TAILQ_FIRST(&adi_device.receives))) {
        receive_end(receive);
    }
}

bool adi_probe(const struct request_match *match, struct request_outcome *outcome)
{
    struct adi_want want = adi_want(match, -1);
    const struct adi_arrival *found;

    adi_arrivals_note();
    found = adi_arrival_find(&want);
    if (found) {
        *outcome = adi_outcome(found->bits, found->rid, found->length);
    }
    return found;
}
