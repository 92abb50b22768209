/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The beginning and end of a process's presence on the TCP network: its descriptors and its progress thread, and how
 * that is woken.
 */
#include "ref-impl/nal/tcp/net.h"
#include "ref-impl/nal/tcp/tcp.h"
#include "ref-impl/nal/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

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
    lock_destroy(&net->lock);
    free(net);
}

bool tcp_net_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size,
                   const struct network_watch *watch, struct tcp_net **started)
{
    struct tcp_net *net = calloc(1, sizeof *net);
    int error = 0;

    if (!net) {
        fputs("portals: no memory to start the network tcp\n", stderr);
        return false;
    }
    net->self = *self;
    net->group_size = group_size;
    net->watch = watch ? *watch : (struct network_watch){NULL, NULL};
    net->listen_fd = listen_fd;
    lock_init(&net->lock);
    pthread_cond_init(&net->quiet, NULL);
    arrivals_init(&net->arrivals,
                  &(struct arrivals_network){net, &net->lock, &net->quiet, net_is_progress, net_wake_all});
    tcp_closing_begin(net);
    net->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    net->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    net->listening = true;
    net->timeout_ms = -1;
    /* As if all were on this node: looking then yields the processor, which costs next to nothing where it is free. */
    drive_init(&net->drive, group_size);
    drive_spin_init(&net->idle, group_size);
    if (net->wake_fd < 0 || net->epoll_fd < 0 || !net_watch(net, &net->wake_fd) || !net_watch(net, &net->listen_fd)) {
        error = errno;
    } else {
        *started = net;
        error = thread_start(&net->thread, tcp_progress_run, net);
    }
    if (error != 0) {
        fprintf(stderr, "portals: cannot start the network tcp: %s\n", strerror(error));
        net_free(net);
        *started = NULL;
    }
    return error == 0;
}

void tcp_net_expect(struct tcp_net *net, uint32_t patience_ms)
{
    lock_take(&net->lock);
    net->patience_ms = patience_ms;
    lock_give(&net->lock);
}

void tcp_net_stop(struct tcp_net *net)
{
    lock_take(&net->lock);
    net->stopping = true;
    tcp_net_wake(net);
    lock_give(&net->lock);
    pthread_join(net->thread, NULL);
    net_free(net);
}
