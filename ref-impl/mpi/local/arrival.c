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
#include <sys/mman.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/expected.h"
#include "ref-impl/mpi/local/fetch.h"
#include "ref-impl/mpi/local/offer.h"
#include "ref-impl/mpi/local/unexpected.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/short_path.h"

#define BUFFER_OCTETS ((size_t)LOCAL_BUFFER_MESSAGES * LOCAL_LONG_OCTETS)

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

/* Puts an empty buffer into their list: behind the one that is being filled, so that a few that the cache holds are
 * used in turn, or where that is full, at the end. A buffer leaves the list when it is full: if the last one is gone,
 * all are. */
//= PUMA-020
//= PUMA-163
//= PUMA-167
ASIDE static void put_back(struct local_buffer *buffer, const struct local_buffer *behind)
{
    struct local_device *d = &local_device;
    ptl_md_t value = {
        .start = buffer->start,
        .length = LOCAL_BUFFER_MESSAGES * (LOCAL_LONG_OCTETS - 1),
        .threshold = LOCAL_BUFFER_MESSAGES,
        .options = PTL_MD_OP_PUT | PTL_MD_ACK_DISABLE,
        .user_ptr = buffer,
        .eventq = d->arrived,
    };
    int code = PTL_INV_MD;

    buffer->noted = 0;
    if (behind) {
        code = PtlMDInsert(value, PTL_UNLINK, PTL_INS_AFTER, behind->descriptor, &buffer->descriptor);
    }
    if (code == PTL_OK && behind != d->last_buffer) {
        return;
    }
    if (code == PTL_INV_MD && d->last_buffer) {
        code = PtlMDInsert(value, PTL_UNLINK, PTL_INS_AFTER, d->last_buffer->descriptor, &buffer->descriptor);
    }
    if (code == PTL_INV_MD) {
        code = PtlMDAttach(d->short_entry, value, PTL_UNLINK, &buffer->descriptor);
    }
    local_must_(code, "putting back a buffer");
    d->last_buffer = buffer;
}

/* Messages that are not noted yet are as many as credits are lent. Beside the buffers that these fill there are those
 * of which some are noted and some not: the one that is being filled, the empty one that is not back yet, and one for
 * each process whose message is just coming in while later ones of others are noted already. */
bool local_buffers_open(void)
{
    struct local_device *d = &local_device;
    size_t size = (size_t)d->size;

    d->buffer_count = size * (size_t)d->credits / LOCAL_BUFFER_MESSAGES + size + 3;
    d->buffers = calloc(d->buffer_count, sizeof(*d->buffers));
    d->octets = mmap(NULL, d->buffer_count * BUFFER_OCTETS, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!d->buffers || d->octets == MAP_FAILED || !local_unexpected_open()) {
        return false;
    }
    for (size_t i = 0; i < d->buffer_count; i++) {
        d->buffers[i].start = d->octets + i * BUFFER_OCTETS;
        put_back(&d->buffers[i], NULL);
    }
    return true;
}

void local_buffers_close(void)
{
    struct local_device *d = &local_device;

    local_unexpected_close();
    munmap(d->octets, d->buffer_count * BUFFER_OCTETS);
    free(d->buffers);
    d->buffers = NULL;
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

/* ---- receiving -------------------------------------------------------------------------------------------------- */

//= PUMA-039
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

/* Copies a short message to where it is wanted. */
//= PUMA-052
//= PUMA-139
//= PUMA-156
//= PUMA-159
//= PUMA-166
static void copy(const struct local_arrival *arrival, const unsigned char *octets, struct request *request)
{
    ptl_size_t wanted = arrival->length < request->length ? arrival->length : request->length;

    if (wanted) {
        memcpy(request->octets, octets, wanted);
    }
    if (arrival->owed) {
        local_credit_owed(arrival->rid);
    }
    request->local.place = LOCAL_NOWHERE;
    request_finish(request);
}

/* Gives a message to a receive that no device has, or that the wide device gives up now. `octets` are those of a short
 * one. */
static void deliver(const struct local_arrival *arrival, const unsigned char *octets, struct request *request)
{
    device_at(DEVICE_WIDE)->withdraw(request);
    local_outcome(arrival->rid, arrival->bits, arrival->length, &request->outcome);
    if (local_bits_long(arrival->bits)) {
        local_fetch(request, arrival->rid, arrival->number);
    } else {
        copy(arrival, octets, request);
    }
}

/* Takes a message out of the list of those that nobody has asked for. */
static void unlist(struct local_arrival *arrival)
{
    local_unexpected_remove(arrival);
    if (!local_bits_long(arrival->bits) && !arrival->owed) {
        local_device.noted--;
        local_device.noted_octets -= arrival->length;
    }
}

void local_arrival_take(struct local_arrival *arrival, struct request *request)
{
    unlist(arrival);
    deliver(arrival, arrival->octets, request);
    local_unexpected_free(arrival);
}

/* Throws away what its sender has cancelled; whether there is anything. */
static bool forget(struct local_arrival *arrival)
{
    if (!arrival) {
        return false;
    }
    unlist(arrival);
    if (local_device.found == arrival) {
        local_device.found = NULL;
    }
    if (arrival->owed) {
        local_credit_owed(arrival->rid);
    }
    local_unexpected_free(arrival);
    return true;
}

bool local_arrival_forget(int rid, uint32_t number)
{
    return forget(local_unexpected_long(rid, number));
}

bool local_arrival_forget_short(int rid, ptl_match_bits_t bits)
{
    return forget(local_unexpected_short(rid, bits));
}

/* ---- arriving --------------------------------------------------------------------------------------------------- */

/* Whether the receive that is being posted gets the message: it is older than the listed ones, or wants none of what
 * they want. */
static bool is_for_opening(const ptl_event_t *event)
{
    const struct request *opening = local_device.opening;

    return opening && !local_device.found && opening->local.place == LOCAL_POSTED &&
           local_want_fits(&opening->local.want, event->match_bits, (int)event->initiator.rid);
}

/* A message in that buffer has been taken note of. When all of them have, it is empty, and goes back as soon as it is
 * known which one is filled now. */
static void buffer_noted(struct local_buffer *buffer)
{
    struct local_device *d = &local_device;

    if (!buffer) {
        return;
    }
    if (d->empty_buffer && d->empty_buffer != buffer) {
        put_back(d->empty_buffer, buffer);
        d->empty_buffer = NULL;
    }
    if (++buffer->noted == LOCAL_BUFFER_MESSAGES) {
        d->empty_buffer = buffer;
    }
}

/* Gives a message to a listed receive: out of the buffer, and no note is taken. */
static void deliver_listed(const ptl_event_t *event, uint32_t number, struct request *request)
{
    struct local_buffer *buffer = event->mem_desc.user_ptr;
    struct local_arrival arrival = {.bits = event->match_bits,
                                    .length = event->rlength,
                                    .rid = (int)event->initiator.rid,
                                    .number = number,
                                    .owed = true};

    local_expected_remove(request);
    deliver(&arrival, buffer ? buffer->start + event->offset : NULL, request);
    buffer_noted(buffer);
}

/* Gives the credit of a short message back although nobody has asked for it: its buffer is free, and behind it may be
 * one for which a receive waits. Not when too many wait already: then their sender has to. */
static bool keep(const struct local_arrival *arrival)
{
    struct local_device *d = &local_device;

    if (d->noted >= LOCAL_NOTED || d->noted_octets + arrival->length > LOCAL_NOTED_OCTETS) {
        return false;
    }
    d->noted++;
    d->noted_octets += arrival->length;
    local_credit_owed(arrival->rid);
    return true;
}

/* Takes a message out of what the event tells of. */
static struct local_arrival *take(const ptl_event_t *event, uint32_t number)
{
    struct local_buffer *buffer = event->mem_desc.user_ptr; /* NULL: a long message, of which nothing came */
    size_t octets = buffer ? (size_t)event->mlength : 0;
    struct local_arrival *arrival = local_unexpected_new(octets);

    if (!arrival) {
        world_abort(1, "there is no memory to note one more message that nobody has asked for");
    }
    arrival->bits = event->match_bits;
    arrival->length = event->rlength;
    arrival->rid = (int)event->initiator.rid;
    arrival->number = number;
    if (octets > 0) {
        memcpy(arrival->octets, buffer->start + event->offset, octets);
    }
    buffer_noted(buffer);
    arrival->owed = buffer && !keep(arrival);
    return arrival;
}

/* What others say of the arrivals. */
static void control(const ptl_event_t *event)
{
    if (event->match_bits >> 32 == LOCAL_UPPER) {
        local_offer_upper((int)event->initiator.rid, (uint32_t)event->match_bits);
    } else {
        local_device.waking[1] = false;
    }
}

SHORT_PATH void local_arrival_event(const ptl_event_t *event)
{
    struct local_device *d = &local_device;
    struct local_arrival *arrival;
    struct request *listed;
    uint32_t number = 0;

    d->idle_turns = 0;
    if (event->portal == LOCAL_CONTROL) {
        control(event);
        return;
    }
    if (local_bits_long(event->match_bits)) {
        number = local_offer_arrived((int)event->initiator.rid, event->match_bits);
    }
    if (is_for_opening(event)) {
        d->found = arrival = take(event, number);
        local_unexpected_add(arrival);
        return;
    }
    listed = local_expected_find(event->match_bits, (int)event->initiator.rid);
    if (listed) {
        deliver_listed(event, number, listed);
    } else {
        local_unexpected_add(take(event, number));
    }
}

//= PUMA-138
//= PUMA-158
//= PUMA-170
bool local_arrivals_note(void)
{
    bool any = false;
    ptl_event_t event;
    int code;

    while ((code = PtlEQGet(local_device.arrived, &event)) != PTL_EQ_EMPTY) {
        local_must_(code, "PtlEQGet of arrivals");
        local_arrival_event(&event);
        any = true;
    }
    return any;
}
