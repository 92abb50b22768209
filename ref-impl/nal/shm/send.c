/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending: items wait in the queue of a lane and leave it in order. Where nothing waits, the sending thread puts the
 * message into the peer's ring itself; what there is no room for is put there by the progress thread when there is.
 *
 *    queue: not begun --> begun, payload follows piece by piece --> done: sent
 *                    \--> begun, payload lent --> `lent` queue --> fetched by the peer: sent
 */
#include "ref-impl/nal/shm/net.h"

#include <stdlib.h>

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

/* Ends the first item of one of the lane's two queues. */
static void item_finish(struct shm_lane *lane, struct peer_queue *queue, bool complete, struct peer_queue *finished)
{
    struct peer_item *item = peer_queue_take(queue);

    lane->answers -= item->answer;
    lane->net->items--;
    item->complete = complete;
    peer_queue_append(finished, item);
}

/* Notes that octets of this item have moved: nobody is stalled. */
static void item_moved(struct shm_lane *lane, const struct peer_item *item)
{
    lane->stalled_ticks = 0;
    item->interface->moved = true;
}

/* Puts the record of an item into the ring. False: there is no room. */
static bool item_begin(struct shm_lane *lane, struct shm_item *item)
{
    struct shm_ring *ring = lane->out;
    struct shm_record record = {.header = item->header};

    if (shm_ring_room(ring) < sizeof record) {
        return false;
    }
    if (item->base.payload_octets > SHM_LEND_OCTETS && atomic_load(&ring->fetches)) {
        record.lent_at = (uint64_t)(uintptr_t)item->base.payload;
        item->number = ++lane->lent_sent;
    }
    shm_ring_write(ring, 0, &record, sizeof record);
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
    shm_ring_publish(ring, octets);
    item_moved(lane, &item->base);
    return true;
}

/* Puts a piece of the payload into the ring. False: there is no room. */
static bool item_continue(struct shm_lane *lane, struct shm_item *item)
{
    size_t piece = shm_ring_room(lane->out);
    uint64_t left = item->base.payload_octets - item->base.done;

    if (piece == 0) {
        return false;
    }
    piece = piece < SHM_PIECE_OCTETS ? piece : SHM_PIECE_OCTETS;
    piece = piece < left ? piece : (size_t)left;
    shm_ring_write(lane->out, 0, item->base.payload + item->base.done, piece);
    shm_ring_publish(lane->out, piece);
    item->base.done += piece;
    item_moved(lane, &item->base);
    return true;
}

/* Puts into the ring what there is room for. Says whether anything was put there. */
static bool queue_advance(struct shm_lane *lane, struct peer_queue *finished)
{
    struct peer_item *first;
    bool moved = false;

    /* What was given up has not been seen by the reader yet: it must not take what follows for the rest of it. */
    if (atomic_load(&lane->out->cut) != 0) {
        return false;
    }
    while ((first = lane->queue.first)) {
        struct shm_item *item = shm_item_of(first);

        if (item->begun ? !item_continue(lane, item) : !item_begin(lane, item)) {
            break;
        }
        moved = true;
        if (item->number > 0) {
            peer_queue_append(&lane->lent, peer_queue_take(&lane->queue));
        } else if (first->done == first->payload_octets) {
            item_finish(lane, &lane->queue, true, finished);
        }
    }
    return moved;
}

/* Takes back the payloads that the peer has fetched. */
static void lent_advance(struct shm_lane *lane, struct peer_queue *finished)
{
    if (!lane->lent.first) {
        return;
    }
    uint64_t fetched = atomic_load(&lane->out->fetched);
    while (lane->lent.first && shm_item_of(lane->lent.first)->number <= fetched) {
        item_moved(lane, lane->lent.first);
        item_finish(lane, &lane->lent, true, finished);
    }
}

/* Both, and makes sure that the peer tells us when we can go on. */
static void lane_advance(struct shm_lane *lane, struct peer_queue *finished)
{
    if (lane->state != SHM_OUT_OPEN) {
        return;
    }
    lent_advance(lane, finished);
    bool moved = queue_advance(lane, finished);
    if (lane->queue.first || lane->lent.first) {
        /* It looks at this after it has made room, and we look for room after we have said it: one sees the other. */
        atomic_store(&lane->out->starved, 1);
        moved = queue_advance(lane, finished) || moved;
        lent_advance(lane, finished);
    }
    if (moved) {
        shm_bell_mark(lane->peer->inbox, lane->net->self.rid, lane->interface);
    }
}

bool shm_lane_usable(struct shm_lane *lane)
{
    if (lane->state == SHM_OUT_FRESH) {
        lane->state = shm_ring_reserve(lane->out) ? SHM_OUT_OPEN : SHM_OUT_CLOSED;
    }
    return lane->state != SHM_OUT_CLOSED;
}

//= P30-001
//= P30-002
void shm_lane_push(struct shm_lane *lane, struct peer_item *item, struct peer_queue *finished)
{
    bool at_once = !lane->queue.first && lane->completing == 0;

    peer_queue_append(&lane->queue, item);
    lane->answers += item->answer;
    lane->net->items++;
    if (lane->state == SHM_OUT_DEAD) {
        shm_lane_fail(lane, finished);
    } else if (at_once) {
        lane_advance(lane, finished);
    }
    if (lane->net->items > 0 && !lane->net->ticking) {
        shm_net_wake(lane->net); /* from now on somebody must look whether the peer lives */
    }
}

void shm_lane_fail(struct shm_lane *lane, struct peer_queue *finished)
{
    if (lane->lent.first) {
        /* Whoever fetches one of these later finds that it does not count. */
        atomic_store(&lane->out->withdrawn, lane->lent_sent);
    }
    if (lane->queue.first && shm_item_of(lane->queue.first)->begun) {
        atomic_store(&lane->out->cut, atomic_load(&lane->out->written));
        shm_bell_mark(lane->peer->inbox, lane->net->self.rid, lane->interface);
    }
    while (lane->lent.first) {
        item_finish(lane, &lane->lent, false, finished);
    }
    while (lane->queue.first) {
        item_finish(lane, &lane->queue, false, finished);
    }
}

void shm_lane_write(struct shm_lane *lane)
{
    struct shm_net *net = lane->net;
    struct peer_queue finished = {NULL, NULL};

    pthread_mutex_lock(&net->lock);
    lane_advance(lane, &finished);
    while (finished.first) {
        lane->completing++;
        pthread_mutex_unlock(&net->lock);
        peer_items_finish(&finished);
        pthread_mutex_lock(&net->lock);
        lane->completing--;
        lane_advance(lane, &finished); /* what came meanwhile was only queued */
    }
    pthread_mutex_unlock(&net->lock);
}

void shm_lane_tick(struct shm_lane *lane)
{
    pthread_mutex_lock(&lane->net->lock);
    if (lane->answers >= SHM_ANSWERS_SOFT) {
        lane->stalled_ticks++;
    }
    pthread_mutex_unlock(&lane->net->lock);
}
