/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving: turns the octets of a stream back into messages. Headers, and payload that came in the same piece, go
 * through the stream's input buffer; further payload is read straight into the place that the core has named, and
 * whatever stands behind it in the stream into the buffer by the same system call.
 *
 *    HELLO ------> HEADER ------> PAYLOAD
 *      judged        ^   given to    |
 *                    |   the core    |
 *                    +---------------+
 *
 * No length from the stream is trusted: nothing is allocated by it, and what is not wanted is read into the buffer and
 * forgotten. What a receiver does with malformed input stands in specs/portals-wire.md.
 */
#include "ref-impl/nal/tcp/net.h"
#include "wire/octets/cursor.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Reads of one stream before the others have their turn. */
enum { READS_A_TURN = 8 };

enum outcome { GO_ON, NEED_MORE, CLOSE };

/* Takes octets of payload out of the buffer. */
static void payload_take(struct tcp_stream *stream)
{
    size_t here = stream->input_end - stream->input_begin;
    size_t taken = landing_store(&stream->net->arrivals, &stream->landing, stream->input + stream->input_begin, here);

    stream->surplus += landing_settle(&stream->net->arrivals, &stream->landing);
    size_t left = here - taken;
    size_t thrown = left < stream->surplus ? left : (size_t)stream->surplus;
    stream->surplus -= thrown;
    stream->input_begin += taken + thrown;
}

/* Whether the message whose payload is being read is over; if so ends it. */
static enum outcome payload_step(struct tcp_stream *stream)
{
    payload_take(stream);
    if (stream->surplus > 0 || stream->landing.remaining > 0) {
        return NEED_MORE;
    }
    stream->reading = TCP_READ_HEADER;
    landing_end(&stream->net->arrivals, &stream->landing, true);
    return GO_ON;
}

/* Gives a message that may be received to its interface, or discards it. */
static void message_begin(struct tcp_stream *stream, const struct wire_portals_header *header, uint64_t payload_octets)
{
    struct tcp_net *net = stream->net;

    stream->landing.remaining = 0;
    /* Access control rests on the initiator being the one who sends (2.3), so HELLO's word holds for every message. */
    //= P30-305
    //= P30-306
    //= P30-307
    if (wire_portals_validate(header, &stream->peer, &net->self) != WIRE_PORTALS_LEGAL) {
        arrivals_count_drop(&net->arrivals, stream->interface);
    } else {
        while (!landing_begin(&net->arrivals, &stream->landing, stream->interface, header, payload_octets) &&
               !arrivals_keep(&net->arrivals, stream->interface, header)) {
        }
    }
    stream->surplus = payload_octets - stream->landing.remaining; //= P30-323
    stream->reading = TCP_READ_PAYLOAD;
}

/* Whether what has come so far can become a HELLO: its first four octets tell, and nothing else is waited for. */
static bool hello_possible(const struct tcp_stream *stream)
{
    struct wire_reader reader =
        wire_reader_over(stream->input + stream->input_begin, stream->input_end - stream->input_begin);
    uint32_t operation = wire_read_u32(&reader);

    return reader.failed || operation == WIRE_PORTALS_HELLO;
}

/* Whether the header may come here: to a process that does not number, NUMBER and ACKNOWLEDGE are operations like any
 * unknown one, and behind a NUMBER nothing but a message that can have one may come (PW-30, PW-31). */
static bool header_expected(const struct tcp_stream *stream, const struct wire_portals_header *header)
{
    if (header->operation == WIRE_PORTALS_HELLO) {
        return false;
    }
    if (header->operation != WIRE_PORTALS_NUMBER && header->operation != WIRE_PORTALS_ACKNOWLEDGE) {
        return true;
    }
    return stream->net->watch.peer && stream->number == 0 &&
           (header->operation != WIRE_PORTALS_NUMBER ||
            wire_portals_validate(header, NULL, NULL) == WIRE_PORTALS_LEGAL);
}

static enum outcome header_step(struct tcp_stream *stream)
{
    struct wire_portals_header header;
    size_t header_octets = 0;
    uint64_t payload_octets = 0;
    enum wire_status status =
        wire_portals_decode(stream->input + stream->input_begin, stream->input_end - stream->input_begin, &header,
                            &header_octets, &payload_octets);

    if (status == WIRE_SHORT) {
        return stream->reading == TCP_READ_HELLO && !hello_possible(stream) ? CLOSE : NEED_MORE;
    }
    if (stream->reading == TCP_READ_HELLO) {
        if (status != WIRE_OK || !tcp_hello_take(stream, &header)) {
            return CLOSE;
        }
        stream->input_begin += header_octets;
        stream->reading = TCP_READ_HEADER;
        stream->deadline_ms = 0;
        return GO_ON;
    }
    if (status != WIRE_OK || !header_expected(stream, &header)) {
        arrivals_count_drop(&stream->net->arrivals, stream->interface); //= P30-328
        return CLOSE;
    }
    stream->input_begin += header_octets;
    if (header.operation == WIRE_PORTALS_NUMBER) {
        stream->epoch = header.epoch;
        stream->number = header.number;
        return GO_ON;
    }
    if (stream->number != 0) {
        header.epoch = stream->epoch;
        header.number = stream->number;
        stream->number = 0;
    }
    message_begin(stream, &header, payload_octets);
    return GO_ON;
}

/* Handles what the buffer holds. */
static enum outcome input_handle(struct tcp_stream *stream)
{
    enum outcome outcome = GO_ON;

    while (outcome == GO_ON) {
        outcome = stream->reading == TCP_READ_PAYLOAD ? payload_step(stream) : header_step(stream);
    }
    if (stream->input_begin > 0) {
        stream->input_end -= stream->input_begin;
        memmove(stream->input, stream->input + stream->input_begin, stream->input_end);
        stream->input_begin = 0;
    }
    return outcome;
}

/* One read: the landing first, as far as it wants, then the buffer. Octets stored are booked; what goes to the buffer
 * is counted in input_end. The result is that of readv. */
static ssize_t input_read(struct tcp_stream *stream)
{
    struct landing *landing = &stream->landing;
    struct iovec parts[2];
    int count = 0;

    pthread_mutex_lock(&stream->net->arrivals.sink_lock);
    size_t direct = landing_room(landing, &parts[0].iov_base);
    if (direct > 0) {
        parts[count++].iov_len = direct;
    }
    if (direct == landing->remaining || direct == 0) {
        parts[count++] = (struct iovec){stream->input + stream->input_end, sizeof stream->input - stream->input_end};
    }
    ssize_t got = readv(stream->fd, parts, count);
    int error = errno;
    if (got > 0) {
        size_t stored = (size_t)got < direct ? (size_t)got : direct;
        landing_book(landing, stored);
        stream->input_end += (size_t)got - stored;
    }
    pthread_mutex_unlock(&stream->net->arrivals.sink_lock);
    errno = error;
    return got;
}

/* The memory of the landing is no memory (any more): the rest of the message is thrown away. */
static void landing_abandon(struct tcp_stream *stream)
{
    stream->surplus += stream->landing.remaining;
    stream->landing.remaining = 0;
    landing_end(&stream->net->arrivals, &stream->landing, false);
}

/* Whether so many answers wait for the peer that it must take some before it is heard again. Without this a peer that
 * asks and does not listen would make this process hold ever more. */
static bool peer_overdrawn(struct tcp_stream *stream)
{
    struct tcp_net *net = stream->net;
    bool overdrawn = false;

    pthread_mutex_lock(&net->lock);
    const struct tcp_stream *route = tcp_route_find(net, stream->interface, stream->peer.nid, stream->peer.pid);
    if (route && stream->reading != TCP_READ_HELLO) {
        overdrawn = route->answers >= TCP_ANSWERS_HARD ||
                    (route->answers >= TCP_ANSWERS_SOFT && route->stalled_ticks >= TCP_STALLED_TICKS);
    }
    if (overdrawn != stream->paused) {
        stream->paused = overdrawn;
        net->paused_count += overdrawn ? 1U : UINT32_MAX;
        tcp_stream_watch(stream);
    }
    pthread_mutex_unlock(&net->lock);
    return overdrawn;
}

/* The peer sends no more. At a message boundary that is orderly, and what is queued for it may still go out; new
 * messages take another stream. */
static bool stream_end(struct tcp_stream *stream)
{
    struct tcp_net *net = stream->net;

    if (stream->reading != TCP_READ_HEADER || stream->input_end > 0 || stream->number != 0) {
        return false;
    }
    pthread_mutex_lock(&net->lock);
    stream->ended = true;
    tcp_route_remove(stream);
    tcp_stream_watch(stream);
    bool pending = stream->queue.first && !stream->broken;
    pthread_mutex_unlock(&net->lock);
    return pending;
}

/* What a read that brought nothing means, by its result and errno. */
static enum outcome nothing_read(struct tcp_stream *stream, ssize_t got)
{
    if (got == 0) {
        return stream_end(stream) ? NEED_MORE : CLOSE;
    }
    if (errno == EFAULT && stream->landing.remaining > 0) {
        landing_abandon(stream);
        return GO_ON;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return NEED_MORE;
    }
    return errno == EINTR ? GO_ON : CLOSE;
}

bool tcp_stream_read(struct tcp_stream *stream, bool last)
{
    for (int reads = 0; reads < READS_A_TURN; reads++) {
        if (stream->ended || (peer_overdrawn(stream) && !last)) {
            return true;
        }
        ssize_t got = input_read(stream);
        if (got > 0) {
            if (input_handle(stream) == CLOSE) {
                return false;
            }
            continue;
        }
        enum outcome outcome = nothing_read(stream, got);
        if (outcome != GO_ON) {
            return outcome == NEED_MORE;
        }
    }
    return true;
}
