/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The progress thread: looks for what the peers have written and for requests of the other threads, and does what is to
 * be done, so that the application need not call the library for messages to arrive and to be answered (P30-008,
 * application bypass). Where nothing comes it goes on looking for a moment, because an answer is often near, and then
 * sleeps; it looks at the clock only while something waits for a peer, which may have died.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/shm/net.h"

/* How often it looks again before it sleeps: more where that was worth while, less where it was not. */
enum { SPINS_LEAST = 16, SPINS_MOST = 2048 };

void shm_net_wake(struct shm_net *net)
{
    atomic_store(&net->wanted, true);
    shm_bell_ring(net->segment.inbox);
}

/* The endpoint's turn, in both directions. */
static void endpoint_turn(struct shm_endpoint *endpoint)
{
    if (endpoint->heard && shm_endpoint_read(endpoint)) {
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
            peer->endpoints[bit % SHM_INTERFACES].heard = true;
            endpoint_turn(&peer->endpoints[bit % SHM_INTERFACES]);
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

/* Whether anything of ours waits for this peer to do something. */
static bool peer_awaited(struct shm_peer *peer)
{
    bool awaited = false;

    pthread_mutex_lock(&peer->endpoints[0].net->lock);
    for (uint32_t i = 0; i < SHM_INTERFACES; i++) {
        const struct shm_endpoint *endpoint = &peer->endpoints[i];

        awaited = awaited || endpoint->queue.first || endpoint->lent.first || endpoint->reading == SHM_READ_PAYLOAD ||
                  endpoint->reading == SHM_READ_LENT;
    }
    pthread_mutex_unlock(&peer->endpoints[0].net->lock);
    return awaited;
}

/* The peer has died or left: what waits for it will wait in vain. */
static void peer_bury(struct shm_peer *peer)
{
    struct shm_net *net = peer->endpoints[0].net;
    struct peer_queue finished = {NULL, NULL};

    pthread_mutex_lock(&net->lock);
    for (uint32_t i = 0; i < SHM_INTERFACES; i++) {
        struct shm_endpoint *endpoint = &peer->endpoints[i];

        if (endpoint->state == SHM_OUT_OPEN || endpoint->state == SHM_OUT_FRESH) {
            endpoint->state = SHM_OUT_DEAD;
            shm_endpoint_fail(endpoint, &finished);
        }
    }
    pthread_mutex_unlock(&net->lock);
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
    bool wanted = atomic_exchange(&net->wanted, false);
    uint64_t now = 0;

    pthread_mutex_lock(&net->lock);
    bool ticking = net->ticking;
    pthread_mutex_unlock(&net->lock);
    bool tick = ticking && (now = clock_now_ms()) >= net->tick_ms;
    if (!wanted && !tick) {
        return false;
    }
    if (tick) {
        net->tick_ms = now + SHM_TICK_MS;
    }
    peers_sweep(net, tick);
    peer_closing_advance(&net->interfaces);
    return true;
}

/* How long the thread may sleep, in milliseconds; -1: until it is woken. */
static int patience(struct shm_net *net)
{
    pthread_mutex_lock(&net->lock);
    bool ticking = net->items > 0 || net->arriving_count > 0 || net->interfaces.closing;
    if (ticking && !net->ticking) {
        net->tick_ms = clock_now_ms() + SHM_TICK_MS;
    }
    net->ticking = ticking;
    pthread_mutex_unlock(&net->lock);
    if (!ticking) {
        return -1;
    }
    uint64_t now = clock_now_ms();
    return net->tick_ms > now ? (int)(net->tick_ms - now) : 0;
}

static void processor_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Waits for something to do: first awake, then asleep. */
static void progress_wait(struct shm_net *net)
{
    struct shm_inbox *inbox = net->segment.inbox;
    int timeout = patience(net);

    for (uint32_t spin = 0; spin < net->spins; spin++) {
        if (atomic_load(&net->wanted) || shm_bell_pending(inbox, net->words)) {
            net->spins = net->spins < SPINS_MOST ? net->spins * 2 : SPINS_MOST;
            return;
        }
        processor_relax();
    }
    net->spins = net->spins > SPINS_LEAST ? net->spins / 2 : net->spins;
    shm_bell_sleep(inbox, &net->wanted, net->words, timeout);
}

/* The net whose progress thread the calling thread is. */
static _Thread_local const struct shm_net *progress_of;

bool shm_progress_is_me(const struct shm_net *net)
{
    return progress_of == net;
}

/* Waits until the peers are known; what they write meanwhile stays in the rings. False: stopped before. */
static bool progress_begin(struct shm_net *net)
{
    pthread_mutex_lock(&net->lock);
    net->begun = true;
    pthread_cond_broadcast(&net->quiet);
    while (!net->joined && !net->stopping) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
    bool joined = net->joined;
    pthread_mutex_unlock(&net->lock);
    return joined;
}

//= P30-008
void *shm_progress_run(void *argument)
{
    struct shm_net *net = argument;

    progress_of = net;
    (void)pthread_mutex_lock(&net->segment.inbox->alive);
    bool stopping = !progress_begin(net);
    while (!stopping) {
        bool busy = bits_handle(net);

        busy = requests_handle(net) || busy;
        if (!busy) {
            progress_wait(net);
        }
        pthread_mutex_lock(&net->lock);
        stopping = net->stopping;
        pthread_mutex_unlock(&net->lock);
    }
    (void)pthread_mutex_unlock(&net->segment.inbox->alive);
    return NULL;
}
