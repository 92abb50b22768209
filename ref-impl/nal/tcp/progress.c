/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Progress: waits for the network and for requests of the other threads, and does what is to be done. The progress
 * thread does so, that the application need not call the library for messages to arrive and to be answered (P30-008,
 * application bypass), unless a caller does (../drive.h). Without traffic everybody sleeps; the clock is looked at only
 * while something has a deadline.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    EVENTS_A_TURN = 64,
    STOP_TICK_MS = 5,
    STOP_IDLE_MS = 2000, /* stopping gives up what has not arrived when none of it did for so long */
    STOP_MS = 10000,     /* and in any case after this time */
};

/* A connection that we opened is there, or is refused. False: refused. */
static bool connection_connected(struct tcp_connection *connection)
{
    int error = 0;
    socklen_t len = sizeof error;

    if (getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0 || connection->refused) {
        connection->refused = connection->refused || error == ECONNREFUSED;
        return false;
    }
    lock_take(&connection->net->lock);
    connection->connecting = false;
    tcp_connection_watch(connection);
    lock_give(&connection->net->lock);
    return true;
}

static bool connection_is_over(struct tcp_connection *connection)
{
    lock_take(&connection->net->lock);
    bool over = connection->ended && (connection->broken || !connection->queue.first);
    lock_give(&connection->net->lock);
    return over;
}

static void connection_handle(struct tcp_connection *connection, uint32_t events)
{
    struct tcp_net *net = connection->net;

    /* Taking the lock also makes visible what a thread that has just opened the connection wrote. */
    lock_take(&net->lock);
    bool connecting = connection->connecting;
    bool ended = connection->ended;
    lock_give(&net->lock);
    if (connecting && !connection_connected(connection)) {
        if (!tcp_connection_wait(connection)) {
            tcp_connection_destroy(connection);
        }
        return;
    }
    if (ended && (events & (EPOLLERR | EPOLLHUP))) {
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
    } else if (events & EPOLLIN) {
        net->recent = connection->ended ? NULL : connection;
        tcp_crossing_advance(connection);
    }
}

static void wake_take(struct tcp_net *net)
{
    uint64_t count;

    lock_take(&net->lock);
    while (read(net->wake_fd, &count, sizeof count) < 0 && errno == EINTR) {
    }
    net->woken = false;
    lock_give(&net->lock);
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

    lock_take(&net->lock);
    struct tcp_connection *connection = net->connections;
    while (connection) {
        struct tcp_connection *next = connection->next;
        bool paused = connection->paused;
        bool overdue = connection->deadline_ms != 0 && now >= connection->deadline_ms;

        if (tick && connection->answers >= TCP_ANSWERS_SOFT) {
            connection->stalled_ticks++;
        }
        again = again || paused || connection->deadline_ms != 0 || connection->answers >= TCP_ANSWERS_SOFT;
        lock_give(&net->lock);
        connection->surplus += landing_settle(&net->arrivals, &connection->landing);
        if (overdue || connection_is_over(connection) || !tcp_connection_redial(connection)) {
            tcp_connection_destroy(connection);
        } else if (paused) {
            connection_handle(connection, EPOLLIN);
        }
        lock_take(&net->lock);
        connection = next;
    }
    lock_give(&net->lock);
    return again;
}

/* The listening socket is watched unless there are no descriptors for what it brings. */
static void listener_watch(struct tcp_net *net)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &net->listen_fd};

    lock_take(&net->lock);
    bool listening = !net->accept_paused && !net->stopping;
    lock_give(&net->lock);
    if (listening != net->listening) {
        event.events = listening ? EPOLLIN : 0U;
        (void)epoll_ctl(net->epoll_fd, EPOLL_CTL_MOD, net->listen_fd, &event);
        net->listening = listening;
    }
}

/* The octets, of what was sent on all connections, that have not reached the machines of the peers. */
static uint64_t connections_left(struct tcp_net *net)
{
    uint64_t left = 0;

    lock_take(&net->lock);
    for (struct tcp_connection *connection = net->connections; connection; connection = connection->next) {
        int unsent = 0;

        /* Also where nothing more can be written: closing has shut that direction (closing.c). */
        if (!connection->connecting && ioctl(connection->fd, SIOCOUTQ, &unsent) == 0) {
            left += (uint64_t)unsent;
        }
    }
    lock_give(&net->lock);
    return left;
}

/* Ends the connections, but not before what is in them has arrived: closing a socket that holds unread octets would
 * destroy what it has not yet delivered. True: all is over. */
static bool stop_advance(struct tcp_net *net)
{
    uint64_t now = clock_now_ms(), left;

    if (net->stop_ms == 0) {
        net->stop_ms = now;
        net->stop_left = UINT64_MAX;
        lock_take(&net->lock);
        for (struct tcp_connection *connection = net->connections; connection; connection = connection->next) {
            (void)shutdown(connection->fd, SHUT_WR);
        }
        lock_give(&net->lock);
    }
    left = connections_left(net);
    if (left < net->stop_left) {
        net->stop_left = left;
        net->stop_moved_ms = now;
    }
    if (left > 0 && now - net->stop_moved_ms < STOP_IDLE_MS && now - net->stop_ms < STOP_MS) {
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
    lock_take(&net->lock);
    bool sweep = net->sweep_wanted || net->paused_count > 0 || tick;
    net->sweep_wanted = false;
    if (tick) {
        net->accept_paused = false;
    }
    bool again = net->interfaces.closing || net->accept_paused || (!sweep && net->tick_ms != 0);
    lock_give(&net->lock);
    if (sweep && connections_sweep(net, tick)) {
        again = true;
    }
    listener_watch(net);
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
    bool waiting = net->tick_ms != 0 && clock_now_ms() >= net->tick_ms;

    for (int i = 0; i < count; i++) {
        waiting = waiting || events[i].data.ptr == &net->wake_fd;
    }
    lock_take(&net->lock);
    waiting = waiting || net->interfaces.closing || net->sweep_wanted || net->paused_count > 0 || net->accept_paused;
    lock_give(&net->lock);
    return waiting;
}

/* The net for which the calling thread is at work. */
static _Thread_local const struct tcp_net *progress_of;

bool tcp_progress_is_me(const struct tcp_net *net)
{
    return progress_of == net;
}

/* Waits so long for something to do and does it; says whether there was anything. With the turn. */
static bool progress_pass(struct tcp_net *net, int timeout)
{
    struct epoll_event events[EVENTS_A_TURN];
    int count = epoll_wait(net->epoll_fd, events, EVENTS_A_TURN, timeout);

    progress_of = net;
    events_handle(net, events, count);
    if (requests_waiting(net, events, count)) {
        net->timeout_ms = requests_handle(net);
    } else if (net->timeout_ms >= 0) {
        uint64_t now = clock_now_ms();
        net->timeout_ms = net->tick_ms > now ? (int)(net->tick_ms - now) : 0;
    }
    progress_of = NULL;
    return count > 0;
}

static bool stop_wanted(struct tcp_net *net)
{
    lock_take(&net->lock);
    bool stopping = net->stopping;
    lock_give(&net->lock);
    return stopping;
}

/* The turn of the progress thread. Says what is to follow: how long to sleep, or nothing (-2) when it is over. */
static int thread_turn(struct tcp_net *net)
{
    progress_of = net;
    (void)tcp_net_release(net);
    bool busy = progress_pass(net, 0);

    if (stop_wanted(net)) {
        progress_of = net;
        bool over = stop_advance(net);
        progress_of = NULL;
        return over ? -2 : STOP_TICK_MS;
    }
    return busy ? 0 : net->timeout_ms;
}

/* Waits for something to do: first awake, then asleep. What it is shows when the thread has the turn. Who holds
 * messages back from now on wakes it. */
static void thread_wait(struct tcp_net *net, int timeout)
{
    struct epoll_event event;
    int count;

    if (atomic_load(&net->held)) {
        return;
    }
    drive_spin_begin(&net->idle);
    while ((count = epoll_wait(net->epoll_fd, &event, 1, 0)) == 0 && drive_spin_again(&net->idle)) {
    }
    drive_spin_end(&net->idle, count > 0);
    if (count == 0) {
        (void)epoll_wait(net->epoll_fd, &event, 1, timeout);
    }
}

//= P30-008
void *tcp_progress_run(void *argument)
{
    struct tcp_net *net = argument;
    int timeout = 0;

    while (timeout >= -1) {
        timeout = 0;
        if (drive_thread_take(&net->drive)) {
            timeout = thread_turn(net);
            drive_thread_give(&net->drive);
        }
        if (drive_thread_spared(&net->drive)) {
            drive_thread_aside(&net->drive);
        } else if (timeout == -1 || timeout > 0) {
            thread_wait(net, timeout);
        }
    }
    return NULL;
}

/* ---- callers that do its work ------------------------------------------------------------------------------------ */

static struct tcp_net *net_of(struct nal *nal)
{
    return ((struct peer_interface *)nal)->network->net;
}

static void driving_wake(struct nal *nal)
{
    struct tcp_net *net = net_of(nal);
    uint64_t one = 1;

    atomic_store(&net->poked, true);
    if (atomic_load(&net->drive.asleep)) {
        (void)!write(net->wake_fd, &one, sizeof one);
    }
}

/* Only the system knows, and asking it costs more than to send a short message: who sends and polls in turn has it
 * asked now and then. */
static bool driving_due(struct nal *nal)
{
    struct tcp_net *net = net_of(nal);
    uint32_t polls = atomic_fetch_add(&net->polls, 1);

    if (polls == 0 && atomic_fetch_add(&net->spared, 1) % TCP_POLLS_SPARED != 0) {
        return false;
    }
    drive_look(&net->drive);
    return true;
}

/* Who waits, and who polls without sending, has what is held back leave first. Says whether anything has: what is told
 * of it may be what the caller waits for. */
static bool held_release(struct tcp_net *net, bool wait)
{
    if (!wait && atomic_load(&net->polls) < TCP_HELD_POLLS) {
        return false;
    }
    atomic_fetch_add(&net->era, 1);
    progress_of = net;
    bool any = tcp_net_release(net);
    progress_of = NULL;
    return any;
}

/* Reads the connection that was heard last, of which there is one: what a caller waits for mostly comes there, and to
 * read it straight away saves asking the system where something has come. Says whether anything has. */
static bool recent_read(struct tcp_net *net)
{
    struct tcp_connection *connection = net->recent;
    uint32_t reads = connection->reads;

    progress_of = net;
    connection_handle(connection, EPOLLIN);
    progress_of = NULL;
    return net->recent != connection || connection->reads != reads;
}

static bool caller_pass(struct tcp_net *net, bool wait)
{
    bool released = held_release(net, wait);
    bool ask = !wait || !net->recent || net->looks++ % TCP_RECENT_LOOKS == 0;

    return (ask ? progress_pass(net, 0) : recent_read(net)) || released || atomic_load(&net->poked);
}

static void driving_run(struct nal *nal, bool wait)
{
    struct tcp_net *net = net_of(nal);
    struct drive_spin *spin = &net->drive.spin;
    bool due = caller_pass(net, wait);

    if (!due && wait) {
        drive_spin_begin(spin);
        while (!(due = caller_pass(net, true)) && drive_spin_again(spin)) {
        }
        drive_spin_end(spin, due);
        if (!due && drive_spin_may_sleep()) {
            drive_sleeps(&net->drive, true);
            if (!atomic_load(&net->poked) && !atomic_load(&net->held)) {
                (void)progress_pass(net, net->timeout_ms);
            }
            drive_sleeps(&net->drive, false);
        }
    }
    atomic_store(&net->poked, false);
}

const struct nal_driving tcp_driving = {
    .take = peer_interface_take,
    .claim = peer_interface_claim,
    .rely = peer_interface_rely,
    .due = driving_due,
    .run = driving_run,
    .give = peer_interface_give,
    .wake = driving_wake,
};
