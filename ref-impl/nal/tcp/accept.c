/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The opening of connections as seen by the one who is called, and HELLO on either side (specs/portals-wire.md,
 * "Streams").
 */
#include "ref-impl/nal/tcp/net.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* Without free descriptors the listening socket would stay ready and be asked in vain, for ever: it is left alone until
 * a connection closes or some time has passed. */
static void accept_pause(struct tcp_net *net)
{
    lock_take(&net->lock);
    net->accept_paused = true;
    lock_give(&net->lock);
}

void tcp_accept_all(struct tcp_net *net)
{
    for (;;) {
        int fd = accept4(net->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
                accept_pause(net);
            }
            if (errno == EINTR || errno == ECONNABORTED) {
                continue;
            }
            return;
        }
        lock_take(&net->lock);
        struct tcp_connection *connection = tcp_connection_new(net, fd, false);
        net->sweep_wanted = true; /* there is a deadline now */
        lock_give(&net->lock);
        if (!connection) {
            close(fd);
        }
    }
}

/* Notes what the peer's HELLO says that it knows, and tells the watch. */
static void hello_note(struct tcp_connection *connection, const struct wire_portals_header *hello)
{
    struct tcp_net *net = connection->net;
    bool numbered = net->watch.peer && hello->version_minor >= WIRE_PORTALS_MINOR_NUMBERED;

    lock_take(&net->lock);
    connection->greeted = true;
    connection->numbered = numbered;
    lock_give(&net->lock);
    tcp_connection_tell(connection, numbered ? NETWORK_PEER_NUMBERED : NETWORK_PEER_PLAIN);
}

/* The answer to a peer that called us. Its connection becomes the route to it, unless we have opened one ourselves. */
static bool hello_answer(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;
    struct peer_queue finished = {NULL, NULL};

    lock_take(&net->lock);
    bool good = tcp_connection_hello(connection);
    struct tcp_connection *route =
        tcp_route_find(net, connection->interface, connection->peer.nid, connection->peer.pid);
    if (good && route) {
        tcp_crossing_note(connection, route);
    } else if (good) {
        tcp_route_add(connection);
    }
    tcp_connection_flush(connection, 1, &finished);
    lock_give(&net->lock);
    peer_items_finish(&finished);
    return good;
}

bool tcp_hello_take(struct tcp_connection *connection, const struct wire_portals_header *hello)
{
    struct wire_portals_header sent = {.target = connection->peer, .interface = connection->interface};

    if (wire_portals_validate_hello(hello, &connection->net->self, connection->opened ? &sent : NULL) !=
        WIRE_PORTALS_LEGAL) {
        return false;
    }
    if (connection->opened) {
        connection->peer.gid = hello->initiator.gid;
        connection->peer.rid = hello->initiator.rid;
        hello_note(connection, hello);
        return true;
    }
    connection->peer = hello->initiator;
    connection->interface = hello->interface;
    if (!hello_answer(connection)) {
        return false;
    }
    hello_note(connection, hello);
    return true;
}
