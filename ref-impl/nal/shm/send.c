/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending: items wait in the queue of an endpoint and leave it in order. Where nothing waits, the sending thread puts
 * the message into the peer's ring itself, a short one without making an item of it; what there is no room for is put
 * there by the progress thread when there is.
 *
 *    queue: not begun --> begun, payload follows piece by piece --> done: sent
 *                    \--> begun, payload lent --> `lent` queue --> fetched by the peer: sent
 */
#include "ref-impl/nal/shm/brief.h"
#include "ref-impl/nal/shm/net.h"
#include "ref-impl/nal/shm/pour.h"

#include <stdlib.h>
#include <string.h>

struct shm_item *shm_item_new(const struct wire_portals_header *header, const void *payload, uint64_t length)
{
    struct shm_item *item = calloc(1, sizeof *item);

    if (!item) {
        return NULL;
    }
    item->header = *header;
    peer_item_fill(&item->base, header, payload, length);
    return item;
}

/* Ends the first item of one of the endpoint's two queues. */
static void item_finish(struct shm_endpoint *endpoint, struct peer_queue *queue, bool complete,
                        struct peer_queue *finished)
{
    struct peer_item *item = peer_queue_take(queue);

    endpoint->waiting--;
    endpoint->answers -= item->answer;
    endpoint->net->items--;
    item->complete = complete;
    peer_queue_append(finished, item);
}

/* Notes that octets of this item have moved: nobody is stalled. */
static void item_moved(struct shm_endpoint *endpoint, const struct peer_item *item)
{
    endpoint->stalled_ticks = 0;
    item->interface->moved = true;
}

/* Whether so many octets can be put into the ring. Looks at the peer's side of it, which another processor has just
 * written to, only where what it saw there the last time does not suffice. */
static bool ring_has_room(struct shm_endpoint *endpoint, size_t octets)
{
    struct shm_ring *ring = endpoint->out;
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);

    if (written - endpoint->out_read + octets > SHM_RING_MOST) {
        endpoint->out_read = written - (SHM_RING_MOST - shm_ring_room(ring));
    }
    return written - endpoint->out_read + octets <= SHM_RING_MOST;
}

/* What was put into the ring has to be seen. */
static void peer_tell(struct shm_endpoint *endpoint)
{
    if (!atomic_load(&endpoint->out->watched)) {
        shm_bell_mark(endpoint->peer->inbox, endpoint->net->self.rid, endpoint->interface);
    }
}

/* Writes a record but for its first word, which comes last. */
static void record_write(struct shm_ring *ring, const struct shm_record *record)
{
    shm_ring_write(ring, sizeof record->form, (const unsigned char *)record + sizeof record->form,
                   sizeof *record - sizeof record->form);
}

/* Puts the record of an item into the ring. False: there is no room. */
static bool item_begin(struct shm_endpoint *endpoint, struct shm_item *item)
{
    struct shm_ring *ring = endpoint->out;
    struct shm_record record = {.form = SHM_FORM_WHOLE, .header = item->header};

    if (shm_ring_room(ring) < sizeof record) {
        return false;
    }
    if (item->base.payload_octets > SHM_LEND_OCTETS && atomic_load(&ring->fetches)) {
        record.lent_at = (uint64_t)(uintptr_t)item->base.payload;
        item->number = ++endpoint->lent_sent;
        pour_expect(endpoint->net, item->base.payload_octets);
    }
    record_write(ring, &record);
    item->begun = true;
    /* A short payload becomes visible together with its record. */
    size_t octets = sizeof record;
    if (item->number == 0 && item->base.payload_octets > 0 &&
        item->base.payload_octets <= shm_ring_room(ring) - sizeof record &&
        item->base.payload_octets <= SHM_PIECE_OCTETS) {
        shm_ring_write(ring, sizeof record, item->base.payload, (size_t)item->base.payload_octets);
        item->base.done = item->base.payload_octets;
        octets += (size_t)item->base.payload_octets;
    }
    shm_ring_end(ring, octets);
    shm_ring_begin(ring, record.form);
    shm_ring_publish(ring, octets);
    item_moved(endpoint, &item->base);
    return true;
}

/* Puts a piece of the payload into the ring. False: there is no room. */
static bool item_continue(struct shm_endpoint *endpoint, struct shm_item *item)
{
    size_t piece = shm_ring_room(endpoint->out);
    uint64_t left = item->base.payload_octets - item->base.done;

    if (piece == 0) {
        return false;
    }
    piece = piece < SHM_PIECE_OCTETS ? piece : SHM_PIECE_OCTETS;
    piece = piece < left ? piece : (size_t)left;
    shm_ring_write(endpoint->out, 0, item->base.payload + item->base.done, piece);
    shm_ring_end(endpoint->out, piece);
    shm_ring_publish(endpoint->out, piece);
    item->base.done += piece;
    item_moved(endpoint, &item->base);
    return true;
}

/* Puts into the ring what there is room for. Says whether anything was put there. */
static bool queue_advance(struct shm_endpoint *endpoint, struct peer_queue *finished)
{
    struct peer_item *first;
    bool moved = false;

    /* What was given up has not been seen by the reader yet: it must not take what follows for the rest of it. */
    if (atomic_load(&endpoint->out->cut) != 0) {
        return false;
    }
    while ((first = endpoint->queue.first)) {
        struct shm_item *item = shm_item_of(first);

        if (item->begun ? !item_continue(endpoint, item) : !item_begin(endpoint, item)) {
            break;
        }
        moved = true;
        if (item->number > 0) {
            peer_queue_append(&endpoint->lent, peer_queue_take(&endpoint->queue));
        } else if (first->done == first->payload_octets) {
            item_finish(endpoint, &endpoint->queue, true, finished);
        }
    }
    return moved;
}

/* Takes back the payloads that the peer has fetched. */
static void lent_advance(struct shm_endpoint *endpoint, struct peer_queue *finished)
{
    if (!endpoint->lent.first) {
        return;
    }
    uint64_t fetched = atomic_load(&endpoint->out->fetched);
    while (endpoint->lent.first && shm_item_of(endpoint->lent.first)->number <= fetched) {
        item_moved(endpoint, endpoint->lent.first);
        item_finish(endpoint, &endpoint->lent, true, finished);
    }
}

/* Both, and makes sure that the peer tells us when we can go on. */
static void endpoint_advance(struct shm_endpoint *endpoint, struct peer_queue *finished)
{
    if (endpoint->state != SHM_OUT_OPEN) {
        return;
    }
    lent_advance(endpoint, finished);
    bool moved = queue_advance(endpoint, finished);
    if (endpoint->queue.first || endpoint->lent.first) {
        /* It looks at this after it has made room, and we look for room after we have said it: one sees the other. */
        atomic_store(&endpoint->out->starved, 1);
        moved = queue_advance(endpoint, finished) || moved;
        lent_advance(endpoint, finished);
    }
    if (moved) {
        peer_tell(endpoint);
    }
}

bool shm_endpoint_usable(struct shm_endpoint *endpoint)
{
    if (endpoint->state == SHM_OUT_FRESH) {
        endpoint->state = shm_ring_reserve(endpoint->out) ? SHM_OUT_OPEN : SHM_OUT_CLOSED;
    }
    return endpoint->state != SHM_OUT_CLOSED;
}

/* Puts a message into the ring in its brief form; false: it has none there, or there is no room. */
static bool put_brief(struct shm_endpoint *endpoint, const struct wire_portals_header *header, const void *payload,
                      size_t length)
{
    struct shm_ring *ring = endpoint->out;
    uint64_t position = atomic_load_explicit(&ring->written, memory_order_relaxed);
    size_t octets = (size_t)shm_brief_octets(position, length);
    unsigned char *place = ring->octets + position % SHM_RING_OCTETS;
    uint64_t first;

    if (position % SHM_RING_OCTETS + sizeof(struct shm_brief) + length > SHM_RING_OCTETS ||
        !ring_has_room(endpoint, octets)) {
        return false;
    }
    first = shm_brief_write(header, place);
    if (length > 0) {
        memcpy(place + sizeof(struct shm_brief), payload, length);
    }
    shm_ring_end(ring, octets);
    shm_ring_begin(ring, first);
    shm_ring_publish(ring, octets);
    return true;
}

static bool put_whole(struct shm_endpoint *endpoint, const struct wire_portals_header *header, const void *payload,
                      size_t length)
{
    struct shm_ring *ring = endpoint->out;
    struct shm_record record;

    if (!ring_has_room(endpoint, sizeof record + length)) {
        return false;
    }
    record = (struct shm_record){.form = SHM_FORM_WHOLE, .header = *header};
    record_write(ring, &record);
    if (length > 0) {
        shm_ring_write(ring, sizeof record, payload, length);
    }
    shm_ring_end(ring, sizeof record + length);
    shm_ring_begin(ring, record.form);
    shm_ring_publish(ring, sizeof record + length);
    return true;
}

bool shm_endpoint_put(struct shm_endpoint *endpoint, const struct wire_portals_header *header, const void *payload,
                      uint64_t length)
{
    bool brief = shm_brief_suits(header, &endpoint->net->self, &endpoint->peer->id);

    if (endpoint->state != SHM_OUT_OPEN || endpoint->queue.first || endpoint->completing > 0 ||
        length > SHM_PIECE_OCTETS || atomic_load(&endpoint->out->cut) != 0) {
        return false;
    }
    if (!(brief && put_brief(endpoint, header, payload, (size_t)length)) &&
        !put_whole(endpoint, header, payload, (size_t)length)) {
        return false;
    }
    endpoint->stalled_ticks = 0;
    peer_tell(endpoint);
    return true;
}

//= P30-001
//= P30-002
void shm_endpoint_push(struct shm_endpoint *endpoint, struct peer_item *item, struct peer_queue *finished)
{
    bool at_once = !endpoint->queue.first && endpoint->completing == 0;

    peer_queue_append(&endpoint->queue, item);
    endpoint->waiting++;
    endpoint->answers += item->answer;
    endpoint->net->items++;
    if (endpoint->state == SHM_OUT_DEAD) {
        shm_endpoint_fail(endpoint, finished);
    } else if (at_once) {
        endpoint_advance(endpoint, finished);
    }
    if (endpoint->net->items > 0 && !endpoint->net->ticking) {
        shm_net_wake(endpoint->net); /* from now on somebody must look whether the peer lives */
    }
}

void shm_endpoint_fail(struct shm_endpoint *endpoint, struct peer_queue *finished)
{
    if (endpoint->lent.first) {
        /* Whoever fetches one of these later finds that it does not count. */
        atomic_store(&endpoint->out->withdrawn, endpoint->lent_sent);
    }
    if (endpoint->queue.first && shm_item_of(endpoint->queue.first)->begun) {
        atomic_store(&endpoint->out->cut, atomic_load(&endpoint->out->written));
        shm_bell_mark(endpoint->peer->inbox, endpoint->net->self.rid, endpoint->interface);
    }
    while (endpoint->lent.first) {
        item_finish(endpoint, &endpoint->lent, false, finished);
    }
    while (endpoint->queue.first) {
        item_finish(endpoint, &endpoint->queue, false, finished);
    }
}

void shm_endpoint_write(struct shm_endpoint *endpoint)
{
    struct shm_net *net = endpoint->net;
    struct peer_queue finished = {NULL, NULL};

    if (atomic_load(&endpoint->waiting) == 0) {
        return; /* whoever adds an item advances it, and the peer tells us later than that */
    }
    lock_take(&net->lock);
    endpoint_advance(endpoint, &finished);
    if (endpoint->lent.first && net->called) {
        pour_begin(endpoint);
    }
    while (finished.first) {
        endpoint->completing++;
        lock_give(&net->lock);
        peer_items_finish(&finished);
        lock_take(&net->lock);
        endpoint->completing--;
        endpoint_advance(endpoint, &finished); /* what came meanwhile was only queued */
    }
    lock_give(&net->lock);
}

void shm_endpoint_tick(struct shm_endpoint *endpoint)
{
    lock_take(&endpoint->net->lock);
    if (endpoint->answers >= SHM_ANSWERS_SOFT) {
        endpoint->stalled_ticks++;
    }
    lock_give(&endpoint->net->lock);
}
