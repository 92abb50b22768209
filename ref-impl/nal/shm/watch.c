/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Rings that whoever drives looks at directly; see net.h. To set a bit in the receiver's inbox and to take it out again
 * costs as much as the message itself, because two processors take the same memory from each other. So the receiver
 * says of the few rings that it heard last that it watches them, and their senders write and set no bit.
 *
 *    the sender                                  the receiver
 *      writes the message                          says that it does not watch any more
 *      looks whether the ring is watched           looks whether there is a message in the ring
 *        no: sets the bit and rings the bell         yes: sets the bit itself
 *
 * Whatever the order of the two, one of them sees the other. Nobody sleeps on the bell while a ring is watched: who has
 * the turn ends that before it sleeps, and before it gives the turn back while another sleeps.
 */
#include "ref-impl/nal/shm/net.h"

void shm_watch_begin(struct shm_endpoint *endpoint)
{
    struct shm_watch *watch = &endpoint->net->watch;
    uint32_t place = watch->next;

    if (atomic_load_explicit(&endpoint->in->watched, memory_order_relaxed)) {
        return;
    }
    watch->next = (place + 1) % SHM_WATCHED;
    if (watch->endpoints[place]) {
        shm_watch_end(watch->endpoints[place]);
    }
    atomic_store(&watch->endpoints[place], endpoint);
    atomic_store(&watch->any, true); /* before the ring, so that nobody sleeps who then is not rung for */
    atomic_store(&endpoint->in->watched, 1);
}

void shm_watch_end(struct shm_endpoint *endpoint)
{
    struct shm_watch *watch = &endpoint->net->watch;

    for (int i = 0; i < SHM_WATCHED; i++) {
        if (watch->endpoints[i] == endpoint) {
            watch->endpoints[i] = NULL;
            atomic_store(&endpoint->in->watched, 0);
            if (shm_ring_filled(endpoint->in) > 0) {
                shm_bell_mark(endpoint->net->segment.inbox, endpoint->peer->id.rid, endpoint->interface);
            }
        }
    }
}

void shm_watch_end_all(struct shm_net *net)
{
    if (!atomic_load(&net->watch.any)) {
        return;
    }
    for (int i = 0; i < SHM_WATCHED; i++) {
        struct shm_endpoint *endpoint = net->watch.endpoints[i];

        if (endpoint) {
            shm_watch_end(endpoint);
        }
    }
    atomic_store(&net->watch.any, false);
}

struct shm_endpoint *shm_watch_due(struct shm_net *net)
{
    for (int i = 0; i < SHM_WATCHED; i++) {
        struct shm_endpoint *endpoint = atomic_load_explicit(&net->watch.endpoints[i], memory_order_acquire);

        if (endpoint && shm_ring_due(endpoint->in)) {
            return endpoint;
        }
    }
    return NULL;
}
