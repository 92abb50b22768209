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
 * A short message that is in the ring as a whole, and in one piece, is given to the core and stored in one go.
 *
 * Nothing that a peer has written is trusted: positions, lengths and ids are judged like those from a network. A ring
 * that holds nonsense is not read any more (NEVER).
 */
#include "ref-impl/nal/shm/brief.h"
#include "ref-impl/nal/shm/net.h"
#include "ref-impl/nal/shm/pour.h"
#include "ref-impl/short_path.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

/* Octets of payload that follow the record. False: a header that no correct process can have written. */
static bool payload_of(const struct wire_portals_header *header, uint64_t *octets)
{
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_GETPUT:
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

/* How many octets can be read; SIZE_MAX when the writer claims more than fits. Looks at the writer's side of the ring,
 * which another processor has just written to, only where nothing is left of what it saw there the last time. */
static size_t endpoint_filled(struct shm_endpoint *endpoint)
{
    uint64_t read = atomic_load_explicit(&endpoint->in->read, memory_order_relaxed);
    uint64_t left = endpoint->in_written - read;

    if (left == 0 || left > SHM_RING_OCTETS) {
        left = shm_ring_filled(endpoint->in);
        endpoint->in_written = read + left;
    }
    return (size_t)left;
}

/* What a receiver of nonsense does: counts it, and hears the peer no more. */
static bool endpoint_distrust(struct shm_endpoint *endpoint)
{
    arrivals_count_drop(&endpoint->net->arrivals, endpoint->interface);
    endpoint->reading = SHM_READ_NEVER;
    shm_watch_end(endpoint);
    return false;
}

/* Gives a message to its interface, as a whole where its payload is here, else its header. False: it is not open. */
static bool message_give(struct shm_endpoint *endpoint, const struct wire_portals_header *header,
                         uint64_t payload_octets, const unsigned char *payload)
{
    struct arrivals *arrivals = &endpoint->net->arrivals;

    return payload ? landing_whole(arrivals, endpoint->interface, header, payload, (size_t)payload_octets)
                   : landing_begin(arrivals, &endpoint->landing, endpoint->interface, header, payload_octets);
}

/* Gives a message that may be received to its interface, or discards it. `payload` is all of it, or NULL. */
static void message_begin(struct shm_endpoint *endpoint, const struct wire_portals_header *header,
                          uint64_t payload_octets, const unsigned char *payload)
{
    struct shm_net *net = endpoint->net;

    endpoint->landing.remaining = 0;
    //= P30-305
    //= P30-306
    //= P30-307
    if (wire_portals_validate(header, &endpoint->peer->id, &net->self) != WIRE_PORTALS_LEGAL) {
        arrivals_count_drop(&net->arrivals, endpoint->interface);
    } else {
        while (!message_give(endpoint, header, payload_octets, payload) &&
               !arrivals_keep(&net->arrivals, endpoint->interface, header)) {
        }
    }
    endpoint->surplus = payload_octets - endpoint->landing.remaining; //= P30-323
}

/* Tells the sender, once, whether it may lend: whether we can read its memory. */
static void endpoint_ask(struct shm_endpoint *endpoint)
{
    if (!endpoint->asked) {
        endpoint->asked = true;
        atomic_store(&endpoint->in->fetches, shm_inbox_readable(endpoint->peer->inbox));
    }
}

/* The payload of the record that has been taken out, where the ring, in which so many octets are left, holds all of it
 * in one piece; else NULL. */
static const unsigned char *payload_here(struct shm_endpoint *endpoint, const struct shm_record *record,
                                         uint64_t octets, size_t filled)
{
    size_t span = 0;

    if (record->lent_at != 0 || octets > filled || octets > SHM_PIECE_OCTETS) {
        return NULL;
    }
    const unsigned char *payload = shm_ring_span(endpoint->in, (size_t)octets, &span);
    return span == octets ? payload : NULL;
}

/* Whether a message of the brief form may be received. Its ids are those of both ends, so with a put, of which all is
 * here, nothing else can be wrong. */
static bool brief_is_legal(const struct shm_endpoint *endpoint, const struct wire_portals_header *header)
{
    //= P30-305
    //= P30-306
    //= P30-307
    return (header->operation == WIRE_PORTALS_PUT && header->mlength == 0) ||
           wire_portals_validate(header, &endpoint->peer->id, &endpoint->net->self) == WIRE_PORTALS_LEGAL;
}

/* Gives a message of the brief form, which is there as a whole, to the core. False: it is none that a correct process
 * can have written. */
SHORT_PATH static bool brief_step(struct shm_endpoint *endpoint, const struct shm_brief *brief)
{
    struct shm_ring *ring = endpoint->in;
    struct wire_portals_header header;
    uint64_t payload_octets = 0;
    size_t span = 0;

    shm_brief_header(brief, &endpoint->peer->id, &endpoint->net->self, &header);
    if (!payload_of(&header, &payload_octets) || payload_octets > SHM_PIECE_OCTETS) {
        return endpoint_distrust(endpoint);
    }
    size_t octets = (size_t)shm_brief_octets(atomic_load_explicit(&ring->read, memory_order_relaxed), payload_octets);
    const unsigned char *start = shm_ring_span(ring, sizeof *brief + (size_t)payload_octets, &span);
    if (span != sizeof *brief + payload_octets) {
        return endpoint_distrust(endpoint);
    }
    if (!brief_is_legal(endpoint, &header) || !landing_whole(&endpoint->net->arrivals, endpoint->interface, &header,
                                                             start + sizeof *brief, (size_t)payload_octets)) {
        arrivals_count_drop(&endpoint->net->arrivals, endpoint->interface);
    }
    shm_ring_consume(ring, octets);
    return true;
}

/* The same of the whole form. */
static bool whole_step(struct shm_endpoint *endpoint, size_t filled)
{
    struct shm_record record;
    uint64_t payload_octets = 0;

    if (filled < sizeof record) { /* a record is written as a whole */
        return endpoint_distrust(endpoint);
    }
    shm_ring_peek(endpoint->in, 0, &record, sizeof record);
    if (record.form != SHM_FORM_WHOLE || !payload_of(&record.header, &payload_octets)) {
        return endpoint_distrust(endpoint);
    }
    shm_ring_consume(endpoint->in, sizeof record);
    const unsigned char *payload = payload_here(endpoint, &record, payload_octets, filled - sizeof record);
    message_begin(endpoint, &record.header, payload_octets, payload);
    if (payload) {
        shm_ring_consume(endpoint->in, (size_t)payload_octets);
        endpoint->surplus = 0;
        return true;
    }
    endpoint->net->arriving_count++;
    atomic_store_explicit(&endpoint->in->within, 1, memory_order_relaxed);
    endpoint->reading = SHM_READ_PAYLOAD;
    if (record.lent_at != 0) {
        endpoint->reading = SHM_READ_LENT;
        endpoint->lent_at = record.lent_at;
        endpoint->lent_received++;
        pour_ask(endpoint);
    }
    return true;
}

/* Takes a message out of the ring whose beginning only the writer's position shows. False: there is none, or one that
 * is none. */
static bool other_step(struct shm_endpoint *endpoint)
{
    struct shm_brief brief = {.form = SHM_FORM_WHOLE};
    size_t filled = endpoint_filled(endpoint);
    size_t span = 0;

    if (filled == 0) {
        return false;
    }
    if (filled == SIZE_MAX) {
        return endpoint_distrust(endpoint);
    }
    const unsigned char *start = shm_ring_span(endpoint->in, sizeof brief, &span);
    if (span == sizeof brief && filled >= sizeof brief) {
        memcpy(&brief, start, sizeof brief);
    }
    return brief.form == SHM_FORM_BRIEF ? brief_step(endpoint, &brief) : whole_step(endpoint, filled);
}

/* Takes a message out of the ring. False: there is none, or one that is none. What the peer may still write to is read
 * once. */
static bool record_step(struct shm_endpoint *endpoint)
{
    uint64_t read = atomic_load_explicit(&endpoint->in->read, memory_order_relaxed);
    _Atomic uint64_t *head = shm_ring_head(endpoint->in, read);
    uint64_t first = head ? atomic_load_explicit(head, memory_order_acquire) : SHM_FORM_WHOLE;
    struct shm_brief brief;

    if (first == SHM_FORM_NONE) {
        return false;
    }
    endpoint_ask(endpoint);
    if ((uint32_t)first != SHM_FORM_BRIEF) {
        return other_step(endpoint);
    }
    memcpy(&brief, endpoint->in->octets + shm_ring_place(read), sizeof brief); /* it fits into the line */
    return brief_step(endpoint, &brief);
}

static void message_end(struct shm_endpoint *endpoint, bool complete)
{
    endpoint->reading = SHM_READ_RECORD;
    atomic_store_explicit(&endpoint->in->within, 0, memory_order_relaxed);
    endpoint->surplus = 0;
    endpoint->net->arriving_count--;
    landing_end(&endpoint->net->arrivals, &endpoint->landing, complete);
}

/* The sender has given up the message that we are reading, and waits for us to say that we have seen it. */
static bool payload_is_cut(struct shm_endpoint *endpoint)
{
    uint64_t cut = atomic_load(&endpoint->in->cut);

    if (cut == 0 || cut != atomic_load(&endpoint->in->read)) {
        return false;
    }
    message_end(endpoint, false);
    atomic_store(&endpoint->in->cut, 0);
    return true;
}

/* Takes payload out of the ring. False: there is none. */
static bool payload_step(struct shm_endpoint *endpoint)
{
    size_t filled = endpoint_filled(endpoint);
    uint64_t wanted = endpoint->landing.remaining + endpoint->surplus;
    size_t span = 0;

    if (filled == SIZE_MAX) {
        message_end(endpoint, false);
        return endpoint_distrust(endpoint);
    }
    if (wanted > 0 && filled == 0) {
        return payload_is_cut(endpoint);
    }
    const unsigned char *octets = shm_ring_span(endpoint->in, wanted < filled ? (size_t)wanted : filled, &span);
    size_t stored = landing_store(&endpoint->net->arrivals, &endpoint->landing, octets, span);
    endpoint->surplus += landing_settle(&endpoint->net->arrivals, &endpoint->landing);
    endpoint->surplus -= span - stored;
    shm_ring_consume(endpoint->in, span);
    if (endpoint->landing.remaining + endpoint->surplus == 0) {
        message_end(endpoint, true);
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

/* Takes a piece of lent payload. False: the peer is about to pour one. */
static bool lent_step(struct shm_endpoint *endpoint)
{
    struct shm_peer *peer = endpoint->peer;
    enum pour_taken poured = pour_take(endpoint);
    bool good = poured == POUR_TAKEN;

    if (poured == POUR_LATER) {
        return false;
    }
    if (poured == POUR_NOT) {
        good = lent_fetch(endpoint->net, &endpoint->landing, peer->inbox->process, &endpoint->lent_at);
    }

    (void)landing_settle(&endpoint->net->arrivals, &endpoint->landing);
    if (good && endpoint->landing.remaining > 0) {
        return true;
    }
    /* What was fetched counts only if it was the sender's to lend all the time, and nobody else's memory. */
    good = good && atomic_load(&endpoint->in->withdrawn) < endpoint->lent_received && shm_inbox_alive(peer->inbox);
    message_end(endpoint, good);
    atomic_store(&endpoint->in->fetched, endpoint->lent_received);
    return true;
}

static bool endpoint_step(struct shm_endpoint *endpoint)
{
    switch (endpoint->reading) {
    case SHM_READ_RECORD:
        return record_step(endpoint);
    case SHM_READ_PAYLOAD:
        return payload_step(endpoint);
    case SHM_READ_LENT:
        return lent_step(endpoint);
    case SHM_READ_NEVER:
        break;
    }
    return false;
}

/* Whether so many answers wait for the peer that it must take some before it is heard again. Without this a peer that
 * asks and does not listen would make this process hold ever more. */
static bool peer_overdrawn(struct shm_endpoint *endpoint)
{
    struct shm_net *net = endpoint->net;

    if (atomic_load(&endpoint->answers) < SHM_ANSWERS_SOFT) {
        return false;
    }
    lock_take(&net->lock);
    bool overdrawn = endpoint->answers >= SHM_ANSWERS_HARD || endpoint->stalled_ticks >= SHM_STALLED_TICKS;
    lock_give(&net->lock);
    return overdrawn;
}

bool shm_endpoint_read(struct shm_endpoint *endpoint)
{
    int steps = 0;

    if (peer_overdrawn(endpoint)) {
        shm_watch_end(endpoint);
        return false;
    }
    while (steps < SHM_TURN_STEPS && endpoint_step(endpoint)) {
        steps++;
    }
    if (steps > 0 && atomic_load(&endpoint->in->starved) && atomic_exchange(&endpoint->in->starved, 0)) {
        shm_bell_mark(endpoint->peer->inbox, endpoint->net->self.rid, endpoint->interface);
    }
    return steps == SHM_TURN_STEPS;
}

void shm_endpoint_interrupt(struct shm_endpoint *endpoint)
{
    if (endpoint->reading == SHM_READ_PAYLOAD || endpoint->reading == SHM_READ_LENT) {
        endpoint->surplus += endpoint->landing.remaining;
        endpoint->landing.remaining = 0;
        landing_end(&endpoint->net->arrivals, &endpoint->landing, false);
    }
}

void shm_endpoint_end(struct shm_endpoint *endpoint)
{
    /* What it had wholly written counts as sent. */
    while (endpoint_step(endpoint)) {
    }
    if (endpoint->reading == SHM_READ_PAYLOAD || endpoint->reading == SHM_READ_LENT) {
        message_end(endpoint, false);
    }
    endpoint->reading = SHM_READ_NEVER;
    shm_watch_end(endpoint);
}
