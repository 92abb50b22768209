/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Streams and routes. A stream is one TCP connection to one interface of one peer. A route says on which stream
 * messages to a peer and interface go; there is at most one, and it stays while the stream is open, for that keeps the
 * order (P30-002). Connecting needs no call of the user's (P30-003): the first message to a peer opens the stream.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned route_chain(uint32_t interface, uint32_t nid, uint32_t pid)
{
    return ((nid * 31 + pid) * 31 + interface) % TCP_ROUTES;
}

//= P30-002
struct tcp_stream *tcp_route_find(struct tcp_net *net, uint32_t interface, uint32_t nid, uint32_t pid)
{
    struct tcp_stream *stream = net->routes[route_chain(interface, nid, pid)];

    while (stream && (stream->interface != interface || stream->peer.nid != nid || stream->peer.pid != pid)) {
        stream = stream->route_next;
    }
    return stream;
}

void tcp_route_add(struct tcp_stream *stream)
{
    unsigned chain = route_chain(stream->interface, stream->peer.nid, stream->peer.pid);

    stream->route_next = stream->net->routes[chain];
    stream->net->routes[chain] = stream;
    stream->routed = true;
}

void tcp_route_remove(struct tcp_stream *stream)
{
    if (!stream->routed) {
        return;
    }
    struct tcp_stream **link = &stream->net->routes[route_chain(stream->interface, stream->peer.nid, stream->peer.pid)];
    while (*link != stream) {
        link = &(*link)->route_next;
    }
    *link = stream->route_next;
    stream->routed = false;
}

void tcp_stream_watch(struct tcp_stream *stream)
{
    bool reads = !stream->ended && !stream->paused;
    bool writes = stream->connecting || (stream->queue.first && !stream->broken && stream->completing == 0);
    uint32_t events = (reads ? EPOLLIN : 0U) | (writes ? EPOLLOUT : 0U);
    struct epoll_event event = {.events = events, .data.ptr = stream};

    if (events != stream->events && epoll_ctl(stream->net->epoll_fd, EPOLL_CTL_MOD, stream->fd, &event) == 0) {
        stream->events = events;
    }
}

struct tcp_stream *tcp_stream_new(struct tcp_net *net, int fd, bool opened)
{
    struct tcp_stream *stream = calloc(1, sizeof *stream);
    int on = 1;

    if (!stream) {
        return NULL;
    }
    stream->net = net;
    stream->fd = fd;
    stream->opened = opened;
    stream->connecting = opened;
    stream->events = opened ? EPOLLIN | EPOLLOUT : EPOLLIN;
    stream->deadline_ms = clock_now_ms() + TCP_HELLO_MS;
    struct epoll_event event = {.events = stream->events, .data.ptr = stream};
    if (epoll_ctl(net->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        free(stream);
        return NULL;
    }
    /* Neither option is needed for being right: one is for speed, the other finds hosts that have vanished. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    stream->next = net->streams;
    if (stream->next) {
        stream->next->prev = stream;
    }
    net->streams = stream;
    return stream;
}

void tcp_stream_destroy(struct tcp_stream *stream)
{
    struct tcp_net *net = stream->net;
    struct peer_queue finished = {NULL, NULL};

    /* A stream that ends in the middle of a message: the core, which had accepted it, is told and counts it. */
    landing_end(&net->arrivals, &stream->landing, false);
    pthread_mutex_lock(&net->lock);
    tcp_stream_fail(stream, &finished);
    if (stream->prev) {
        stream->prev->next = stream->next;
    } else {
        net->streams = stream->next;
    }
    if (stream->next) {
        stream->next->prev = stream->prev;
    }
    net->paused_count -= stream->paused;
    net->accept_paused = false; /* a descriptor becomes free */
    pthread_mutex_unlock(&net->lock);
    /* Not left to close: a child of the application may still hold the socket, and epoll would go on naming the stream.
     */
    (void)epoll_ctl(net->epoll_fd, EPOLL_CTL_DEL, stream->fd, NULL);
    close(stream->fd);
    peer_items_finish(&finished);
    if (stream->opened || stream->greeted) {
        tcp_stream_tell(stream, stream->refused ? NETWORK_PEER_REFUSED : NETWORK_PEER_LOST);
    }
    free(stream);
}

void tcp_stream_tell(const struct tcp_stream *stream, enum network_peer_state state)
{
    const struct network_watch *watch = &stream->net->watch;

    if (watch->peer) {
        watch->peer(watch->watcher, stream->interface, &stream->peer, state);
    }
}

bool tcp_stream_hello(struct tcp_stream *stream)
{
    const struct tcp_net *net = stream->net;
    struct wire_portals_header hello = {
        .operation = WIRE_PORTALS_HELLO,
        .version_major = WIRE_PORTALS_MAJOR,
        .version_minor = net->watch.peer ? WIRE_PORTALS_MINOR_NUMBERED : WIRE_PORTALS_MINOR,
        .initiator = net->self,
        .target = stream->peer,
        .interface = stream->interface,
        .group_size = net->group_size,
    };
    struct tcp_item *item = tcp_item_new(&hello, NULL, 0);

    if (item) {
        peer_queue_append(&stream->queue, &item->base);
    }
    return item != NULL;
}

/* What a refused connect means: a peer that is dead or busy will be found out like one that dies later, so that a send
 * to it behaves the same; an address that leads nowhere is the caller's mistake. */
static enum nal_status connect_status(int error)
{
    switch (error) {
    case 0:
    case EINPROGRESS:
    case EINTR:
    case ECONNREFUSED:
    case ECONNRESET:
    case ETIMEDOUT:
        return NAL_OK;
    case ENOMEM:
    case ENOBUFS:
    case EMFILE:
    case ENFILE:
    case EAGAIN:
    case EADDRNOTAVAIL:
        return NAL_NO_MEMORY;
    default:
        return NAL_NO_ROUTE;
    }
}

//= P30-003
enum nal_status tcp_stream_connect(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target,
                                   struct tcp_stream **stream)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(target->nid), .sin_port = htons((uint16_t)target->pid)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int error = 0;

    if (fd < 0) {
        return NAL_NO_MEMORY;
    }
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        error = errno;
    }
    enum nal_status status = connect_status(error);
    if (status != NAL_OK) {
        close(fd);
        return status;
    }
    struct tcp_stream *fresh = tcp_stream_new(net, fd, true);
    if (!fresh) {
        close(fd);
        return NAL_NO_MEMORY;
    }
    fresh->interface = interface;
    fresh->peer = *target;
    fresh->connecting = error != 0;
    fresh->refused = error == ECONNREFUSED;
    if (!tcp_stream_hello(fresh)) {
        fresh->broken = fresh->ended = true; /* the sweep closes it */
        tcp_net_wake_sweep(net);
        return NAL_NO_MEMORY;
    }
    tcp_route_add(fresh);
    tcp_net_wake_sweep(net); /* there is a deadline now */
    *stream = fresh;
    return NAL_OK;
}
