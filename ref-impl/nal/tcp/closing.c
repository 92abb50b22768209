/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of an interface, done by the progress thread between two events, so that no upcall of it can be running:
 *
 *    OPEN ---close---> FLUSHING ------------------------------------------> CLOSED
 *                        first: no message arrives any more, landings end      the closing thread goes on
 *                        then: queued messages leave, for a bounded time
 *
 * Our direction of its streams is closed then, the other one stays until the peer has closed it too: the process goes
 * on discarding and counting what arrives for this interface.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"

#include <sys/socket.h>

/* Takes the items of one interface out of a queue, as not sent. */
static void queue_withdraw(struct tcp_queue *queue, const struct tcp_interface *interface, struct tcp_queue *finished)
{
    struct tcp_queue kept = {NULL, NULL};

    for (struct tcp_item *item; (item = tcp_queue_take(queue)) != NULL;) {
        tcp_queue_append(item->interface == interface ? finished : &kept, item);
    }
    *queue = kept;
}

/* Ends the landings of the interface: nothing is stored any more, and the core is told. */
//= P30-089
static void landings_end(struct tcp_interface *interface)
{
    struct tcp_net *net = interface->net;

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

/* The first step of closing. */
static void interface_retire(struct tcp_interface *interface)
{
    struct tcp_net *net = interface->net;
    struct tcp_queue finished = {NULL, NULL};

    interface->retired = true;
    pthread_mutex_lock(&net->lock);
    arrivals_shut(&net->arrivals, interface->config.interface);
    queue_withdraw(&net->self_queue, interface, &finished);
    interface->begun_ms = interface->moved_ms = clock_now_ms();
    interface->moved = false;
    pthread_mutex_unlock(&net->lock);
    tcp_items_finish(&finished);
    landings_end(interface);
}

/* Whether any stream still holds messages of the interface. Called with `lock` held. */
static bool interface_pending(const struct tcp_interface *interface)
{
    for (const struct tcp_stream *stream = interface->net->streams; stream; stream = stream->next) {
        for (const struct tcp_item *item = stream->queue.first; item; item = item->next) {
            if (item->interface == interface) {
                return true;
            }
        }
    }
    return false;
}

/* Gives up what could not be flushed. A message that is partly out cannot be taken back: its stream breaks. Called with
 * `lock` held. */
static void interface_give_up(struct tcp_interface *interface, struct tcp_queue *finished)
{
    for (struct tcp_stream *stream = interface->net->streams; stream; stream = stream->next) {
        const struct tcp_item *first = stream->queue.first;

        if (stream->interface != interface->config.interface || !first) {
            continue;
        }
        tcp_stream_fail(stream, finished);
        stream->ended = true; /* the sweep closes it */
        tcp_net_wake_sweep(interface->net);
    }
}

/* Closes our direction of the interface's streams, in order (specs/portals-wire.md, PW-19). The peers close theirs when
 * they see it; what still comes until then is discarded and counted. Called with `lock` held. */
static void streams_shut(struct tcp_interface *interface)
{
    for (struct tcp_stream *stream = interface->net->streams; stream; stream = stream->next) {
        if (stream->interface == interface->config.interface && stream->routed) {
            tcp_route_remove(stream);
            stream->broken = true;
            (void)shutdown(stream->fd, SHUT_WR);
        }
    }
}

/* Whether the closing of this interface is over. */
static bool interface_advance(struct tcp_interface *interface)
{
    struct tcp_net *net = interface->net;
    struct tcp_queue finished = {NULL, NULL};
    uint64_t now = clock_now_ms();

    if (!interface->retired) {
        interface_retire(interface);
    }
    pthread_mutex_lock(&net->lock);
    bool pending = interface_pending(interface);
    if (interface->moved) {
        interface->moved = false;
        interface->moved_ms = now;
    }
    bool over = !pending;
    if (pending && (now - interface->moved_ms >= TCP_FLUSH_IDLE_MS || now - interface->begun_ms >= TCP_FLUSH_MS)) {
        interface_give_up(interface, &finished);
        over = true;
    }
    if (over) {
        streams_shut(interface);
    }
    pthread_mutex_unlock(&net->lock);
    tcp_items_finish(&finished);
    return over;
}

void tcp_closing_advance(struct tcp_net *net)
{
    pthread_mutex_lock(&net->lock);
    struct tcp_interface *interface = net->closing;
    pthread_mutex_unlock(&net->lock);

    while (interface) {
        bool over = interface_advance(interface);

        pthread_mutex_lock(&net->lock);
        struct tcp_interface *next = interface->next_closing;
        if (over) {
            struct tcp_interface **link = &net->closing;
            while (*link != interface) {
                link = &(*link)->next_closing;
            }
            *link = next;
            interface->state = TCP_INTERFACE_CLOSED; /* from here on it is the closing thread's to free */
            pthread_cond_broadcast(&net->quiet);
        }
        pthread_mutex_unlock(&net->lock);
        interface = next;
    }
}
