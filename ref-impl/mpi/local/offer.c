/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The numbers of long messages: see local/offer.h. A number has more bits than there are for it in the match bits of
 * the message: the upper ones are told before, where they are others than those of the message before.
 *
 *      0 .. 8191      near: each process has its share of them. What is heard of the message goes to the program.
 *      8192 ..        far: for all processes together, without bound but that of memory; a program that has begun so
 *                     many may compute while all of them are got. So what is heard of them goes to the helper.
 *
 * What bounds the events is therefore not the numbers, but that nobody may cause more than there is room for:
 *
 *      at the receiver   `unnoted`: messages that may still stand among the arrivals. An acknowledgement says that one
 *                        does not. How many have been noted the receiver says when it is asked, which it is in time;
 *                        its helper notes them if the program does not. A word about upper bits counts like a message.
 *      at the sender     of near ones as many as have numbers; of far ones `unsaid` at the receiver (local/fetch.c).
 */
#include "ref-impl/mpi/local/offer.h"

#include <stdlib.h>

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/messages/request.h"

enum { FAR_AT_FIRST = 1024 };

/* The far numbers: who has each, and those that were given back. */
static struct {
    struct request **holder;
    uint32_t *free;
    uint32_t made, room, free_count;
} far;

static ptl_handle_me_t far_end[LOCAL_FAR_LISTS];

bool local_offers_open(void)
{
    struct local_device *d = &local_device;
    size_t size = (size_t)d->size;

    d->number = calloc(size, d->numbers * sizeof(struct request *));
    d->free = calloc(size, d->numbers * sizeof(uint16_t));
    if (!d->number || !d->free) {
        return false;
    }
    for (size_t rid = 0; rid < size; rid++) {
        d->peer[rid].number = d->number + rid * d->numbers;
        d->peer[rid].free = d->free + rid * d->numbers;
    }
    for (int i = 0; i < LOCAL_FAR_LISTS; i++) {
        local_must(PtlMEAttach(d->interface, (ptl_pt_index_t)(LOCAL_FETCH_FAR + i), local_process(LOCAL_EACH), 0,
                               ~(ptl_match_bits_t)0, PTL_RETAIN, &far_end[i]));
    }
    return true;
}

void local_offers_close(void)
{
    free(local_device.number);
    free(local_device.free);
    free(far.holder);
    free(far.free);
    far.holder = NULL;
    far.free = NULL;
    far.made = far.room = far.free_count = 0;
}

ptl_handle_me_t local_offer_end(uint32_t number)
{
    return local_offer_is_far(number) ? far_end[(number - LOCAL_FAR_FIRST) / LOCAL_FAR_EACH] : local_device.end;
}

/* ---- near and far ----------------------------------------------------------------------------------------------- */

/* Whether it is long only because there are no credits. Such a one takes none of the greater part of the numbers, and
 * no far one: what has to be got takes longer than waiting for credits. */
static bool is_small(const struct request *request)
{
    return request->length < LOCAL_LONG_OCTETS && request->mode != P2P_SYNCHRONOUS;
}

/* Of the sends of which events are still to come, half are left for short ones, which leave by themselves. */
static bool has_near(const struct request *request, const struct local_peer *peer)
{
    uint32_t most = is_small(request) ? LOCAL_NUMBERS_LEAST : local_device.numbers;

    return local_device.sending < LOCAL_SENDING_MAX / 2 && peer->numbered - peer->free_count < most;
}

/* Makes room for twice as many far numbers; false: there is no memory for them. */
static bool grow(void)
{
    uint32_t room = far.room > 0 ? 2 * far.room : FAR_AT_FIRST;
    struct request **holder = realloc(far.holder, room * sizeof(struct request *));
    uint32_t *numbers;

    far.holder = holder ? holder : far.holder;
    numbers = holder ? realloc(far.free, room * sizeof(uint32_t)) : NULL;
    far.free = numbers ? numbers : far.free;
    far.room = numbers ? room : far.room;
    return numbers;
}

static bool has_far(const struct request *request)
{
    if (is_small(request) || local_device.far_leaving >= LOCAL_SENDING_MAX) {
        return false;
    }
    return far.free_count > 0 || (far.made < LOCAL_FAR_LISTS * LOCAL_FAR_EACH && (far.made < far.room || grow()));
}

/* The number that was given back last, so that few are in use; or that would be taken. */
static uint32_t next_near(const struct local_peer *peer)
{
    return peer->free_count > 0 ? peer->free[peer->free_count - 1] : peer->numbered;
}

static uint32_t next_far(void)
{
    return LOCAL_FAR_FIRST + (far.free_count > 0 ? far.free[far.free_count - 1] : far.made);
}

static void take_near(struct local_peer *peer, struct request *request, uint32_t number)
{
    if (peer->free_count > 0) {
        peer->free_count--;
    } else {
        peer->numbered++;
    }
    peer->number[number] = request;
}

static void take_far(struct request *request, uint32_t number)
{
    if (far.free_count > 0) {
        far.free_count--;
    } else {
        far.made++;
    }
    far.holder[number - LOCAL_FAR_FIRST] = request;
    local_device.far++;
}

bool local_offer_take(struct request *request, int rid, uint32_t *number)
{
    struct local_device *d = &local_device;
    struct local_peer *peer = &d->peer[rid];
    bool is_near = has_near(request, peer);
    uint32_t next, upper, messages;

    if (!is_near && !has_far(request)) {
        return false;
    }
    next = is_near ? next_near(peer) : next_far();
    upper = next >> LOCAL_NUMBER_BITS;
    messages = upper == peer->told_upper ? 1 : 2;
    if (peer->unnoted + messages > d->numbers) {
        return false;
    }
    peer->unnoted += messages;
    if (upper != peer->told_upper) {
        peer->told_upper = upper;
        local_tell(rid, LOCAL_UPPER, upper);
    }
    if (is_near) {
        take_near(peer, request, next);
    } else {
        take_far(request, next);
    }
    *number = next;
    return true;
}

void local_offer_give_back(int rid, uint32_t number)
{
    struct local_peer *peer = &local_device.peer[rid];

    if (local_offer_is_far(number)) {
        far.holder[number - LOCAL_FAR_FIRST] = NULL;
        far.free[far.free_count++] = number - LOCAL_FAR_FIRST;
        local_device.far--;
    } else {
        peer->number[number] = NULL;
        peer->free[peer->free_count++] = (uint16_t)number;
    }
}

struct request *local_offer_find(int rid, uint32_t number)
{
    const struct local_peer *peer = &local_device.peer[rid];

    if (local_offer_is_far(number)) {
        return number - LOCAL_FAR_FIRST < far.made ? far.holder[number - LOCAL_FAR_FIRST] : NULL;
    }
    return number < peer->numbered ? peer->number[number] : NULL;
}

/* ---- what has been noted ---------------------------------------------------------------------------------------- */

void local_offer_acknowledged(int rid)
{
    local_device.peer[rid].unnoted--;
}

void local_offer_ask(const struct request *request, int rid)
{
    struct local_peer *peer = &local_device.peer[rid];

    if (!peer->asked && (is_small(request) || peer->unnoted >= local_device.numbers / 2)) {
        peer->asked = true;
        peer->credited = false;
        local_tell(rid, LOCAL_NOTE, 0);
    }
}

void local_offer_noted(int rid, uint32_t count)
{
    struct local_peer *peer = &local_device.peer[rid];

    peer->unnoted -= count < peer->unnoted ? count : peer->unnoted; /* whatever somebody says */
}

uint32_t local_offer_arrived(int rid, ptl_match_bits_t bits)
{
    struct local_peer *peer = &local_device.peer[rid];

    peer->noted++;
    return peer->upper << LOCAL_NUMBER_BITS | local_bits_number(bits);
}

void local_offer_upper(int rid, uint32_t upper)
{
    local_device.peer[rid].noted++;
    local_device.peer[rid].upper = upper;
}

void local_offer_answer(int rid)
{
    struct local_peer *peer = &local_device.peer[rid];

    local_tell(rid, LOCAL_COUNTED, peer->noted);
    peer->noted = 0;
}
