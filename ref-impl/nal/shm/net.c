/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The beginning and end of a process's presence in shared memory: see shm.h. The inbox is there before others can learn
 * the process's address; they are found when all addresses are known.
 */
#include "ref-impl/nal/shm/net.h"
#include "ref-impl/nal/shm/shm.h"
#include "ref-impl/nal/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool net_is_progress(void *net)
{
    return shm_progress_is_me(net);
}

static void net_wake_all(void *net)
{
    shm_net_wake(net);
}

static void net_free(struct shm_net *net)
{
    for (uint32_t i = 0; i < net->count; i++) {
        shm_inbox_release(net->peers[i].inbox, net->peers[i].rings);
    }
    arrivals_destroy(&net->arrivals);
    free(net->by_rank);
    free(net->peers);
    shm_segment_release(&net->segment);
    pthread_cond_destroy(&net->quiet);
    lock_destroy(&net->lock);
    free(net);
}

/* Starts the progress thread, which holds the sign of life when this returns. */
static int net_thread_start(struct shm_net *net)
{
    int error = thread_start(&net->thread, shm_progress_run, net);

    lock_take(&net->lock);
    while (error == 0 && !net->begun) {
        lock_wait(&net->lock, &net->quiet);
    }
    lock_give(&net->lock);
    return error;
}

struct shm_net *shm_net_prepare(uint32_t nid, uint32_t pid, const char *secret)
{
    struct shm_net *net = calloc(1, sizeof *net);
    int error = 0;

    if (!net) {
        fputs("portals: no memory to start the network shm\n", stderr);
        return NULL;
    }
    lock_init(&net->lock);
    pthread_cond_init(&net->quiet, NULL);
    arrivals_init(&net->arrivals,
                  &(struct arrivals_network){net, &net->lock, &net->quiet, net_is_progress, net_wake_all});
    shm_closing_begin(net);
    if (!shm_segment_make(&net->segment, nid, pid, secret)) {
        fprintf(stderr, "portals: cannot make shared memory %s: %s; mount /dev/shm, or take the network tcp\n",
                net->segment.name, strerror(errno));
    } else if ((error = net_thread_start(net)) != 0) {
        fprintf(stderr, "portals: cannot start the network shm: %s\n", strerror(error));
    } else {
        return net;
    }
    net_free(net);
    return NULL;
}

/* Whether this member is another process on this node. */
static bool is_neighbour(const struct wire_portals_id *member, const struct wire_portals_id *self)
{
    return member->nid == self->nid && member->pid != self->pid;
}

static void endpoints_begin(struct shm_net *net, struct shm_peer *peer)
{
    for (uint32_t number = 0; number < SHM_INTERFACES; number++) {
        struct shm_endpoint *endpoint = &peer->endpoints[number];

        endpoint->net = net;
        endpoint->peer = peer;
        endpoint->interface = number;
        endpoint->in = shm_segment_ring(&net->segment, peer->id.rid, number);
        endpoint->out = shm_inbox_ring(peer->rings, number);
    }
}

int shm_peer_compare(const void *left, const void *right)
{
    const struct shm_peer *a = left;
    const struct shm_peer *b = right;

    return a->id.pid == b->id.pid ? 0 : a->id.pid < b->id.pid ? -1 : 1;
}

/* Finds the inboxes of the neighbours. */
static void peers_find(struct shm_net *net, const struct wire_portals_id *members, uint32_t neighbours)
{
    for (uint32_t rank = 0; rank < net->size; rank++) {
        struct shm_peer *peer = &net->peers[net->count];

        if (is_neighbour(&members[rank], &net->self) &&
            shm_inbox_find(&members[rank], net->segment.inbox, net->self.rid, neighbours, &peer->inbox, &peer->rings)) {
            peer->id = members[rank];
            net->count++;
        }
    }
    qsort(net->peers, net->count, sizeof *net->peers, shm_peer_compare);
    for (uint32_t i = 0; i < net->count; i++) {
        endpoints_begin(net, &net->peers[i]);
        net->by_rank[net->peers[i].id.rid] = &net->peers[i];
    }
}

bool shm_net_join(struct shm_net *net, const struct wire_portals_id *self, const struct wire_portals_id *members,
                  uint32_t size)
{
    uint32_t neighbours = 0;

    if (size == 0 || size > SHM_RANKS) {
        fprintf(stderr, "portals: the network shm is for 1 to %u processes, not %u\n", (unsigned)SHM_RANKS,
                (unsigned)size);
        return false;
    }
    for (uint32_t rank = 0; rank < size; rank++) {
        neighbours += is_neighbour(&members[rank], self);
    }
    net->self = *self;
    net->peers = calloc(neighbours + 1, sizeof *net->peers);
    net->by_rank = calloc(size, sizeof(struct shm_peer *));
    if (!net->peers || !net->by_rank || !shm_segment_map(&net->segment, size)) {
        fprintf(stderr, "portals: no memory for the network shm of %u processes\n", (unsigned)size);
        return false;
    }
    net->size = size;
    net->words = (size * SHM_INTERFACES + SHM_PENDING_BITS - 1) / SHM_PENDING_BITS;
    peers_find(net, members, neighbours);
    if (neighbours == 0) {
        shm_segment_unname(&net->segment);
    }
    drive_init(&net->drive, neighbours + 1);
    drive_spin_init(&net->idle, neighbours + 1);
    lock_take(&net->lock);
    net->joined = true;
    pthread_cond_broadcast(&net->quiet);
    lock_give(&net->lock);
    return true;
}

void shm_net_stop(struct shm_net *net)
{
    lock_take(&net->lock);
    net->stopping = true;
    pthread_cond_broadcast(&net->quiet);
    shm_net_wake(net);
    lock_give(&net->lock);
    pthread_join(net->thread, NULL);
    net_free(net);
}
