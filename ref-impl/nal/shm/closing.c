/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of an interface, done by the progress thread between two messages, so that no upcall of it can be running:
 *
 *    OPEN ---close---> FLUSHING ------------------------------------------> CLOSED
 *                        first: no message arrives any more, landings end      the closing thread goes on
 *                        then: queued messages leave, for a bounded time
 *
 * The process goes on discarding and counting what arrives for this interface.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/shm/net.h"

/* Ends the landings of the interface: nothing is stored any more, and the core is told. */
//= P30-089
static void interface_retire(struct shm_interface *interface)
{
    struct shm_net *net = interface->net;

    interface->retired = true;
    pthread_mutex_lock(&net->lock);
    arrivals_shut(&net->arrivals, interface->config.interface);
    interface->begun_ms = interface->moved_ms = clock_now_ms();
    interface->moved = false;
    pthread_mutex_unlock(&net->lock);
    for (uint32_t i = 0; i < net->count; i++) {
        shm_lane_interrupt(&net->peers[i].lanes[interface->config.interface]);
    }
}

/* Whether messages of the interface still wait, in any lane. Called with `lock` held. */
static bool interface_pending(const struct shm_interface *interface)
{
    const struct shm_net *net = interface->net;

    for (uint32_t i = 0; i < net->count; i++) {
        const struct shm_lane *lane = &net->peers[i].lanes[interface->config.interface];

        if (lane->queue.first || lane->lent.first) {
            return true;
        }
    }
    return false;
}

/* Whether the closing of this interface is over. */
static bool interface_advance(struct shm_interface *interface)
{
    struct shm_net *net = interface->net;
    struct shm_queue finished = {NULL, NULL};
    uint64_t now = clock_now_ms();

    if (!interface->retired) {
        interface_retire(interface);
    }
    pthread_mutex_lock(&net->lock);
    bool over = !interface_pending(interface);
    if (interface->moved) {
        interface->moved = false;
        interface->moved_ms = now;
    }
    if (!over && (now - interface->moved_ms >= SHM_FLUSH_IDLE_MS || now - interface->begun_ms >= SHM_FLUSH_MS)) {
        for (uint32_t i = 0; i < net->count; i++) {
            shm_lane_fail(&net->peers[i].lanes[interface->config.interface], &finished);
        }
        over = true;
    }
    pthread_mutex_unlock(&net->lock);
    shm_items_finish(&finished);
    return over;
}

void shm_closing_advance(struct shm_net *net)
{
    pthread_mutex_lock(&net->lock);
    struct shm_interface *interface = net->closing;
    pthread_mutex_unlock(&net->lock);

    while (interface) {
        bool over = interface_advance(interface);

        pthread_mutex_lock(&net->lock);
        struct shm_interface *next = interface->next_closing;
        if (over) {
            struct shm_interface **link = &net->closing;
            while (*link != interface) {
                link = &(*link)->next_closing;
            }
            *link = next;
            interface->state = SHM_INTERFACE_CLOSED; /* from here on it is the closing thread's to free */
            pthread_cond_broadcast(&net->quiet);
        }
        pthread_mutex_unlock(&net->lock);
        interface = next;
    }
}
