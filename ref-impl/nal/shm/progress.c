/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Progress: looks for what the peers have written and for requests of the other threads, and does what is to be done.
 * The progress thread does so, that the application need not call the library for messages to arrive and to be answered
 * (P30-008, application bypass), unless a caller does (../drive.h). The clock is looked at only while something waits
 * for a peer, which may have died.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/shm/net.h"
#include "ref-impl/nal/shm/pour.h"

enum { HURRIES = 16 /* one in so many passes that have found something on a watched ring does all there is to do */ };

void shm_net_wake(struct shm_net *net)
{
    atomic_fetch_or(&net->wanted, SHM_WANT_LOOK);
    shm_bell_ring(net->segment.inbox);
}

/* The endpoint's turn, in both directions. */
static void endpoint_turn(struct shm_endpoint *endpoint)
{
    bool more = endpoint->heard && shm_endpoint_read(endpoint);

    if (more && !(atomic_load(&endpoint->in->watched) && shm_ring_due(endpoint->in))) {
        shm_bell_mark(endpoint->net->segment.inbox, endpoint->peer->id.rid,
                      endpoint->interface); /* others come first */
    }
    shm_endpoint_write(endpoint);
}

/* Handles the endpoints whose bits are set in one word. */
static void word_handle(struct shm_net *net, uint32_t word, uint64_t bits)
{
    while (bits) {
        uint32_t bit = word * SHM_PENDING_BITS + (uint32_t)__builtin_ctzll(bits);
        uint32_t rank = bit / SHM_INTERFACES;
        struct shm_peer *peer = rank < net->size ? net->by_rank[rank] : NULL;

        bits &= bits - 1;
        if (peer) {
            struct shm_endpoint *endpoint = &peer->endpoints[bit % SHM_INTERFACES];

            endpoint->heard = true;
            if (endpoint->reading != SHM_READ_NEVER) {
                shm_watch_begin(endpoint);
            }
            endpoint_turn(endpoint);
        }
    }
}

/* Says whether there was anything. */
static bool bits_handle(struct shm_net *net)
{
    struct shm_inbox *inbox = net->segment.inbox;
    bool any = false;

    for (uint32_t word = 0; word < net->words; word++) {
        if (atomic_load_explicit(&inbox->pending[word], memory_order_relaxed) != 0) {
            any = true;
            word_handle(net, word, atomic_exchange(&inbox->pending[word], 0));
        }
    }
    return any;
}

/* Handles the rings that are watched, each once. Says whether there was anything. */
static bool watched_handle(struct shm_net *net)
{
    bool any = false;

    for (int i = 0; i < SHM_WATCHED; i++) {
        struct shm_endpoint *endpoint = net->watch.endpoints[i];

        if (endpoint && shm_ring_due(endpoint->in)) {
            any = true;
            endpoint_turn(endpoint);
        }
    }
    return any;
}

/* Goes on with what is being poured. Says whether there is anything. */
static bool pours_handle(struct shm_net *net)
{
    bool pours = pour_pass(net);

    if (pours && net->taking) {
        endpoint_turn(net->taking);
    }
    return pours;
}

/* Whether anything of ours waits for this peer to do something. */
static bool peer_awaited(struct shm_peer *peer)
{
    bool awaited = false;

    lock_take(&peer->endpoints[0].net->lock);
    for (uint32_t i = 0; i < SHM_INTERFACES; i++) {
        const struct shm_endpoint *endpoint = &peer->endpoints[i];

        awaited = awaited || endpoint->queue.first || endpoint->lent.first || endpoint->reading == SHM_READ_PAYLOAD ||
                  endpoint->reading == SHM_READ_LENT;
    }
    lock_give(&peer->endpoints[0].net->lock);
    return awaited;
}

/* The peer has died or left: what waits for it will wait in vain. */
static void peer_bury(struct shm_peer *peer)
{
    struct shm_net *net = peer->endpoints[0].net;
    struct peer_queue finished = {NULL, NULL};

    lock_take(&net->lock);
    for (uint32_t i = 0; i < SHM_INTERFACES; i++) {
        struct shm_endpoint *endpoint = &peer->endpoints[i];

        if (endpoint->state == SHM_OUT_OPEN || endpoint->state == SHM_OUT_FRESH) {
            endpoint->state = SHM_OUT_DEAD;
            shm_endpoint_fail(endpoint, &finished);
        }
    }
    lock_give(&net->lock);
    peer_items_finish(&finished);
    for (uint32_t i = 0; i < SHM_INTERFACES; i++) {
        if (peer->endpoints[i].heard) {
            shm_endpoint_end(&peer->endpoints[i]);
        }
    }
    peer->gone = true;
}

/* Looks at every peer: settles what was revoked, buries who is gone, and hears those again that have taken what was
 * queued for them. */
static void peers_sweep(struct shm_net *net, bool tick)
{
    for (uint32_t i = 0; i < net->count; i++) {
        struct shm_peer *peer = &net->peers[i];

        for (uint32_t number = 0; number < SHM_INTERFACES; number++) {
            struct shm_endpoint *endpoint = &peer->endpoints[number];

            if (tick) {
                shm_endpoint_tick(endpoint);
            }
            endpoint->surplus += landing_settle(&net->arrivals, &endpoint->landing);
            endpoint_turn(endpoint);
        }
        if (tick && !peer->gone && peer_awaited(peer) && !shm_inbox_alive(peer->inbox)) {
            peer_bury(peer);
        }
    }
}

/* What is to be done besides what the bits say. Says whether there was anything. */
static bool requests_handle(struct shm_net *net)
{
    uint32_t wanted = atomic_load(&net->wanted) ? atomic_exchange(&net->wanted, 0) : 0;
    uint64_t now = 0;
    bool tick = atomic_load(&net->ticking) && (now = clock_now_ms()) >= net->tick_ms;

    if (!(wanted & SHM_WANT_LOOK) && !tick) {
        return wanted != 0; /* the caller that drives is to look at what another thread has done */
    }
    if (tick) {
        net->tick_ms = now + SHM_TICK_MS;
    }
    peers_sweep(net, tick);
    peer_closing_advance(&net->interfaces);
    return true;
}

/* The net for which the calling thread is at work. */
static _Thread_local const struct shm_net *progress_of;

bool shm_progress_is_me(const struct shm_net *net)
{
    return progress_of == net;
}

/* Does what is to be done, `called` by a caller or else by the progress thread; says whether there was anything. With
 * the turn. A caller has mostly waited for what has come to a ring that is watched: so it mostly leaves the rest to the
 * next pass. */
static bool progress_pass(struct shm_net *net, bool called)
{
    progress_of = net;
    net->called = called;
    bool busy = watched_handle(net);
    bool hurries = busy && called && !net->taking && !net->giving && ++net->hurries % HURRIES != 0;

    if (!hurries) {
        busy = pours_handle(net) || busy;
        busy = bits_handle(net) || busy;
        busy = requests_handle(net) || busy;
    }
    progress_of = NULL;
    return busy;
}

/* How long one may sleep, in milliseconds; -1: until one is woken. With the turn. */
static int patience(struct shm_net *net)
{
    lock_take(&net->lock);
    bool ticking = net->items > 0 || net->arriving_count > 0 || net->interfaces.closing;
    if (ticking && !atomic_load(&net->ticking)) {
        net->tick_ms = clock_now_ms() + SHM_TICK_MS;
    }
    atomic_store(&net->ticking, ticking);
    lock_give(&net->lock);
    if (!ticking) {
        return -1;
    }
    uint64_t now = clock_now_ms();
    return net->tick_ms > now ? (int)(net->tick_ms - now) : 0;
}

/* Whether there is something to do. */
static bool progress_due(struct shm_net *net)
{
    return shm_watch_due(net) || atomic_load(&net->wanted) || shm_bell_pending(net->segment.inbox, net->words);
}

/* Sleeps until there is. */
static void progress_sleep(struct shm_net *net, int timeout)
{
    shm_bell_sleep(net->segment.inbox, &net->wanted, &net->watch.any, net->words, timeout);
}

/* Waits for something to do: first awake, then asleep. Where callers drive, it does not come to that. */
static void thread_wait(struct shm_net *net, int timeout)
{
    struct drive_spin *spin = &net->idle;
    bool due;

    if (drive_thread_take(&net->drive)) {
        shm_watch_end_all(net);
        drive_thread_give(&net->drive);
    }
    drive_spin_begin(spin);
    while (!(due = progress_due(net)) && drive_spin_again(spin)) {
    }
    drive_spin_end(spin, due);
    if (!due) {
        progress_sleep(net, timeout);
    }
}

/* Waits until the peers are known; what they write meanwhile stays in the rings. False: stopped before. */
static bool progress_begin(struct shm_net *net)
{
    lock_take(&net->lock);
    net->begun = true;
    pthread_cond_broadcast(&net->quiet);
    while (!net->joined && !net->stopping) {
        lock_wait(&net->lock, &net->quiet);
    }
    bool joined = net->joined;
    lock_give(&net->lock);
    return joined;
}

//= P30-008
void *shm_progress_run(void *argument)
{
    struct shm_net *net = argument;

    (void)pthread_mutex_lock(&net->segment.inbox->alive);
    bool joined = progress_begin(net);
    while (joined && !net->stopping) {
        bool busy = false;
        int timeout = 0;

        if (drive_thread_take(&net->drive)) {
            busy = progress_pass(net, false);
            timeout = busy ? 0 : patience(net);
            drive_thread_give(&net->drive);
        }
        if (drive_thread_spared(&net->drive)) {
            drive_thread_aside(&net->drive);
        } else if (!busy) {
            thread_wait(net, timeout);
        }
    }
    (void)pthread_mutex_unlock(&net->segment.inbox->alive);
    return NULL;
}

/* ---- callers that do its work ------------------------------------------------------------------------------------ */

static struct shm_net *net_of(struct nal *nal)
{
    return ((struct peer_interface *)nal)->network->net;
}

static void driving_wake(struct nal *nal)
{
    struct shm_net *net = net_of(nal);

    atomic_fetch_or(&net->wanted, SHM_WANT_RETURN);
    shm_bell_ring(net->segment.inbox);
}

/* While items wait for a peer, the clock has to be looked at. */
static bool driving_due(struct nal *nal)
{
    struct shm_net *net = net_of(nal);

    drive_look(&net->drive);
    return progress_due(net) || atomic_load(&net->ticking);
}

static void driving_run(struct nal *nal, bool wait)
{
    struct shm_net *net = net_of(nal);
    struct drive_spin *spin = &net->drive.spin;
    bool due = progress_pass(net, true);

    if (due || !wait) {
        return;
    }
    drive_spin_begin(spin);
    while (!(due = progress_due(net)) && drive_spin_again(spin)) {
    }
    drive_spin_end(spin, due);
    if (!due && drive_spin_may_sleep()) {
        int timeout = patience(net);

        shm_watch_end_all(net);
        drive_sleeps(&net->drive, true);
        progress_sleep(net, timeout);
        drive_sleeps(&net->drive, false);
    }
    (void)progress_pass(net, true);
}

static void driving_give(struct nal *nal)
{
    struct shm_net *net = net_of(nal);

    if (shm_bell_sleepers(net->segment.inbox)) {
        shm_watch_end_all(net);
    }
    pour_leave(net);
    peer_interface_give(nal);
}

const struct nal_driving shm_driving = {
    .take = peer_interface_take,
    .claim = peer_interface_claim,
    .rely = peer_interface_rely,
    .due = driving_due,
    .run = driving_run,
    .give = driving_give,
    .wake = driving_wake,
};
