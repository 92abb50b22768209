/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the end of an interface means on this network (../peer/interface.h). When all has left, our direction of its
 * connections is closed; the other one stays until the peer has closed it too: the process goes on discarding and
 * counting what arrives for this interface.
 */
#include "ref-impl/nal/tcp/net.h"

#include <sys/socket.h>

static struct tcp_net *net_of(const struct peer_interface *interface)
{
    return interface->network->net;
}

/* Messages to oneself. Called with `lock` held. */
static void self_withdraw(struct peer_interface *interface, struct peer_queue *finished)
{
    peer_queue_withdraw(&net_of(interface)->self_queue, interface, finished);
}

/* Ends the landings of the interface: nothing is stored any more, and the core is told. */
//= P30-089
static void landings_end(struct peer_interface *interface)
{
    struct tcp_net *net = net_of(interface);

    lock_take(&net->lock);
    struct tcp_connection *connection = net->connections;
    lock_give(&net->lock);
    while (connection) {
        if (connection->interface == interface->config.interface && connection->reading == TCP_READ_PAYLOAD) {
            connection->surplus += connection->landing.remaining;
            connection->landing.remaining = 0;
            landing_end(&net->arrivals, &connection->landing, false);
        }
        /* Others add connections at the list's beginning only, and only this thread removes any. */
        lock_take(&net->lock);
        connection = connection->next;
        lock_give(&net->lock);
    }
}

/* Whether any connection still holds messages of the interface. Called with `lock` held. */
static bool interface_pending(const struct peer_interface *interface)
{
    for (const struct tcp_connection *connection = net_of(interface)->connections; connection;
         connection = connection->next) {
        for (const struct peer_item *item = connection->queue.first; item; item = item->next) {
            if (item->interface == interface) {
                return true;
            }
        }
    }
    return false;
}

/* Gives up what could not be flushed. A message that is partly out cannot be taken back: its connection breaks. Called
 * with `lock` held. */
static void interface_give_up(struct peer_interface *interface, struct peer_queue *finished)
{
    for (struct tcp_connection *connection = net_of(interface)->connections; connection;
         connection = connection->next) {
        const struct peer_item *first = connection->queue.first;

        if (connection->interface != interface->config.interface || !first) {
            continue;
        }
        tcp_connection_fail(connection, finished);
        connection->ended = true; /* the sweep closes it */
        tcp_net_wake_sweep(net_of(interface));
    }
}

/* Closes our direction of the interface's connections, in order (specs/portals-wire.md, PW-19). The peers close theirs
 * when they see it; what still comes until then is discarded and counted. Called with `lock` held. */
static void connections_shut(struct peer_interface *interface)
{
    for (struct tcp_connection *connection = net_of(interface)->connections; connection;
         connection = connection->next) {
        if (connection->interface == interface->config.interface && connection->routed) {
            tcp_route_remove(connection);
            connection->broken = true;
            (void)shutdown(connection->fd, SHUT_WR);
        }
    }
}

void tcp_closing_begin(struct tcp_net *net)
{
    net->interfaces = (struct peer_network){
        .name = "tcp",
        .numbers = ARRIVALS_INTERFACES,
        .arrivals = &net->arrivals,
        .net = net,
        .drive = &net->drive,
        .withdraw = self_withdraw,
        .land = landings_end,
        .pending = interface_pending,
        .give_up = interface_give_up,
        .shut = connections_shut,
    };
}
