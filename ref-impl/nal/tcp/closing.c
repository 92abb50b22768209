/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the end of an interface means on this network (../peer/interface.h). When all has left, our direction of its
 * streams is closed; the other one stays until the peer has closed it too: the process goes on discarding and counting
 * what arrives for this interface.
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

    pthread_mutex_lock(&net->lock);
    struct tcp_stream *stream = net->streams;
    pthread_mutex_unlock(&net->lock);
    while (stream) {
        if (stream->interface == interface->config.interface && stream->reading == TCP_READ_PAYLOAD) {
            stream->surplus += stream->landing.remaining;
            stream->landing.remaining = 0;
            landing_end(&net->arrivals, &stream->landing, false);
        }
        /* Others add streams at the list's beginning only, and only this thread removes any. */
        pthread_mutex_lock(&net->lock);
        stream = stream->next;
        pthread_mutex_unlock(&net->lock);
    }
}

/* Whether any stream still holds messages of the interface. Called with `lock` held. */
static bool interface_pending(const struct peer_interface *interface)
{
    for (const struct tcp_stream *stream = net_of(interface)->streams; stream; stream = stream->next) {
        for (const struct peer_item *item = stream->queue.first; item; item = item->next) {
            if (item->interface == interface) {
                return true;
            }
        }
    }
    return false;
}

/* Gives up what could not be flushed. A message that is partly out cannot be taken back: its stream breaks. Called with
 * `lock` held. */
static void interface_give_up(struct peer_interface *interface, struct peer_queue *finished)
{
    for (struct tcp_stream *stream = net_of(interface)->streams; stream; stream = stream->next) {
        const struct peer_item *first = stream->queue.first;

        if (stream->interface != interface->config.interface || !first) {
            continue;
        }
        tcp_stream_fail(stream, finished);
        stream->ended = true; /* the sweep closes it */
        tcp_net_wake_sweep(net_of(interface));
    }
}

/* Closes our direction of the interface's streams, in order (specs/portals-wire.md, PW-19). The peers close theirs when
 * they see it; what still comes until then is discarded and counted. Called with `lock` held. */
static void streams_shut(struct peer_interface *interface)
{
    for (struct tcp_stream *stream = net_of(interface)->streams; stream; stream = stream->next) {
        if (stream->interface == interface->config.interface && stream->routed) {
            tcp_route_remove(stream);
            stream->broken = true;
            (void)shutdown(stream->fd, SHUT_WR);
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
        .withdraw = self_withdraw,
        .land = landings_end,
        .pending = interface_pending,
        .give_up = interface_give_up,
        .shut = streams_shut,
    };
}
