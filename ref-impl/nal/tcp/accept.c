/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The opening of streams as seen by the one who is called, and HELLO on either side (specs/portals-wire.md, "Streams").
 */
#include "ref-impl/nal/tcp/net.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* Without free descriptors the listening socket would stay ready and be asked in vain, for ever: it is left alone until
 * a stream closes or some time has passed. */
static void accept_pause(struct tcp_net *net)
{
    pthread_mutex_lock(&net->lock);
    net->accept_paused = true;
    pthread_mutex_unlock(&net->lock);
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
        pthread_mutex_lock(&net->lock);
        struct tcp_stream *stream = tcp_stream_new(net, fd, false);
        net->sweep_wanted = true; /* there is a deadline now */
        pthread_mutex_unlock(&net->lock);
        if (!stream) {
            close(fd);
        }
    }
}

/* Notes what the peer's HELLO says that it knows, and tells the watch. */
static void hello_note(struct tcp_stream *stream, const struct wire_portals_header *hello)
{
    struct tcp_net *net = stream->net;
    bool numbered = net->watch.peer && hello->version_minor >= WIRE_PORTALS_MINOR_NUMBERED;

    pthread_mutex_lock(&net->lock);
    stream->greeted = true;
    stream->numbered = numbered;
    pthread_mutex_unlock(&net->lock);
    tcp_stream_tell(stream, numbered ? NETWORK_PEER_NUMBERED : NETWORK_PEER_PLAIN);
}

/* The answer to a peer that called us. Its stream becomes the route to it, unless we have opened one ourselves. */
static bool hello_answer(struct tcp_stream *stream)
{
    struct tcp_net *net = stream->net;
    struct peer_queue finished = {NULL, NULL};

    pthread_mutex_lock(&net->lock);
    bool good = tcp_stream_hello(stream);
    if (good && !tcp_route_find(net, stream->interface, stream->peer.nid, stream->peer.pid)) {
        tcp_route_add(stream);
    }
    tcp_stream_flush(stream, 1, &finished);
    pthread_mutex_unlock(&net->lock);
    peer_items_finish(&finished);
    return good;
}

bool tcp_hello_take(struct tcp_stream *stream, const struct wire_portals_header *hello)
{
    struct wire_portals_header sent = {.target = stream->peer, .interface = stream->interface};

    if (wire_portals_validate_hello(hello, &stream->net->self, stream->opened ? &sent : NULL) != WIRE_PORTALS_LEGAL) {
        return false;
    }
    if (stream->opened) {
        stream->peer.gid = hello->initiator.gid;
        stream->peer.rid = hello->initiator.rid;
        hello_note(stream, hello);
        return true;
    }
    stream->peer = hello->initiator;
    stream->interface = hello->interface;
    if (!hello_answer(stream)) {
        return false;
    }
    hello_note(stream, hello);
    return true;
}
