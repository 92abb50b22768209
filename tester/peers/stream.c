/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Open streams of scripted peers (stream.h). What is written to them and read from them also becomes the capture.
 */
#include "tester/peers/stream.h"

#include "tester/base/memory.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { QUEUED_MAX = 64 << 20, WAITING_MAX = 128 << 20 };

void stream_open_all(struct streams *streams, struct loop *loop, struct evidence *evidence)
{
    *streams = (struct streams){.loop = loop, .evidence = evidence};
}

void stream_close_all(struct streams *streams)
{
    for (unsigned i = 0; i < streams->stream_count; i++) {
        struct stream *stream = streams->streams[i];
        if (stream->fd >= 0) {
            stream_close(stream, false);
        }
        buffer_release(&stream->in);
        buffer_release(&stream->out);
        free(stream);
    }
    streams->stream_count = 0;
}

bool stream_all_read(void *context)
{
    const struct streams *streams = context;

    for (unsigned i = 0; i < streams->stream_count; i++) {
        const struct stream *stream = streams->streams[i];
        struct pollfd ready = {.fd = stream->fd, .events = POLLIN};
        if (stream->fd >= 0 && stream->watch && (stream->held || poll(&ready, 1, 0) != 0)) {
            return false;
        }
    }
    return true;
}

struct stream *stream_new(struct streams *streams, int fd, const char *label)
{
    int one = 1;

    if (streams->stream_count == STREAMS_MAX) {
        close(fd);
        return NULL;
    }
    struct stream *stream = memory_zero(sizeof *stream);
    *stream = (struct stream){.all = streams, .fd = fd, .in.limit = QUEUED_MAX, .out.limit = QUEUED_MAX};
    snprintf(stream->label, sizeof stream->label, "%s", label);
    snprintf(stream->other, sizeof stream->other, "system under test");
    stream->flow.interface = PCAPNG_WIRE;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    stream->index = streams->stream_count;
    streams->streams[streams->stream_count++] = stream;
    return stream;
}

static struct pcapng *capture_of(const struct stream *stream)
{
    return stream->all->evidence ? stream->all->evidence->capture : NULL;
}

static void stream_unwatch(struct stream *stream)
{
    if (stream->watch) {
        loop_remove(stream->all->loop, stream->watch);
        stream->watch = NULL;
    }
}

static void stream_end(struct stream *stream, bool reset)
{
    stream->ended = true;
    stream->reset = stream->reset || reset;
    if (reset) {
        flow_reset(capture_of(stream), &stream->flow, FLOW_SUT);
    } else {
        flow_finish(capture_of(stream), &stream->flow, FLOW_SUT);
    }
    stream_unwatch(stream);
}

/* What the stream waits for: something to read unless it is held, and room for what is queued. */
static short stream_wants(const struct stream *stream)
{
    return (short)((stream->held ? 0 : POLLIN) | (stream->out.len ? POLLOUT : 0));
}

static void stream_flush(struct stream *stream)
{
    while (stream->out.len && !stream->ended) {
        ssize_t sent = send(stream->fd, stream->out.octets, stream->out.len, MSG_NOSIGNAL);
        if (sent > 0) {
            flow_data(capture_of(stream), &stream->flow, FLOW_MANAGER, stream->out.octets, (size_t)sent);
            buffer_take(&stream->out, (size_t)sent);
        } else if (sent < 0 && errno == EAGAIN) {
            break;
        } else if (sent < 0 && errno != EINTR) {
            stream_end(stream, true);
        }
    }
    if (stream->watch) {
        loop_want(stream->watch, stream_wants(stream));
    }
}

static void stream_connected(struct stream *stream)
{
    int error = 0;
    socklen_t len = sizeof error;

    stream->connecting = false;
    if (getsockopt(stream->fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0 || error) {
        stream->ended = stream->reset = true;
        stream_unwatch(stream);
        return;
    }
    flow_open(capture_of(stream), &stream->flow, FLOW_MANAGER);
    stream_flush(stream);
}

static void stream_read(struct stream *stream)
{
    unsigned char octets[65536];
    ssize_t got = recv(stream->fd, octets, sizeof octets, 0);

    if (got > 0) {
        flow_data(capture_of(stream), &stream->flow, FLOW_SUT, octets, (size_t)got);
        stream->all->waiting += (size_t)got;
        if (stream->all->waiting > WAITING_MAX || !buffer_append(&stream->in, octets, (size_t)got)) {
            stream_end(stream, true); /* more than any case takes: no message follows */
        }
    } else if (got == 0) {
        stream_end(stream, false);
    } else if (errno != EAGAIN && errno != EINTR) {
        stream_end(stream, true);
    }
}

static void stream_ready(void *context, short revents)
{
    struct stream *stream = context;

    if (stream->connecting) {
        stream_connected(stream);
        return;
    }
    if (revents & POLLOUT) {
        stream_flush(stream);
    }
    if (stream->watch && (revents & (POLLIN | POLLHUP | POLLERR))) {
        stream_read(stream);
    }
}

void stream_watch(struct stream *stream)
{
    stream->watch =
        loop_add(stream->all->loop, stream->fd, stream->connecting ? POLLOUT : POLLIN, stream_ready, stream);
}

void stream_hold(struct stream *stream, bool held)
{
    stream->held = held;
    if (stream->watch && !stream->connecting) {
        loop_want(stream->watch, stream_wants(stream));
    }
}

bool stream_send(struct stream *stream, const void *octets, size_t len)
{
    if (stream->fd < 0 || stream->ended || stream->finished || !buffer_append(&stream->out, octets, len)) {
        return false;
    }
    if (!stream->connecting) {
        stream_flush(stream);
    }
    return !stream->reset;
}

void stream_take(struct stream *stream, size_t octets)
{
    buffer_take(&stream->in, octets);
    stream->all->waiting -= octets;
}

void stream_finish(struct stream *stream)
{
    if (stream->fd >= 0 && !stream->finished) {
        stream->finished = true;
        buffer_take(&stream->out, stream->out.len);
        if (stream->watch && !stream->connecting) {
            loop_want(stream->watch, stream_wants(stream));
        }
        shutdown(stream->fd, SHUT_WR);
        flow_finish(capture_of(stream), &stream->flow, FLOW_MANAGER);
    }
}

void stream_close(struct stream *stream, bool reset)
{
    struct linger hard = {.l_onoff = 1, .l_linger = 0};

    if (stream->fd < 0) {
        return;
    }
    if (reset) {
        setsockopt(stream->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        flow_reset(capture_of(stream), &stream->flow, FLOW_MANAGER);
    } else {
        stream_finish(stream);
    }
    stream_unwatch(stream);
    close(stream->fd);
    stream->fd = -1;
}
