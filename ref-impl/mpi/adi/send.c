/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending in MPI on Puma: figures 3 to 7 of the paper. What is sent to one process goes in the order in which it was
 * begun.
 *
 *      short   header and body -----------------------> posted receive, or the heap                 left: done
 *
 *      long    header and body -----------------------> posted receive keeps both
 *              acknowledged and left: done <-----------
 *                       or
 *              header and body -----------------------> the header is kept
 *              pulled and left: done <----------------- read, when a receive wants it
 */
#include "ref-impl/mpi/adi/send.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/adi/bits.h"
#include "ref-impl/mpi/adi/state.h"
#include "ref-impl/mpi/local/bits.h"

enum { SHORT = -1 };

/* Makes that a long message can be read by its receiver, under its number. */
//= PUMA-063
//= PUMA-064
static bool lay_out(struct adi_send *send, struct puma_buffer block)
{
    struct puma_match match = {local_process(send->rid), (ptl_match_bits_t)send->number, 0};
    struct puma_options options = {.access = PUMA_READ, .headers = 1};

    send->read = puma_single(adi_device.read, &match, block, &options);
    return send->read;
}

/* A number that no long message to that process has, or SHORT when the message has to wait. */
static int free_number(struct adi_peer *peer, bool lends)
{
    unsigned used = peer->numbered - peer->free_count;
    uint16_t *more;

    if (peer->unnoted >= ADI_UNNOTED || adi_device.offered >= ADI_OFFERED_MAX || used >= ADI_NUMBERS ||
        (lends && used >= ADI_OFFERED_SHORT)) {
        return SHORT;
    }
    if (peer->free_count > 0) {
        return peer->free[peer->free_count - 1];
    }
    if (peer->numbered == peer->room) {
        more = realloc(peer->free, (2 * (size_t)peer->room + ADI_UNNOTED) * sizeof(*more));
        if (!more) {
            return SHORT;
        }
        peer->free = more;
        peer->room = 2 * peer->room + ADI_UNNOTED;
    }
    return (int)peer->numbered;
}

/* The message has the number that free_number has found. */
static void take_number(struct adi_send *send)
{
    struct adi_peer *peer = &adi_device.peer[send->rid];

    if (peer->free_count > 0) {
        peer->free_count--;
    } else {
        peer->numbered++;
    }
    peer->unnoted++;
    adi_device.offered++;
    send->named = true;
}

static void take_in(struct adi_send *send)
{
    struct adi_peer *peer = &adi_device.peer[send->rid];

    if (send->read) {
        puma_drop(send->read);
    }
    if (send->named) {
        peer->free[peer->free_count++] = (uint16_t)send->number;
        adi_device.offered--;
        peer->unnoted -= send->sending.answered && !send->pulled; /* it has never been among the headers */
    }
    free(send);
}

/* Whether it is done when it has left: it waits for no receive. */
static bool is_short(const struct request *request)
{
    return request->length < ADI_LONG_OCTETS && request->mode != P2P_SYNCHRONOUS;
}

/* Sends; false when Portals has no room for it now. A short one that goes the long way is done at once, by a copy. */
//= PUMA-045
//= PUMA-054
//= PUMA-057
static bool put(struct request *request, int rid, int number, ptl_match_bits_t type)
{
    struct puma_target target = {local_process(rid), ADI_RECEIVE, adi_bits(request) | type, 0};
    bool is_long = number != SHORT, copied = is_long && is_short(request);
    struct adi_send *send = adi_need(calloc(1, sizeof(*send) + (copied ? request->length : 0)));
    struct puma_buffer block = {copied ? send->copy : request->octets, request->length};

    *send = (struct adi_send){.request = copied ? NULL : request, .rid = rid, .number = number};
    if (copied && request->length > 0) {
        memcpy(send->copy, request->octets, request->length);
    }
    target.offset = is_long ? adi_mark((unsigned)number) : 0;
    if ((is_long && !lay_out(send, block)) || !puma_send(adi_device.receive, block, &target, is_long, &send->sending)) {
        take_in(send);
        return false;
    }
    if (is_long) {
        take_number(send);
    }
    TAILQ_INSERT_TAIL(&adi_device.sends, send, link);
    request->local.place = copied ? LOCAL_NOWHERE : LOCAL_MOVING;
    if (copied) {
        request_finish(request);
    }
    return true;
}

/* Sends a message as its length and mode want; false when it must wait. */
//= PUMA-043
//= PUMA-046
//= PUMA-048
static bool go(struct request *request, int rid)
{
    struct adi_peer *peer = &adi_device.peer[rid];
    bool ready = request->mode == P2P_READY;
    bool lends = is_short(request); /* room in the heap */
    int number;

    if (lends && ready) {
        return put(request, rid, SHORT, ADI_READY); /* takes no room */
    }
    if (lends && peer->credits > 0 && put(request, rid, SHORT, 0)) {
        peer->credits--;
        return true;
    }
    number = free_number(peer, lends);
    return number != SHORT && put(request, rid, number, ready ? ADI_LONG | ADI_READY : ADI_LONG);
}

void adi_send(struct request *request)
{
    int rid = local_rid(request->match.peer);
    struct adi_peer *peer = &adi_device.peer[rid];

    if (!TAILQ_EMPTY(&peer->queue) || !go(request, rid)) {
        request->local.place = LOCAL_QUEUED;
        TAILQ_INSERT_TAIL(&peer->queue, request, local.queue);
    }
}

bool adi_send_withdraw(struct request *request)
{
    if (request->local.place != LOCAL_QUEUED) {
        return false;
    }
    TAILQ_REMOVE(&adi_device.peer[local_rid(request->match.peer)].queue, request, local.queue);
    request->local.place = LOCAL_NOWHERE;
    return true;
}

static void go_on(int rid)
{
    struct request_list *queue = &adi_device.peer[rid].queue;
    struct request *request;

    while ((request = TAILQ_FIRST(queue))) {
        TAILQ_REMOVE(queue, request, local.queue); /* it may be done, and gone, at once */
        if (!go(request, rid)) {
            TAILQ_INSERT_HEAD(queue, request, local.queue);
            return;
        }
    }
}

bool adi_send_credits(int rid, int count, unsigned noted)
{
    struct puma_target target = {local_process(rid), ADI_CREDIT, (ptl_match_bits_t)noted << 32 | (unsigned)count, 0};
    struct adi_send *send = adi_need(calloc(1, sizeof(*send)));

    *send = (struct adi_send){.rid = rid, .number = SHORT};
    if (!puma_send(adi_device.credit, (struct puma_buffer){NULL, 0}, &target, false, &send->sending)) {
        free(send);
        return false;
    }
    TAILQ_INSERT_TAIL(&adi_device.sends, send, link);
    return true;
}

void adi_send_credited(int rid, unsigned long long said)
{
    struct adi_peer *peer = &adi_device.peer[rid];
    unsigned lent = (unsigned)(adi_device.credits - peer->credits);
    unsigned count = (unsigned)said, noted = (unsigned)(said >> 32);

    peer->credits += (int)(count < lent ? count : lent); /* whatever somebody says */
    peer->unnoted -= noted < peer->unnoted ? noted : peer->unnoted;
    go_on(rid);
}

/* Whether all has been heard of a message. */
//= PUMA-055
//= PUMA-061
//= PUMA-065
static bool is_over(struct adi_send *send)
{
    struct puma_message pulled;

    (void)puma_heard(&send->sending, false);
    if (send->read && !send->pulled) {
        send->pulled = puma_next(send->read, &pulled);
    }
    return send->sending.left && (!send->read || send->sending.answered || send->pulled);
}

void adi_send_poll(void)
{
    struct adi_send *next;

    for (struct adi_send *send = TAILQ_FIRST(&adi_device.sends); send; send = next) {
        struct request *request = send->request;
        int rid = send->rid;

        next = TAILQ_NEXT(send, link);
        if (!is_over(send)) {
            continue;
        }
        adi_device.idle = 0;
        TAILQ_REMOVE(&adi_device.sends, send, link);
        puma_sent(&send->sending);
        take_in(send);
        if (request) {
            request->local.place = LOCAL_NOWHERE;
            request_finish(request);
        }
        go_on(rid);
    }
    for (int rid = 0; rid < adi_device.size; rid++) {
        go_on(rid);
    }
}

bool adi_send_is_leaving(void)
{
    const struct adi_send *send;

    TAILQ_FOREACH(send, &adi_device.sends, link)
    {
        if (!send->sending.left) {
            return true;
        }
    }
    return false;
}

void adi_send_close(void)
{
    struct adi_send *send;

    while ((send = TAILQ_FIRST(&adi_device.sends))) {
        TAILQ_REMOVE(&adi_device.sends, send, link);
        puma_sent(&send->sending);
        take_in(send);
    }
}
