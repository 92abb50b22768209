/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Two streams where both processes opened one at the same time (specs/portals-wire.md, 4.2). Each sends on its own, so
 * nothing carries the acknowledgements of what TCP brings on the other, and each short message costs a segment more.
 * Who has the greater address therefore leaves its own stream when the other one is in use:
 *
 *      two streams --nothing queued--> leaving --the peer has closed--> one stream
 *                                      own direction ended,
 *                                      what is sent waits for the other
 *
 * A peer closes a stream that has ended when it has read all of it, so nothing that is sent on the other afterwards
 * arrives before what was sent on this one (P30-002). For one that does not close, a deadline stands in.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"

#include <sys/socket.h>

void tcp_crossing_note(struct tcp_connection *accepted, struct tcp_connection *own)
{
    if (own->opened && !own->twin) {
        own->twin = accepted;
        accepted->twin = own;
    }
}

bool tcp_crossing_holds(const struct tcp_connection *connection)
{
    return connection->twin && connection->twin->leaving;
}

/* Whether this process is the one that leaves its own stream. Nobody may watch the peers: the end of a stream would
 * look like the end of its peer. */
static bool leaves(const struct tcp_net *net, const struct wire_portals_id *peer)
{
    return !net->watch.peer && (net->self.nid != peer->nid ? net->self.nid > peer->nid : net->self.pid > peer->pid);
}

static bool usable(const struct tcp_connection *connection)
{
    return connection->greeted && !connection->ended && !connection->broken;
}

//= P30-002
void tcp_crossing_advance(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;

    if (!connection->twin || connection->opened || connection->reads < TCP_CROSSED_READS ||
        !leaves(net, &connection->peer)) {
        return;
    }
    lock_take(&net->lock);
    struct tcp_connection *own = connection->twin;
    if (own->routed && !own->queue.first && own->completing == 0 && usable(own) && usable(connection)) {
        own->leaving = true;
        own->deadline_ms = clock_now_ms() + TCP_LEAVING_MS;
        net->sweep_wanted = true;
        tcp_route_remove(own);
        tcp_route_add(connection);
        (void)shutdown(own->fd, SHUT_WR);
    }
    lock_give(&net->lock);
}

struct tcp_connection *tcp_crossing_end(struct tcp_connection *connection)
{
    struct tcp_connection *twin = connection->twin;

    if (twin) {
        twin->twin = connection->twin = NULL;
    }
    return connection->leaving ? twin : NULL;
}
