/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving: takes records and payload out of the rings into which the peers write, and fetches what they lend.
 *
 *              given to the core
 *    RECORD ----------------------> PAYLOAD: from the ring
 *      ^  \-----------------------> LENT: from the peer's memory
 *      +------------------------------+
 *
 * Nothing that a peer has written is trusted: positions, lengths and ids are judged like those from a network. A ring
 * that holds nonsense is not read any more (NEVER).
 */
#include "ref-impl/nal/shm/net.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <sys/uio.h>

/* Octets of payload that follow the record. False: a header that no correct process can have written. */
static bool payload_of(const struct wire_portals_header *header, uint64_t *octets)
{
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
        *octets = header->rlength;
        break;
    case WIRE_PORTALS_REPLY:
        *octets = header->mlength;
        break;
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_BARRIER:
        *octets = 0;
        break;
    default:
        return false;
    }
    return *octets <= WIRE_PORTALS_LENGTH_MAX;
}

/* What a receiver of nonsense does: counts it, and hears the peer no more. */
static bool lane_distrust(struct shm_lane *lane)
{
    arrivals_count_drop(&lane->net->arrivals, lane->interface);
    lane->reading = SHM_READ_NEVER;
    return false;
}

/* Gives a message that may be received to its interface, or discards it. */
static void message_begin(struct shm_lane *lane, const struct wire_portals_header *header, uint64_t payload_octets)
{
    struct shm_net *net = lane->net;

    lane->landing.remaining = 0;
    //= P30-305
    //= P30-306
    //= P30-307
    if (wire_portals_validate(header, &lane->peer->id, &net->self) != WIRE_PORTALS_LEGAL) {
        arrivals_count_drop(&net->arrivals, lane->interface);
    } else {
        while (!landing_begin(&net->arrivals, &lane->landing, lane->interface, header, payload_octets) &&
               !arrivals_keep(&net->arrivals, lane->interface, header)) {
        }
    }
    lane->surplus = payload_octets - lane->landing.remaining; //= P30-323
}

/* Tells the sender, once, whether it may lend: whether we can read its memory. */
static void lane_ask(struct shm_lane *lane)
{
    if (!lane->asked) {
        lane->asked = true;
        atomic_store(&lane->in->fetches, shm_inbox_readable(lane->peer->inbox));
    }
}

/* Takes a record out of the ring. False: there is none, or one that is none. */
static bool record_step(struct shm_lane *lane)
{
    struct shm_record record;
    uint64_t payload_octets = 0;
    size_t filled = shm_ring_filled(lane->in);

    if (filled == SIZE_MAX) {
        return lane_distrust(lane);
    }
    if (filled < sizeof record) {
        return false;
    }
    lane_ask(lane);
    shm_ring_peek(lane->in, 0, &record, sizeof record);
    if (!payload_of(&record.header, &payload_octets)) {
        return lane_distrust(lane);
    }
    shm_ring_consume(lane->in, sizeof record);
    message_begin(lane, &record.header, payload_octets);
    lane->net->arriving_count++;
    lane->reading = SHM_READ_PAYLOAD;
    if (record.lent_at != 0) {
        lane->reading = SHM_READ_LENT;
        lane->lent_at = record.lent_at;
        lane->lent_received++;
    }
    return true;
}

static void message_end(struct shm_lane *lane, bool complete)
{
    lane->reading = SHM_READ_RECORD;
    lane->surplus = 0;
    lane->net->arriving_count--;
    landing_end(&lane->net->arrivals, &lane->landing, complete);
}

/* The sender has given up the message that we are reading, and waits for us to say that we have seen it. */
static bool payload_is_cut(struct shm_lane *lane)
{
    uint64_t cut = atomic_load(&lane->in->cut);

    if (cut == 0 || cut != atomic_load(&lane->in->read)) {
        return false;
    }
    message_end(lane, false);
    atomic_store(&lane->in->cut, 0);
    return true;
}

/* Takes payload out of the ring. False: there is none. */
static bool payload_step(struct shm_lane *lane)
{
    size_t filled = shm_ring_filled(lane->in);
    uint64_t wanted = lane->landing.remaining + lane->surplus;
    size_t span = 0;

    if (filled == SIZE_MAX) {
        message_end(lane, false);
        return lane_distrust(lane);
    }
    if (wanted > 0 && filled == 0) {
        return payload_is_cut(lane);
    }
    const unsigned char *octets = shm_ring_span(lane->in, wanted < filled ? (size_t)wanted : filled, &span);
    size_t stored = landing_store(&lane->net->arrivals, &lane->landing, octets, span);
    lane->surplus += landing_settle(&lane->net->arrivals, &lane->landing);
    lane->surplus -= span - stored;
    shm_ring_consume(lane->in, span);
    if (lane->landing.remaining + lane->surplus == 0) {
        message_end(lane, true);
    }
    return true;
}

/* Stores a piece from the memory of another process; false when that cannot be read. */
static bool lent_fetch(struct shm_net *net, struct landing *landing, int32_t process, uint64_t *from)
{
    struct iovec here = {NULL, 0};
    ssize_t got = 0;

    pthread_mutex_lock(&net->arrivals.sink_lock);
    here.iov_len = landing_room(landing, &here.iov_base);
    if (here.iov_len > 0) {
        struct iovec there = {(void *)(uintptr_t)*from, here.iov_len};

        do {
            got = process_vm_readv(process, &here, 1, &there, 1, 0);
        } while (got < 0 && errno == EINTR);
        if (got > 0) {
            landing_book(landing, (size_t)got);
            *from += (uint64_t)got;
        }
    }
    pthread_mutex_unlock(&net->arrivals.sink_lock);
    return got > 0 || here.iov_len == 0;
}

/* Fetches a piece of lent payload. Always true: there is no waiting here. */
static bool lent_step(struct shm_lane *lane)
{
    struct shm_peer *peer = lane->peer;
    bool good = lent_fetch(lane->net, &lane->landing, peer->inbox->process, &lane->lent_at);

    (void)landing_settle(&lane->net->arrivals, &lane->landing);
    if (good && lane->landing.remaining > 0) {
        return true;
    }
    /* What was fetched counts only if it was the sender's to lend all the time, and nobody else's memory. */
    good = good && atomic_load(&lane->in->withdrawn) < lane->lent_received && shm_inbox_alive(peer->inbox);
    message_end(lane, good);
    atomic_store(&lane->in->fetched, lane->lent_received);
    return true;
}

static bool lane_step(struct shm_lane *lane)
{
    switch (lane->reading) {
    case SHM_READ_RECORD:
        return record_step(lane);
    case SHM_READ_PAYLOAD:
        return payload_step(lane);
    case SHM_READ_LENT:
        return lent_step(lane);
    case SHM_READ_NEVER:
        break;
    }
    return false;
}

/* Whether so many answers wait for the peer that it must take some before it is heard again. Without this a peer that
 * asks and does not listen would make this process hold ever more. */
static bool peer_overdrawn(struct shm_lane *lane)
{
    struct shm_net *net = lane->net;

    pthread_mutex_lock(&net->lock);
    bool overdrawn = lane->answers >= SHM_ANSWERS_HARD ||
                     (lane->answers >= SHM_ANSWERS_SOFT && lane->stalled_ticks >= SHM_STALLED_TICKS);
    pthread_mutex_unlock(&net->lock);
    return overdrawn;
}

bool shm_lane_read(struct shm_lane *lane)
{
    int steps = 0;

    if (peer_overdrawn(lane)) {
        return false;
    }
    while (steps < SHM_TURN_STEPS && lane_step(lane)) {
        steps++;
    }
    if (steps > 0 && atomic_load(&lane->in->starved) && atomic_exchange(&lane->in->starved, 0)) {
        shm_bell_mark(lane->peer->inbox, lane->net->self.rid, lane->interface);
    }
    return steps == SHM_TURN_STEPS;
}

void shm_lane_interrupt(struct shm_lane *lane)
{
    if (lane->reading == SHM_READ_PAYLOAD || lane->reading == SHM_READ_LENT) {
        lane->surplus += lane->landing.remaining;
        lane->landing.remaining = 0;
        landing_end(&lane->net->arrivals, &lane->landing, false);
    }
}

void shm_lane_end(struct shm_lane *lane)
{
    /* What it had wholly written counts as sent. */
    while (lane_step(lane)) {
    }
    if (lane->reading == SHM_READ_PAYLOAD || lane->reading == SHM_READ_LENT) {
        message_end(lane, false);
    }
    lane->reading = SHM_READ_NEVER;
}
