/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scripted peers: listening, connecting, accepting (peer.h). What happens on an open stream is in stream.c.
 */
#include "tester/peer.h"

#include "tester/buffer.h"
#include "tester/memory.h"
#include "tester/stream.h"
#include "tester/witness.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { QUEUED_MAX = 64 << 20 };

void peer_open_all(struct peers *peers, struct loop *loop, struct evidence *evidence)
{
    *peers = (struct peers){.loop = loop, .evidence = evidence};
}

void peer_close_all(struct peers *peers)
{
    for (unsigned i = 0; i < peers->stream_count; i++) {
        struct stream *stream = peers->streams[i];
        if (stream->fd >= 0) {
            stream_close(stream, false);
        }
        buffer_release(&stream->in);
        buffer_release(&stream->out);
        free(stream);
    }
    for (unsigned i = 0; i < peers->peer_count; i++) {
        loop_remove(peers->loop, peers->peers[i]->watch);
        close(peers->peers[i]->fd);
        free(peers->peers[i]);
    }
    peers->stream_count = peers->peer_count = 0;
}

bool peer_all_read(void *context)
{
    const struct peers *peers = context;

    for (unsigned i = 0; i < peers->stream_count; i++) {
        const struct stream *stream = peers->streams[i];
        struct pollfd ready = {.fd = stream->fd, .events = POLLIN};
        if (stream->fd >= 0 && stream->watch && (stream->held || poll(&ready, 1, 0) != 0)) {
            return false;
        }
    }
    return true;
}

static struct stream *stream_new(struct peer *peer, int fd)
{
    struct peers *all = peer->all;
    int one = 1;

    if (all->stream_count == STREAMS_MAX) {
        close(fd);
        return NULL;
    }
    struct stream *stream = memory_zero(sizeof *stream);
    *stream = (struct stream){.peer = peer, .fd = fd, .in.limit = QUEUED_MAX, .out.limit = QUEUED_MAX};
    snprintf(stream->other, sizeof stream->other, "system under test");
    stream->flow.interface = PCAPNG_WIRE;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    all->streams[all->stream_count++] = stream;
    return stream;
}

static void peer_ready(void *context, short revents)
{
    struct peer *peer = context;
    struct sockaddr_in from = {0};
    socklen_t len = sizeof from;
    int fd = accept4(peer->fd, (struct sockaddr *)&from, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);

    (void)revents;
    if (fd < 0) {
        return; /* it was gone again; or no descriptor is left, and the case waits in vain and says so */
    }
    struct stream *stream = stream_new(peer, fd);
    if (!stream) {
        return;
    }
    stream->flow.ends[FLOW_MANAGER] = peer->address;
    stream->flow.ends[FLOW_SUT] = from;
    witness_listen(peer->all->witness, &stream->flow, &peer->id);
    if (peer->all->evidence) {
        flow_open(peer->all->evidence->capture, &stream->flow, FLOW_SUT);
        evidence_say(peer->all->evidence, "wire", "a stream was opened to this peer"); /* its HELLO will say by whom */
    }
    stream_watch(stream);
}

static bool peer_listen(struct peer *peer, const char *address)
{
    socklen_t len = sizeof peer->address;

    peer->address.sin_family = AF_INET;
    peer->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (inet_pton(AF_INET, address, &peer->address.sin_addr) != 1) {
        errno = EINVAL;
        return false;
    }
    return peer->fd >= 0 && bind(peer->fd, (struct sockaddr *)&peer->address, len) == 0 && listen(peer->fd, 64) == 0 &&
           getsockname(peer->fd, (struct sockaddr *)&peer->address, &len) == 0;
}

struct peer *peer_new(struct peers *peers, const char *address, char *message, size_t message_octets)
{
    if (peers->peer_count == PEERS_MAX) {
        snprintf(message, message_octets, "a case may have %d peers", PEERS_MAX);
        return NULL;
    }
    struct peer *peer = memory_zero(sizeof *peer);
    if (!peer_listen(peer, address)) {
        snprintf(message, message_octets, "a peer cannot listen at %s: %s", address, strerror(errno));
        if (peer->fd >= 0) {
            close(peer->fd);
        }
        free(peer);
        return NULL;
    }
    peer->all = peers;
    peer->index = peers->peer_count;
    peer->id.nid = ntohl(peer->address.sin_addr.s_addr);
    peer->id.pid = ntohs(peer->address.sin_port);
    snprintf(peer->label, sizeof peer->label, "peer %u", peer->index);
    peer->watch = loop_add(peers->loop, peer->fd, POLLIN, peer_ready, peer);
    peers->peers[peers->peer_count++] = peer;
    return peer;
}

struct stream *peer_accepted(struct peer *peer)
{
    for (unsigned i = 0; i < peer->all->stream_count; i++) {
        struct stream *stream = peer->all->streams[i];
        if (stream->peer == peer && !stream->accepted) {
            stream->accepted = true;
            return stream;
        }
    }
    return NULL;
}

struct stream *peer_connect(struct peer *peer, uint32_t nid, uint32_t pid)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(nid), .sin_port = htons((uint16_t)pid)};
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr = peer->address.sin_addr};
    socklen_t len = sizeof from;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0 || pid > UINT16_MAX || bind(fd, (struct sockaddr *)&from, len) < 0) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    struct stream *stream = stream_new(peer, fd);
    if (!stream) {
        return NULL;
    }
    stream->accepted = stream->connecting = true;
    if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) {
        stream->connecting = false;
        stream->ended = stream->reset = true;
    }
    getsockname(fd, (struct sockaddr *)&from, &len);
    stream->flow.ends[FLOW_MANAGER] = from;
    stream->flow.ends[FLOW_SUT] = to;
    witness_listen(peer->all->witness, &stream->flow,
                   &(struct wire_portals_id){nid, pid, WIRE_PORTALS_ID_UNKNOWN, WIRE_PORTALS_ID_UNKNOWN});
    stream_watch(stream);
    return stream;
}
