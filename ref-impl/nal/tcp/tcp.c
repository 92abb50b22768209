/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The TCP network as the house sees it: a process's presence on it (tcp.h), and the operations of its interfaces
 * (nal.h). Everything below is in net.h and the files named there.
 */
#include "ref-impl/nal/tcp/tcp.h"

#include "ref-impl/nal/tcp/net.h"
#include "ref-impl/nal/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* The presence of this process. Set by tcp_start and tcp_stop only. */
static struct tcp_net *tcp_presence;

void tcp_net_wake(struct tcp_net *net)
{
    uint64_t one = 1;

    if (!net->woken && write(net->wake_fd, &one, sizeof one) == sizeof one) {
        net->woken = true;
    }
}

void tcp_net_wake_sweep(struct tcp_net *net)
{
    net->sweep_wanted = true;
    tcp_net_wake(net);
}

/* Whether messages to this address can be handed to TCP at all. */
static bool address_reachable(const struct wire_portals_id *target)
{
    return target->pid > 0 && target->pid <= UINT16_MAX && target->nid >> 24 != 0 && target->nid >> 28 < 0xe;
}

/* Whether only a peer that has said version 1.1 may get the message. */
static bool message_numbered(const struct wire_portals_header *header)
{
    return header->number != 0 || header->operation == WIRE_PORTALS_ACKNOWLEDGE;
}

/* Puts an item onto the way to its target: to ourselves, or on the stream to the peer, which is opened where there is
 * none. Called with `lock` held. */
static enum nal_status item_route(struct tcp_interface *interface, const struct wire_portals_header *header,
                                  struct tcp_item *item, struct tcp_queue *finished)
{
    const struct wire_portals_id *target = &header->target;
    struct tcp_net *net = interface->net;
    struct tcp_stream *stream = NULL;
    enum nal_status status = NAL_OK;

    if (target->nid == net->self.nid && target->pid == net->self.pid) {
        tcp_queue_append(&net->self_queue, item);
        tcp_net_wake(net);
        return NAL_OK;
    }
    stream = tcp_route_find(net, interface->config.interface, target->nid, target->pid);
    if (message_numbered(header) && !(stream && stream->numbered)) {
        return NAL_NO_ROUTE; /* PW-30: whoever numbers has to greet first */
    }
    if (!stream) {
        status = tcp_stream_connect(net, interface->config.interface, target, &stream);
    }
    if (status == NAL_OK) {
        tcp_stream_push(stream, item, finished);
    }
    return status;
}

static enum nal_status tcp_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                uint64_t length, void *cookie)
{
    struct tcp_interface *interface = (struct tcp_interface *)nal;
    struct tcp_queue finished = {NULL, NULL};

    if (!address_reachable(&header->target)) {
        return NAL_NO_ROUTE;
    }
    struct tcp_item *item = tcp_item_new(header, payload, length);
    if (!item) {
        return NAL_NO_MEMORY;
    }
    item->interface = interface;
    item->cookie = cookie;
    pthread_mutex_lock(&interface->net->lock);
    enum nal_status status = item_route(interface, header, item, &finished);
    pthread_mutex_unlock(&interface->net->lock);
    if (status != NAL_OK) {
        free(item);
    }
    tcp_items_finish(&finished);
    return status;
}

static void tcp_revoke(struct nal *nal, void *token)
{
    landing_revoke(&((struct tcp_interface *)nal)->port, token);
}

/* Hops as far as TCP lets us know them: none to oneself, one inside the node, two to another node. */
//= P30-097
//= P30-098
static double tcp_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    const struct wire_portals_id *self = &((struct tcp_interface *)nal)->net->self;

    if (peer->nid != self->nid) {
        return 2.0;
    }
    return peer->pid == self->pid ? 0.0 : 1.0;
}

static void tcp_close(struct nal *nal)
{
    struct tcp_interface *interface = (struct tcp_interface *)nal;
    struct tcp_net *net = interface->net;

    pthread_mutex_lock(&net->lock);
    interface->state = TCP_INTERFACE_FLUSHING;
    interface->next_closing = net->closing;
    net->closing = interface;
    tcp_net_wake(net);
    while (interface->state != TCP_INTERFACE_CLOSED) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
    pthread_mutex_unlock(&net->lock);
    free(interface);
}

static const struct nal_ops tcp_ops = {"tcp", tcp_send, tcp_revoke, tcp_distance, tcp_close};

//= P30-084
enum nal_status tcp_net_open(struct tcp_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal)
{
    if (config->interface >= ARRIVALS_INTERFACES) {
        fprintf(stderr, "portals: network tcp has interfaces 0 to %d, not %u\n", ARRIVALS_INTERFACES - 1,
                (unsigned)config->interface);
        return NAL_NO_DEVICE;
    }
    struct tcp_interface *interface = calloc(1, sizeof *interface);
    struct arrivals_early early;

    if (!interface) {
        return NAL_NO_MEMORY;
    }
    interface->nal.ops = &tcp_ops;
    interface->net = net;
    interface->config = *config;
    interface->port.upcalls = *upcalls;
    interface->port.core = core;
    if (!arrivals_open(&net->arrivals, config->interface, &interface->port, &early)) {
        fprintf(stderr, "portals: network tcp: interface %u is open already\n", (unsigned)config->interface);
        free(interface);
        return NAL_NO_DEVICE;
    }
    *nal = &interface->nal;
    arrivals_deliver(&interface->port, &early);
    return NAL_OK;
}

enum nal_status tcp_net_greet(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target)
{
    enum nal_status status = NAL_OK;

    if (!address_reachable(target)) {
        return NAL_NO_ROUTE;
    }
    pthread_mutex_lock(&net->lock);
    struct tcp_stream *stream = tcp_route_find(net, interface, target->nid, target->pid);
    bool greeted = stream && stream->greeted;
    bool numbered = stream && stream->numbered;
    struct wire_portals_id peer = stream ? stream->peer : *target;
    if (!stream) {
        status = tcp_stream_connect(net, interface, target, &stream);
    }
    pthread_mutex_unlock(&net->lock);
    if (greeted) {
        net->watch.peer(net->watch.watcher, interface, &peer, numbered ? TCP_PEER_NUMBERED : TCP_PEER_PLAIN);
    }
    return status;
}

/* Watches a descriptor of the presence itself; `place` is its member, which is how its events are known. */
static bool net_watch(struct tcp_net *net, int *place)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = place};

    return epoll_ctl(net->epoll_fd, EPOLL_CTL_ADD, *place, &event) == 0;
}

static bool net_is_progress(void *net)
{
    return tcp_progress_is_me(net);
}

static void net_wake_all(void *net)
{
    tcp_net_wake_sweep(net);
}

static void net_free(struct tcp_net *net)
{
    if (net->epoll_fd >= 0) {
        close(net->epoll_fd);
    }
    if (net->wake_fd >= 0) {
        close(net->wake_fd);
    }
    arrivals_destroy(&net->arrivals);
    pthread_cond_destroy(&net->quiet);
    pthread_mutex_destroy(&net->lock);
    free(net);
}

struct tcp_net *tcp_net_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size,
                              const struct tcp_watch *watch)
{
    struct tcp_net *net = calloc(1, sizeof *net);
    int error = 0;

    if (!net) {
        fputs("portals: no memory to start the network tcp\n", stderr);
        return NULL;
    }
    net->self = *self;
    net->group_size = group_size;
    net->watch = watch ? *watch : (struct tcp_watch){NULL, NULL};
    net->listen_fd = listen_fd;
    pthread_mutex_init(&net->lock, NULL);
    pthread_cond_init(&net->quiet, NULL);
    arrivals_init(&net->arrivals,
                  &(struct arrivals_network){net, &net->lock, &net->quiet, net_is_progress, net_wake_all});
    net->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    net->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    net->listening = true;
    if (net->wake_fd < 0 || net->epoll_fd < 0 || !net_watch(net, &net->wake_fd) || !net_watch(net, &net->listen_fd)) {
        error = errno;
    } else {
        error = thread_start(&net->thread, tcp_progress_run, net);
    }
    if (error != 0) {
        fprintf(stderr, "portals: cannot start the network tcp: %s\n", strerror(error));
        net_free(net);
        return NULL;
    }
    return net;
}

void tcp_net_stop(struct tcp_net *net)
{
    pthread_mutex_lock(&net->lock);
    net->stopping = true;
    tcp_net_wake(net);
    pthread_mutex_unlock(&net->lock);
    pthread_join(net->thread, NULL);
    net_free(net);
}

bool tcp_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size, const struct tcp_watch *watch)
{
    tcp_presence = tcp_net_start(listen_fd, self, group_size, watch);
    return tcp_presence != NULL;
}

void tcp_stop(void)
{
    tcp_net_stop(tcp_presence);
    tcp_presence = NULL;
}

enum nal_status tcp_greet(uint32_t interface, const struct wire_portals_id *target)
{
    return tcp_net_greet(tcp_presence, interface, target);
}

enum nal_status tcp_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal)
{
    if (!tcp_presence) {
        fputs("portals: the network tcp is not started: this process has not joined a job\n", stderr);
        return NAL_NO_DEVICE;
    }
    return tcp_net_open(tcp_presence, config, upcalls, core, nal);
}
