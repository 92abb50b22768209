/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The progress thread: waits for the network and for requests of the other threads, and does what is to be done, so
 * that the application need not call the library for messages to arrive and to be answered (P30-008, application
 * bypass). Without traffic it sleeps; it looks at the clock only while something has a deadline.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS_A_TURN = 64, STOP_TICK_MS = 5, STOP_LINGER_MS = 2000 };

/* A connection that we opened is there, or is refused. False: refused. */
static bool connection_connected(struct tcp_connection *connection)
{
    int error = 0;
    socklen_t len = sizeof error;

    if (getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
        connection->refused = connection->refused || error == ECONNREFUSED;
        return false;
    }
    pthread_mutex_lock(&connection->net->lock);
    connection->connecting = false;
    tcp_connection_watch(connection);
    pthread_mutex_unlock(&connection->net->lock);
    return true;
}

static bool connection_is_over(struct tcp_connection *connection)
{
    pthread_mutex_lock(&connection->net->lock);
    bool over = connection->ended && (connection->broken || !connection->queue.first);
    pthread_mutex_unlock(&connection->net->lock);
    return over;
}

static void connection_handle(struct tcp_connection *connection, uint32_t events)
{
    struct tcp_net *net = connection->net;

    /* Taking the lock also makes visible what a thread that has just opened the connection wrote. */
    pthread_mutex_lock(&net->lock);
    bool connecting = connection->connecting;
    bool ended = connection->ended;
    pthread_mutex_unlock(&net->lock);
    if ((connecting && !connection_connected(connection)) || (ended && (events & (EPOLLERR | EPOLLHUP)))) {
        tcp_connection_destroy(connection);
        return;
    }
    if (events & EPOLLOUT) {
        tcp_connection_write(connection);
    }
    bool good = true;
    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) {
        net->batching = true;
        good = tcp_connection_read(connection, (events & (EPOLLERR | EPOLLHUP)) != 0);
        net->batching = false;
        tcp_net_write_dirty(net);
    }
    if (!good || connection_is_over(connection)) {
        tcp_connection_destroy(connection);
    }
}

static void wake_take(struct tcp_net *net)
{
    uint64_t count;

    pthread_mutex_lock(&net->lock);
    while (read(net->wake_fd, &count, sizeof count) < 0 && errno == EINTR) {
    }
    net->woken = false;
    pthread_mutex_unlock(&net->lock);
}

static void events_handle(struct tcp_net *net, const struct epoll_event *events, int count)
{
    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr == &net->wake_fd) {
            wake_take(net);
        } else if (events[i].data.ptr == &net->listen_fd) {
            tcp_accept_all(net);
        } else {
            connection_handle(events[i].data.ptr, events[i].events);
        }
    }
}

/* Looks at every connection: settles what was revoked, closes what is over or overdue, and hears peers again that have
 * taken what was queued for them. Says whether any connection needs another look later. */
static bool connections_sweep(struct tcp_net *net, bool tick)
{
    uint64_t now = clock_now_ms();
    bool again = false;

    pthread_mutex_lock(&net->lock);
    struct tcp_connection *connection = net->connections;
    while (connection) {
        struct tcp_connection *next = connection->next;
        bool paused = connection->paused;
        bool overdue = connection->deadline_ms != 0 && now >= connection->deadline_ms;

        if (tick && connection->answers >= TCP_ANSWERS_SOFT) {
            connection->stalled_ticks++;
        }
        again = again || paused || connection->deadline_ms != 0 || connection->answers >= TCP_ANSWERS_SOFT;
        pthread_mutex_unlock(&net->lock);
        connection->surplus += landing_settle(&net->arrivals, &connection->landing);
        if (overdue || connection_is_over(connection)) {
            tcp_connection_destroy(connection);
        } else if (paused) {
            connection_handle(connection, EPOLLIN);
        }
        pthread_mutex_lock(&net->lock);
        connection = next;
    }
    pthread_mutex_unlock(&net->lock);
    return again;
}

/* The listening socket is watched unless there are no descriptors for what it brings. */
static void listener_watch(struct tcp_net *net)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &net->listen_fd};

    pthread_mutex_lock(&net->lock);
    bool listening = !net->accept_paused && !net->stopping;
    pthread_mutex_unlock(&net->lock);
    if (listening != net->listening) {
        event.events = listening ? EPOLLIN : 0U;
        (void)epoll_ctl(net->epoll_fd, EPOLL_CTL_MOD, net->listen_fd, &event);
        net->listening = listening;
    }
}

/* Whether what was sent on all connections has reached the machines of the peers. */
static bool connections_drained(struct tcp_net *net)
{
    bool drained = true;

    pthread_mutex_lock(&net->lock);
    for (struct tcp_connection *connection = net->connections; connection && drained; connection = connection->next) {
        int unsent = 0;
        drained = connection->broken || connection->connecting || ioctl(connection->fd, SIOCOUTQ, &unsent) != 0 ||
                  unsent == 0;
    }
    pthread_mutex_unlock(&net->lock);
    return drained;
}

/* Ends the connections, but not before what is in them has arrived: closing a socket that holds unread octets would
 * destroy what it has not yet delivered. True: all is over. */
static bool stop_advance(struct tcp_net *net)
{
    uint64_t now = clock_now_ms();

    if (net->stop_ms == 0) {
        net->stop_ms = now;
        pthread_mutex_lock(&net->lock);
        for (struct tcp_connection *connection = net->connections; connection; connection = connection->next) {
            (void)shutdown(connection->fd, SHUT_WR);
        }
        pthread_mutex_unlock(&net->lock);
    }
    if (!connections_drained(net) && now - net->stop_ms < STOP_LINGER_MS) {
        return false;
    }
    while (net->connections) {
        tcp_connection_destroy(net->connections);
    }
    return true;
}

/* What is to be done between events: requests of other threads, deadlines. Says how long to sleep, in milliseconds, or
 * -1. */
static int requests_handle(struct tcp_net *net)
{
    uint64_t now = clock_now_ms();
    bool tick = net->tick_ms != 0 && now >= net->tick_ms;

    tcp_self_deliver(net);
    peer_closing_advance(&net->interfaces);
    pthread_mutex_lock(&net->lock);
    bool sweep = net->sweep_wanted || net->paused_count > 0 || tick;
    net->sweep_wanted = false;
    if (tick) {
        net->accept_paused = false;
    }
    bool again = net->interfaces.closing || net->accept_paused || (!sweep && net->tick_ms != 0);
    pthread_mutex_unlock(&net->lock);
    if (sweep && connections_sweep(net, tick)) {
        again = true;
    }
    if (!again) {
        net->tick_ms = 0;
        return -1;
    }
    if (net->tick_ms == 0 || tick) {
        net->tick_ms = now + TCP_TICK_MS;
    }
    return net->tick_ms > now ? (int)(net->tick_ms - now) : 0;
}

/* Whether requests_handle has anything to do: it costs a look at every connection, which plain traffic does not pay. */
static bool requests_waiting(struct tcp_net *net, const struct epoll_event *events, int count)
{
    bool waiting = count == 0 || (net->tick_ms != 0 && clock_now_ms() >= net->tick_ms);

    for (int i = 0; i < count; i++) {
        waiting = waiting || events[i].data.ptr == &net->wake_fd;
    }
    pthread_mutex_lock(&net->lock);
    waiting = waiting || net->interfaces.closing || net->sweep_wanted || net->paused_count > 0 || net->accept_paused;
    pthread_mutex_unlock(&net->lock);
    return waiting;
}

/* The net whose progress thread the calling thread is. */
static _Thread_local const struct tcp_net *progress_of;

bool tcp_progress_is_me(const struct tcp_net *net)
{
    return progress_of == net;
}

//= P30-008
void *tcp_progress_run(void *argument)
{
    struct tcp_net *net = argument;
    struct epoll_event events[EVENTS_A_TURN];
    int timeout = -1;

    progress_of = net;
    for (;;) {
        listener_watch(net);
        int count = epoll_wait(net->epoll_fd, events, EVENTS_A_TURN, timeout);

        events_handle(net, events, count);
        if (requests_waiting(net, events, count)) {
            timeout = requests_handle(net);
        } else if (timeout >= 0) {
            uint64_t now = clock_now_ms();
            timeout = net->tick_ms > now ? (int)(net->tick_ms - now) : 0;
        }
        pthread_mutex_lock(&net->lock);
        bool stopping = net->stopping;
        pthread_mutex_unlock(&net->lock);
        if (stopping) {
            if (stop_advance(net)) {
                return NULL;
            }
            timeout = STOP_TICK_MS;
        }
    }
}
