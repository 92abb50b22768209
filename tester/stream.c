/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Open streams of scripted peers (peer.h): reading ahead, writing what is queued, cutting what came into messages.
 */
#include "tester/stream.h"
#include "tester/buffer.h"

#include "wire/row.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAITING_MAX = 128 << 20 };

static struct pcapng *capture_of(const struct stream *stream)
{
    return stream->peer->all->evidence ? stream->peer->all->evidence->capture : NULL;
}

static void stream_unwatch(struct stream *stream)
{
    if (stream->watch) {
        loop_remove(stream->peer->all->loop, stream->watch);
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
        stream->peer->all->waiting += (size_t)got;
        if (stream->peer->all->waiting > WAITING_MAX || !buffer_append(&stream->in, octets, (size_t)got)) {
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
        loop_add(stream->peer->all->loop, stream->fd, stream->connecting ? POLLOUT : POLLIN, stream_ready, stream);
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

enum stream_result stream_next(struct stream *stream, struct wire_portals_header *header, size_t *header_octets,
                               size_t *data_octets)
{
    uint64_t payload;
    enum wire_status status = wire_portals_decode(stream->in.octets, stream->in.len, header, header_octets, &payload);

    if (status == WIRE_OK && payload > stream->in.limit - *header_octets) {
        return STREAM_MALFORMED; /* no case asks for so much */
    }
    if (status == WIRE_OK && stream->in.len - *header_octets >= payload) {
        *data_octets = (size_t)payload;
        return STREAM_MESSAGE;
    }
    if (status != WIRE_OK && status != WIRE_SHORT) {
        return STREAM_MALFORMED;
    }
    if (stream->reset) {
        return STREAM_RESET;
    }
    if (!stream->ended && stream->fd >= 0) {
        return STREAM_NOTHING;
    }
    return stream->in.len ? STREAM_MALFORMED : STREAM_CLOSED; /* the end inside a message */
}

void stream_take(struct stream *stream, size_t octets)
{
    buffer_take(&stream->in, octets);
    stream->peer->all->waiting -= octets;
}

void stream_finish(struct stream *stream)
{
    if (stream->fd >= 0 && !stream->finished) {
        stream->finished = true;
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

static size_t describe_row(const struct wire_row *row, uint64_t value, char *text, size_t room)
{
    struct in_addr address = {htonl((uint32_t)value)};
    char dotted[INET_ADDRSTRLEN];
    int len = 0;

    switch (row->base) {
    case WIRE_HEX:
        len = snprintf(text, room, " %s=0x%llx", row->name, (unsigned long long)value);
        break;
    case WIRE_IPV4:
        inet_ntop(AF_INET, &address, dotted, sizeof dotted);
        len = snprintf(text, room, " %s=%s", row->name, dotted);
        break;
    case WIRE_INT:
        len = snprintf(text, room, " %s=%lld", row->name, (long long)wire_row_signed(row, value));
        break;
    case WIRE_HOST:
    case WIRE_VERSION:
    case WIRE_DEC:
    case WIRE_ENUM:
        len = snprintf(text, room, " %s=%llu", row->name, (unsigned long long)value);
        break;
    }
    return len < 0 || (size_t)len >= room ? room - 1 : (size_t)len;
}

void stream_describe(const void *octets, size_t len, char *text, size_t room)
{
    struct wire_portals_header header;
    const struct wire_message *message = NULL;
    size_t used;

    if (wire_portals_decode(octets, len, &header, NULL, NULL) == WIRE_OK) {
        message = wire_portals_message_of(header.operation);
    }
    if (!message) {
        snprintf(text, room, "%zu octets that are no message", len);
        return;
    }
    used = (size_t)snprintf(text, room, "%s", message->name);
    for (unsigned i = 1; i < message->row_count && used + 1 < room; i++) {
        uint64_t value;
        if (wire_row_get(&message->rows[i], octets, len, &value) == WIRE_OK) {
            used += describe_row(&message->rows[i], value, text + used, room - used);
        }
    }
}
