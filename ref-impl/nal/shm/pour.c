/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Pouring lent payload: see pour.h.
 */
#include "ref-impl/nal/shm/pour.h"

#include "ref-impl/clock.h"

#include <string.h>

enum {
    POUR_NEVER = -1,        /* poured_of where there is no memory for it */
    UNASKED_MOST = 15,      /* lent payloads */
    FETCH_BEGINS_NS = 3000, /* more or less; */
    FETCHED_IN_NS = 16,     /* then so many octets are fetched in a nanosecond */
    PATIENCE_NS = 50000,    /* how long one waits for a peer that had begun */
    ABSENT_NS = 20000,      /* who looks no more often has something else to do */
};

/* Octets that are in the place, of `poured` in all; SIZE_MAX: the peer writes nonsense. */
static size_t filled_of(uint64_t poured, uint64_t drained)
{
    return poured - drained > SHM_POUR_OCTETS ? SIZE_MAX : (size_t)(poured - drained);
}

/* As many of `octets` as lie in one piece from a position on. */
static size_t span_at(uint64_t position, uint64_t octets)
{
    uint64_t span = SHM_POUR_OCTETS - position % SHM_POUR_OCTETS;

    span = span < SHM_PIECE_OCTETS ? span : SHM_PIECE_OCTETS;
    return (size_t)(span < octets ? span : octets);
}

/* ---- the receiver ----------------------------------------------------------------------------------------------- */

static bool is_taking(const struct shm_endpoint *endpoint)
{
    return endpoint && endpoint->reading == SHM_READ_LENT && endpoint->pours;
}

/* Whether processors are to be had. */
static bool has_processor(const struct shm_net *net)
{
    return !net->drive.spin.crowded && net->drive.spin.penalty == 0;
}

/* How long the receiver would take to fetch so many octets. */
static uint64_t fetching_ns(uint64_t octets)
{
    return FETCH_BEGINS_NS + octets / FETCHED_IN_NS;
}

void pour_ask(struct shm_endpoint *endpoint)
{
    struct shm_net *net = endpoint->net;
    struct shm_ring *ring = endpoint->in;

    endpoint->pours = false;
    if (!has_processor(net) || is_taking(net->taking) || atomic_load(&ring->poured_of) == (uint64_t)POUR_NEVER) {
        return;
    }
    if (endpoint->unasked > 0) {
        endpoint->unasked--;
        return;
    }
    endpoint->pours = true;
    net->taken_ns = net->looked_ns = clock_now_ns();
    net->taking = endpoint;
    atomic_store(&ring->drained, 0);
    atomic_store(&ring->asked, endpoint->lent_received);
    shm_bell_mark(endpoint->peer->inbox, net->self.rid, endpoint->interface);
}

/* Whether there is still hope. For the first octets one waits no longer than it takes to fetch the payload, so that to
 * wait in vain doubles the time at most. */
static bool may_wait(const struct shm_endpoint *endpoint)
{
    bool answered = atomic_load(&endpoint->in->poured_of) == endpoint->lent_received;
    uint64_t patience_ns = fetching_ns(endpoint->landing.remaining);
    uint64_t waited_ns = endpoint->net->looked_ns - endpoint->net->taken_ns;

    return waited_ns < (answered || patience_ns > PATIENCE_NS ? PATIENCE_NS : patience_ns);
}

/* The peer has something else to do, or we have, and will have the next time. */
static void give_up(struct shm_endpoint *endpoint)
{
    endpoint->pours = false;
    atomic_store(&endpoint->in->asked, 0);
    endpoint->unanswered = (uint8_t)(endpoint->unanswered < UNASKED_MOST ? 2 * endpoint->unanswered + 1 : UNASKED_MOST);
    endpoint->unasked = endpoint->unanswered;
}

static void drain(struct shm_endpoint *endpoint, uint64_t drained, size_t filled)
{
    struct shm_ring *ring = endpoint->in;
    const unsigned char *octets = ring->pour + drained % SHM_POUR_OCTETS;
    size_t stored = landing_store(&endpoint->net->arrivals, &endpoint->landing, octets, span_at(drained, filled));

    endpoint->lent_at += stored;
    endpoint->net->taken_ns = endpoint->net->looked_ns;
    endpoint->unanswered = 0;
    atomic_store_explicit(&ring->drained, drained + stored, memory_order_release);
}

enum pour_taken pour_take(struct shm_endpoint *endpoint)
{
    struct shm_ring *ring = endpoint->in;
    uint64_t drained = atomic_load_explicit(&ring->drained, memory_order_relaxed);
    uint64_t before_ns = endpoint->net->looked_ns;
    size_t filled = 0;

    if (!endpoint->pours) {
        return POUR_NOT;
    }
    endpoint->net->looked_ns = clock_now_ns();
    if (atomic_load_explicit(&ring->poured_of, memory_order_acquire) == endpoint->lent_received) {
        filled = filled_of(atomic_load_explicit(&ring->poured, memory_order_acquire), drained);
    }
    if (filled != SIZE_MAX && endpoint->net->looked_ns - before_ns < ABSENT_NS) {
        if (filled > 0) {
            drain(endpoint, drained, filled);
            return POUR_TAKEN;
        }
        if (may_wait(endpoint)) {
            return POUR_LATER;
        }
    }
    give_up(endpoint);
    return POUR_NOT;
}

/* ---- the sender ------------------------------------------------------------------------------------------------- */

/* The lent payload that is to be poured; NULL: none is. */
static const struct shm_item *item_asked(struct shm_endpoint *endpoint)
{
    const struct shm_item *item = endpoint->lent.first ? shm_item_of(endpoint->lent.first) : NULL;

    return item && item->number == atomic_load(&endpoint->out->asked) ? item : NULL;
}

void pour_expect(struct shm_net *net, uint64_t octets)
{
    uint64_t patience_ns = fetching_ns(octets);

    atomic_store_explicit(&net->expected_ns, clock_now_ns() + (patience_ns < PATIENCE_NS ? patience_ns : PATIENCE_NS),
                          memory_order_relaxed);
}

static bool is_expecting(struct shm_net *net)
{
    uint64_t until_ns = atomic_load_explicit(&net->expected_ns, memory_order_relaxed);

    if (until_ns > 0 && clock_now_ns() > until_ns) {
        atomic_store_explicit(&net->expected_ns, 0, memory_order_relaxed);
        until_ns = 0;
    }
    return until_ns > 0 && has_processor(net);
}

void pour_begin(struct shm_endpoint *endpoint)
{
    struct shm_ring *ring = endpoint->out;
    const struct shm_item *item = item_asked(endpoint);
    uint64_t poured_of = atomic_load(&ring->poured_of);

    if (!item || poured_of == (uint64_t)POUR_NEVER) {
        return;
    }
    if (!endpoint->has_pour && !shm_pour_reserve(ring)) {
        atomic_store(&ring->poured_of, (uint64_t)POUR_NEVER);
        return;
    }
    endpoint->has_pour = true;
    if (item->number != poured_of) {
        atomic_store(&ring->poured, 0);
        atomic_store(&ring->poured_of, item->number);
    }
    endpoint->net->given_ns = clock_now_ns();
    endpoint->net->giving = endpoint;
}

/* Pours a piece; false: there is no room. */
static bool pour_piece(struct shm_ring *ring, const struct shm_item *item, uint64_t poured)
{
    size_t filled = filled_of(poured, atomic_load_explicit(&ring->drained, memory_order_acquire));
    size_t room = filled == SIZE_MAX ? 0 : SHM_POUR_OCTETS - filled;
    uint64_t left = item->base.payload_octets - poured;
    size_t span = span_at(poured, left < room ? left : room);

    memcpy(ring->pour + poured % SHM_POUR_OCTETS, item->base.payload + poured, span);
    atomic_store_explicit(&ring->poured, poured + span, memory_order_release);
    return span > 0;
}

void pour_leave(struct shm_net *net)
{
    if (is_taking(net->taking)) {
        shm_bell_mark(net->segment.inbox, net->taking->peer->id.rid, net->taking->interface);
    }
}

bool pour_pass(struct shm_net *net)
{
    struct shm_endpoint *endpoint = net->giving;

    if (endpoint) {
        lock_take(&net->lock);
        struct shm_ring *ring = endpoint->out;
        const struct shm_item *item = item_asked(endpoint);
        uint64_t poured = atomic_load_explicit(&ring->poured, memory_order_relaxed);
        bool goes_on = item && item->number == atomic_load(&ring->poured_of) && poured < item->base.payload_octets;

        if (goes_on && pour_piece(ring, item, poured)) {
            endpoint->net->given_ns = clock_now_ns();
        } else if (!goes_on || clock_now_ns() - endpoint->net->given_ns > PATIENCE_NS) {
            net->giving = NULL;
        }
        lock_give(&net->lock);
    }
    return net->giving || is_taking(net->taking) || is_expecting(net);
}
