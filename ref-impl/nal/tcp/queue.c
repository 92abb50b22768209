/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending: items wait in the queue of a connection and leave it in order, header and payload in one system call,
 * straight from the user's memory, or from a copy of a short payload, so that the user need not wait until it has left.
 * Where nothing waits, the sending thread writes itself; what the network does not take at once is written by the
 * progress thread when it does. Several queued messages leave with one call.
 *
 * Who sends many short messages and looks for nothing meanwhile has them held back after the first few, so that they
 * too leave with one call: when there are enough of them, when a longer one comes, when anybody waits or polls a second
 * time, or when the progress thread looks. Where it would not by itself within a moment, it is woken for more than a
 * few, once, and then stands aside while more are sent.
 */
#include "ref-impl/nal/tcp/net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
    GATHER_ITEMS = 32,
    WRITES_A_TURN = 16,
    PUSHED_AT_ONCE = 2,
    PUSHED_BEFORE_WAKING = 4,
    HEADER_OCTETS = WIRE_PORTALS_NUMBER_OCTETS + WIRE_PORTALS_HEADER_MAX,
};

struct tcp_item *tcp_item_new(const struct wire_portals_header *header, const void *payload, uint64_t length,
                              bool is_copy)
{
    struct tcp_item *item = malloc(sizeof *item + HEADER_OCTETS + (is_copy ? (size_t)length : 0));
    size_t before = 0;

    if (!item) {
        return NULL;
    }
    *item = (struct tcp_item){.is_copy = is_copy};
    if (header->number != 0) {
        struct wire_portals_header number = {
            .operation = WIRE_PORTALS_NUMBER, .epoch = header->epoch, .number = header->number};
        if (wire_portals_encode(&number, item->header, HEADER_OCTETS, &before) != WIRE_OK) {
            free(item);
            return NULL;
        }
    }
    if (wire_portals_encode(header, item->header + before, HEADER_OCTETS - before, &item->header_octets) != WIRE_OK) {
        free(item);
        return NULL;
    }
    item->header_octets += before;
    peer_item_fill(&item->base, header, payload, length);
    if (is_copy && length > 0) {
        item->base.payload = memcpy(item->header + item->header_octets, payload, (size_t)length);
    }
    return item;
}

/* Describes the unwritten rest of an item; returns how many parts that are. */
static int item_parts(struct tcp_item *item, struct iovec *parts)
{
    int count = 0;
    uint64_t done = item->base.done;

    if (item->is_copy) { /* in one piece */
        *parts = (struct iovec){item->header + done, (size_t)(item->header_octets + item->base.payload_octets - done)};
        return 1;
    }
    if (done < item->header_octets) {
        parts[count].iov_base = item->header + done;
        parts[count++].iov_len = item->header_octets - (size_t)done;
        done = item->header_octets;
    }
    uint64_t written = done - item->header_octets;
    if (written < item->base.payload_octets) {
        parts[count].iov_base = (unsigned char *)(uintptr_t)item->base.payload + written;
        parts[count++].iov_len = (size_t)(item->base.payload_octets - written);
    }
    return count;
}

/* One system call for the first `gather` items of the queue. Octets written, or -1 with errno. */
static ssize_t queue_write(int fd, const struct peer_queue *queue, int gather)
{
    struct iovec parts[2 * GATHER_ITEMS];
    struct msghdr message = {.msg_iov = parts};
    int items = 0;

    for (struct peer_item *item = queue->first; item && items < gather; item = item->next, items++) {
        message.msg_iovlen += (size_t)item_parts(tcp_item_of(item), parts + message.msg_iovlen);
    }
    return message.msg_iovlen == 1 ? send(fd, parts->iov_base, parts->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT)
                                   : sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void item_finish(struct tcp_connection *connection, bool complete, struct peer_queue *finished)
{
    struct peer_item *item = peer_queue_take(&connection->queue);

    connection->answers -= item->answer;
    connection->copies -= tcp_item_of(item)->is_copy;
    connection->awaited -= item->cookie != NULL;
    item->complete = complete;
    peer_queue_append(finished, item);
}

/* Books `octets` as written: whole items are finished, the next one is begun. */
static void queue_advance(struct tcp_connection *connection, uint64_t octets, struct peer_queue *finished)
{
    connection->stalled_ticks = 0;
    while (octets > 0) {
        struct peer_item *item = connection->queue.first;
        uint64_t left = tcp_item_of(item)->header_octets + item->payload_octets - item->done;

        if (item->interface) {
            item->interface->moved = true;
        }
        if (octets < left) {
            item->done += octets;
            return;
        }
        octets -= left;
        item_finish(connection, true, finished);
    }
}

void tcp_connection_fail(struct tcp_connection *connection, struct peer_queue *finished)
{
    connection->broken = true;
    tcp_route_remove(connection);
    while (connection->queue.first) {
        item_finish(connection, false, finished);
    }
}

//= P30-001
//= P30-002
void tcp_connection_flush(struct tcp_connection *connection, int writes, struct peer_queue *finished)
{
    int gather = GATHER_ITEMS;

    while (writes-- > 0 && connection->queue.first && !connection->broken && !connection->connecting &&
           !tcp_crossing_holds(connection)) {
        ssize_t written = queue_write(connection->fd, &connection->queue, gather);

        if (written >= 0) {
            queue_advance(connection, (uint64_t)written, finished);
            gather = GATHER_ITEMS;
        } else if (errno == EFAULT && gather > 1) {
            gather = 1; /* some payload is no memory of ours: one by one shows whose it is */
            writes++;
        } else if (errno == EFAULT && connection->queue.first->done == 0) {
            item_finish(connection, false, finished); /* nothing of the message is out: the connection is still sound */
        } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM) {
            break;
        } else if (errno != EINTR) {
            tcp_connection_fail(connection, finished);
        }
    }
    tcp_connection_watch(connection);
}

static void connection_soil(struct tcp_connection *connection)
{
    if (!connection->dirty) {
        connection->dirty = true;
        connection->dirty_next = connection->net->dirty;
        connection->net->dirty = connection;
    }
}

void tcp_connection_clean(struct tcp_connection *connection)
{
    struct tcp_connection **link = &connection->net->dirty;

    if (!connection->dirty) {
        return;
    }
    while (*link != connection) {
        link = &(*link)->dirty_next;
    }
    *link = connection->dirty_next;
    connection->dirty = false;
}

/* Whether the item, the last of the queue, may wait for more of its kind. Counts it. */
static bool item_may_wait(struct tcp_connection *connection, const struct peer_item *item)
{
    struct tcp_net *net = connection->net;
    uint32_t era = atomic_load(&net->era);

    connection->pushed = connection->era == era ? connection->pushed + 1 : 0;
    connection->era = era;
    atomic_store(&net->polls, 0);
    drive_send(&net->drive);
    return connection->pushed >= PUSHED_AT_ONCE && connection->pushed % GATHER_ITEMS != 0 &&
           item->payload_octets <= TCP_HELD_OCTETS && !connection->connecting && connection->completing == 0 &&
           (connection->pushed >= PUSHED_BEFORE_WAKING || drive_looks_soon(&net->drive));
}

/* Holds the queue back. Whoever stops looking after this looks here first, and who had stopped before is woken,
 * once. */
static void connection_hold(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;

    connection_soil(connection);
    if (!atomic_exchange(&net->held, true) && !drive_looks_soon(&net->drive)) {
        tcp_net_wake(net);
    }
}

bool tcp_net_release(struct tcp_net *net)
{
    if (!atomic_load(&net->held)) {
        return false;
    }
    atomic_store(&net->held, false);
    tcp_net_write_dirty(net);
    return true;
}

bool tcp_connection_takes_copy(const struct tcp_connection *connection)
{
    return connection->awaited == 0 && connection->copies < TCP_COPIES_MOST;
}

void tcp_connection_push(struct tcp_connection *connection, struct peer_item *item, struct peer_queue *finished)
{
    struct tcp_net *net = connection->net;
    bool at_once = !connection->queue.first && connection->completing == 0;

    peer_queue_append(&connection->queue, item);
    connection->answers += item->answer;
    connection->copies += tcp_item_of(item)->is_copy;
    connection->awaited += item->cookie != NULL;
    if (connection->answers == TCP_ANSWERS_SOFT) {
        tcp_net_wake_sweep(net);
    }
    bool mine = tcp_progress_is_me(net);

    if (mine && net->batching) {
        connection_soil(connection);
    } else if (!mine && item_may_wait(connection, item) && (at_once || connection->dirty)) {
        connection_hold(connection);
    } else if (at_once || (!mine && connection->dirty && connection->completing == 0)) {
        tcp_connection_flush(connection, 1, finished);
    } else if (!connection->dirty) {
        tcp_connection_watch(connection);
    }
}

void tcp_connection_write(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;
    struct peer_queue finished = {NULL, NULL};

    lock_take(&net->lock);
    tcp_connection_flush(connection, WRITES_A_TURN, &finished);
    if (finished.first) {
        connection->completing++;
        lock_give(&net->lock);
        peer_items_finish(&finished);
        lock_take(&net->lock);
        connection->completing--;
        tcp_connection_watch(connection);
    }
    lock_give(&net->lock);
}

void tcp_net_write_dirty(struct tcp_net *net)
{
    for (;;) {
        lock_take(&net->lock);
        struct tcp_connection *connection = net->dirty;
        if (connection) {
            net->dirty = connection->dirty_next;
            connection->dirty = false;
        }
        lock_give(&net->lock);
        if (!connection) {
            return;
        }
        tcp_connection_write(connection);
    }
}
