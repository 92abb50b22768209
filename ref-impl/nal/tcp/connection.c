/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Streams and routes. A connection is one TCP connection to one interface of one peer. A route says on which connection
 * messages to a peer and interface go; there is at most one, and it stays while the connection is open, for that keeps
 * the order (P30-002). Connecting needs no call of the user's (P30-003): the first message to a peer opens the
 * connection.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"
#include "wire/portals/rules.h"

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
struct tcp_connection *tcp_route_find(struct tcp_net *net, uint32_t interface, uint32_t nid, uint32_t pid)
{
    struct tcp_connection *connection = net->routes[route_chain(interface, nid, pid)];

    while (connection &&
           (connection->interface != interface || connection->peer.nid != nid || connection->peer.pid != pid)) {
        connection = connection->route_next;
    }
    return connection;
}

void tcp_route_add(struct tcp_connection *connection)
{
    unsigned chain = route_chain(connection->interface, connection->peer.nid, connection->peer.pid);

    connection->route_next = connection->net->routes[chain];
    connection->net->routes[chain] = connection;
    connection->routed = true;
}

void tcp_route_remove(struct tcp_connection *connection)
{
    if (!connection->routed) {
        return;
    }
    struct tcp_connection **link =
        &connection->net->routes[route_chain(connection->interface, connection->peer.nid, connection->peer.pid)];
    while (*link != connection) {
        link = &(*link)->route_next;
    }
    *link = connection->route_next;
    connection->routed = false;
}

void tcp_connection_watch(struct tcp_connection *connection)
{
    bool reads = !connection->ended && !connection->paused;
    bool writes = connection->connecting || (connection->queue.first && !connection->broken &&
                                             connection->completing == 0 && !tcp_crossing_holds(connection));
    uint32_t events = (reads ? EPOLLIN : 0U) | (writes ? EPOLLOUT : 0U);
    struct epoll_event event = {.events = events, .data.ptr = connection};

    if (events != connection->events &&
        epoll_ctl(connection->net->epoll_fd, EPOLL_CTL_MOD, connection->fd, &event) == 0) {
        connection->events = events;
    }
}

/* Neither option is needed for being right: one is for speed, the other finds hosts that have vanished. */
static void speed_up(int fd)
{
    int on = 1;

    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

struct tcp_connection *tcp_connection_new(struct tcp_net *net, int fd, bool opened)
{
    struct tcp_connection *connection = calloc(1, sizeof *connection);

    if (!connection) {
        return NULL;
    }
    connection->net = net;
    connection->fd = fd;
    connection->opened = opened;
    connection->connecting = opened;
    connection->events = opened ? EPOLLIN | EPOLLOUT : EPOLLIN;
    connection->deadline_ms = clock_now_ms() + TCP_HELLO_MS;
    struct epoll_event event = {.events = connection->events, .data.ptr = connection};
    if (epoll_ctl(net->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        free(connection);
        return NULL;
    }
    speed_up(fd);
    connection->next = net->connections;
    if (connection->next) {
        connection->next->prev = connection;
    }
    net->connections = connection;
    return connection;
}

void tcp_connection_destroy(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;
    struct peer_queue finished = {NULL, NULL};

    net->recent = net->recent == connection ? NULL : net->recent;
    /* A connection that ends in the middle of a message: the core, which had accepted it, is told and counts it. */
    landing_end(&net->arrivals, &connection->landing, false);
    lock_take(&net->lock);
    tcp_connection_fail(connection, &finished);
    tcp_connection_clean(connection);
    struct tcp_connection *waiting = tcp_crossing_end(connection);
    if (connection->prev) {
        connection->prev->next = connection->next;
    } else {
        net->connections = connection->next;
    }
    if (connection->next) {
        connection->next->prev = connection->prev;
    }
    net->paused_count -= connection->paused;
    net->accept_paused = false; /* a descriptor becomes free */
    lock_give(&net->lock);
    /* Not left to close: a child of the application may still hold the socket, and epoll would go on naming the
     * connection. */
    if (connection->fd >= 0) {
        (void)epoll_ctl(net->epoll_fd, EPOLL_CTL_DEL, connection->fd, NULL);
        close(connection->fd);
    }
    peer_items_finish(&finished);
    if (waiting) {
        tcp_connection_write(waiting);
    }
    if (connection->opened || connection->greeted) {
        tcp_connection_tell(connection, connection->refused ? NETWORK_PEER_REFUSED : NETWORK_PEER_LOST);
    }
    free(connection);
}

void tcp_connection_tell(const struct tcp_connection *connection, enum network_peer_state state)
{
    const struct network_watch *watch = &connection->net->watch;

    if (watch->peer) {
        watch->peer(watch->watcher, connection->interface, &connection->peer, state);
    }
}

bool tcp_connection_hello(struct tcp_connection *connection)
{
    const struct tcp_net *net = connection->net;
    struct wire_portals_header hello = {
        .operation = WIRE_PORTALS_HELLO,
        .version_major = WIRE_PORTALS_MAJOR,
        .version_minor = net->watch.peer ? WIRE_PORTALS_MINOR_NUMBERED : WIRE_PORTALS_MINOR,
        .initiator = net->self,
        .target = connection->peer,
        .interface = connection->interface,
        .group_size = net->group_size,
    };
    struct tcp_item *item = tcp_item_new(&hello, NULL, 0, false);

    if (item) {
        peer_queue_append(&connection->queue, &item->base);
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

/* A socket that is connected, or about to be, to where the peer listens; -1 where there is none. *error: 0 when it is
 * connected. */
static int dial(const struct wire_portals_id *peer, int *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(peer->nid),
                                  .sin_port = htons((uint16_t)wire_portals_port_of(peer->pid))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    *error = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    return fd;
}

bool tcp_connection_wait(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;
    uint64_t now = clock_now_ms();

    lock_take(&net->lock);
    bool waits = connection->opened && connection->refused && !connection->broken && !net->stopping &&
                 now + TCP_REDIAL_MS < connection->patience_ms;
    if (waits) {
        (void)epoll_ctl(net->epoll_fd, EPOLL_CTL_DEL, connection->fd, NULL);
        close(connection->fd);
        connection->fd = -1;
        connection->connecting = true;
        connection->refused = false;
        connection->redial_ms = now + TCP_REDIAL_MS;
        connection->deadline_ms = now + TCP_HELLO_MS;
        net->sweep_wanted = true;
    }
    lock_give(&net->lock);
    return waits;
}

bool tcp_connection_redial(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = connection};
    int error = 0;

    if (connection->redial_ms == 0 || clock_now_ms() < connection->redial_ms) {
        return true;
    }
    lock_take(&net->lock);
    connection->redial_ms = 0;
    connection->fd = dial(&connection->peer, &error);
    connection->refused = error == ECONNREFUSED;
    connection->events = event.events;
    bool good = connection->fd >= 0 && connect_status(error) == NAL_OK &&
                epoll_ctl(net->epoll_fd, EPOLL_CTL_ADD, connection->fd, &event) == 0;
    if (good) {
        speed_up(connection->fd);
    }
    lock_give(&net->lock);
    return good;
}

//= P30-003
enum nal_status tcp_connection_connect(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target,
                                       struct tcp_connection **connection)
{
    int error = 0;
    int fd = dial(target, &error);

    if (fd < 0) {
        return NAL_NO_MEMORY;
    }
    enum nal_status status = connect_status(error);
    if (status != NAL_OK) {
        close(fd);
        return status;
    }
    struct tcp_connection *fresh = tcp_connection_new(net, fd, true);
    if (!fresh) {
        close(fd);
        return NAL_NO_MEMORY;
    }
    fresh->interface = interface;
    fresh->peer = *target;
    fresh->connecting = error != 0;
    fresh->refused = error == ECONNREFUSED;
    fresh->patience_ms = net->patience_ms > 0 ? clock_now_ms() + net->patience_ms : 0;
    if (!tcp_connection_hello(fresh)) {
        fresh->broken = fresh->ended = true; /* the sweep closes it */
        tcp_net_wake_sweep(net);
        return NAL_NO_MEMORY;
    }
    tcp_route_add(fresh);
    tcp_net_wake_sweep(net); /* there is a deadline now */
    *connection = fresh;
    return NAL_OK;
}
