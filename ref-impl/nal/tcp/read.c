/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving: turns the octets of a connection back into messages. Headers, and payload that came in the same piece, go
 * through the connection's input buffer; further payload is read straight into the place that the core has named, and
 * whatever stands behind it in the connection into the buffer by the same system call. A message that is in the buffer
 * as a whole is given to the core and stored in one go.
 *
 *    HELLO ------> HEADER ------> PAYLOAD
 *      judged        ^   given to    |
 *                    |   the core    |
 *                    +---------------+
 *
 * No length from the connection is trusted: nothing is allocated by it, and what is not wanted is read into the buffer
 * and forgotten. What a receiver does with malformed input stands in specs/portals-wire.md.
 */
#include "ref-impl/nal/tcp/net.h"
#include "wire/octets/cursor.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Reads of one connection before the others have their turn. */
enum { READS_A_TURN = 8 };

enum outcome { GO_ON, NEED_MORE, CLOSE };

/* Takes octets of payload out of the buffer. */
static void payload_take(struct tcp_connection *connection)
{
    size_t here = connection->input_end - connection->input_begin;
    size_t taken = landing_store(&connection->net->arrivals, &connection->landing,
                                 connection->input + connection->input_begin, here);

    connection->surplus += landing_settle(&connection->net->arrivals, &connection->landing);
    size_t left = here - taken;
    size_t thrown = left < connection->surplus ? left : (size_t)connection->surplus;
    connection->surplus -= thrown;
    connection->input_begin += taken + thrown;
}

/* Whether the message whose payload is being read is over; if so ends it. */
static enum outcome payload_step(struct tcp_connection *connection)
{
    payload_take(connection);
    if (connection->surplus > 0 || connection->landing.remaining > 0) {
        return NEED_MORE;
    }
    connection->reading = TCP_READ_HEADER;
    landing_end(&connection->net->arrivals, &connection->landing, true);
    return GO_ON;
}

/* Gives a message to its interface, as a whole where its payload is `here`, else its header. False: it is not open. */
static bool message_give(struct tcp_connection *connection, const struct wire_portals_header *header,
                         uint64_t payload_octets, bool here)
{
    struct arrivals *arrivals = &connection->net->arrivals;
    const unsigned char *payload = connection->input + connection->input_begin;

    return here ? landing_whole(arrivals, connection->interface, header, payload, (size_t)payload_octets)
                : landing_begin(arrivals, &connection->landing, connection->interface, header, payload_octets);
}

/* Gives a message that may be received to its interface, or discards it. */
static void message_begin(struct tcp_connection *connection, const struct wire_portals_header *header,
                          uint64_t payload_octets)
{
    struct tcp_net *net = connection->net;
    bool here = payload_octets <= connection->input_end - connection->input_begin;

    connection->landing.remaining = 0;
    /* Access control rests on the initiator being the one who sends (2.3), so HELLO's word holds for every message. */
    //= P30-305
    //= P30-306
    //= P30-307
    if (wire_portals_validate(header, &connection->peer, &net->self) != WIRE_PORTALS_LEGAL) {
        arrivals_count_drop(&net->arrivals, connection->interface);
    } else {
        while (!message_give(connection, header, payload_octets, here) &&
               !arrivals_keep(&net->arrivals, connection->interface, header)) {
        }
    }
    if (here) {
        connection->input_begin += (size_t)payload_octets; /* whatever was not wanted of it included: P30-323 */
        return;
    }
    connection->surplus = payload_octets - connection->landing.remaining; //= P30-323
    connection->reading = TCP_READ_PAYLOAD;
}

/* Whether what has come so far can become a HELLO: its first four octets tell, and nothing else is waited for. */
static bool hello_possible(const struct tcp_connection *connection)
{
    struct wire_reader reader =
        wire_reader_over(connection->input + connection->input_begin, connection->input_end - connection->input_begin);
    uint32_t operation = wire_read_u32(&reader);

    return reader.failed || operation == WIRE_PORTALS_HELLO;
}

/* Whether the header may come here: to a process that does not number, NUMBER and ACKNOWLEDGE are operations like any
 * unknown one, and behind a NUMBER nothing but a message that can have one may come (PW-30, PW-31). */
static bool header_expected(const struct tcp_connection *connection, const struct wire_portals_header *header)
{
    if (header->operation == WIRE_PORTALS_HELLO) {
        return false;
    }
    if (header->operation != WIRE_PORTALS_NUMBER && header->operation != WIRE_PORTALS_ACKNOWLEDGE) {
        return true;
    }
    return connection->net->watch.peer && connection->number == 0 &&
           (header->operation != WIRE_PORTALS_NUMBER ||
            wire_portals_validate(header, NULL, NULL) == WIRE_PORTALS_LEGAL);
}

static enum outcome header_step(struct tcp_connection *connection)
{
    struct wire_portals_header header;
    size_t header_octets = 0;
    uint64_t payload_octets = 0;
    enum wire_status status =
        wire_portals_decode(connection->input + connection->input_begin,
                            connection->input_end - connection->input_begin, &header, &header_octets, &payload_octets);

    if (status == WIRE_SHORT) {
        return connection->reading == TCP_READ_HELLO && !hello_possible(connection) ? CLOSE : NEED_MORE;
    }
    if (connection->reading == TCP_READ_HELLO) {
        if (status != WIRE_OK || !tcp_hello_take(connection, &header)) {
            return CLOSE;
        }
        connection->input_begin += header_octets;
        connection->reading = TCP_READ_HEADER;
        connection->deadline_ms = 0;
        return GO_ON;
    }
    if (status != WIRE_OK || !header_expected(connection, &header)) {
        arrivals_count_drop(&connection->net->arrivals, connection->interface); //= P30-328
        return CLOSE;
    }
    connection->input_begin += header_octets;
    if (header.operation == WIRE_PORTALS_NUMBER) {
        connection->epoch = header.epoch;
        connection->number = header.number;
        return GO_ON;
    }
    if (connection->number != 0) {
        header.epoch = connection->epoch;
        header.number = connection->number;
        connection->number = 0;
    }
    message_begin(connection, &header, payload_octets);
    return GO_ON;
}

/* Handles what the buffer holds. */
static enum outcome input_handle(struct tcp_connection *connection)
{
    enum outcome outcome = GO_ON;

    while (outcome == GO_ON) {
        outcome = connection->reading == TCP_READ_PAYLOAD ? payload_step(connection) : header_step(connection);
    }
    if (connection->input_begin > 0) {
        connection->input_end -= connection->input_begin;
        memmove(connection->input, connection->input + connection->input_begin, connection->input_end);
        connection->input_begin = 0;
    }
    return outcome;
}

/* One read: the landing first, as far as it wants, then the buffer. Octets stored are booked; what goes to the buffer
 * is counted in input_end. The result is that of recv; `emptied`: there was room for more than there is. */
static ssize_t input_read(struct tcp_connection *connection, bool *emptied)
{
    struct landing *landing = &connection->landing;
    struct iovec parts[2];
    int count = 0;

    pthread_mutex_lock(&connection->net->arrivals.sink_lock);
    size_t direct = landing_room(landing, &parts[0].iov_base);
    if (direct > 0) {
        parts[count++].iov_len = direct;
    }
    if (direct == landing->remaining || direct == 0) {
        parts[count++] =
            (struct iovec){connection->input + connection->input_end, sizeof connection->input - connection->input_end};
    }
    size_t room = parts[0].iov_len + (count > 1 ? parts[1].iov_len : 0);
    ssize_t got =
        count == 1 ? recv(connection->fd, parts[0].iov_base, parts[0].iov_len, 0) : readv(connection->fd, parts, count);
    int error = errno;
    if (got > 0) {
        size_t stored = (size_t)got < direct ? (size_t)got : direct;
        landing_book(landing, stored);
        connection->input_end += (size_t)got - stored;
    }
    pthread_mutex_unlock(&connection->net->arrivals.sink_lock);
    *emptied = got > 0 && (size_t)got < room;
    errno = error;
    return got;
}

/* The memory of the landing is no memory (any more): the rest of the message is thrown away. */
static void landing_abandon(struct tcp_connection *connection)
{
    connection->surplus += connection->landing.remaining;
    connection->landing.remaining = 0;
    landing_end(&connection->net->arrivals, &connection->landing, false);
}

/* Whether so many answers wait for the peer that it must take some before it is heard again. Without this a peer that
 * asks and does not listen would make this process hold ever more. */
static bool peer_overdrawn(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;
    bool overdrawn = false;

    lock_take(&net->lock);
    const struct tcp_connection *route =
        tcp_route_find(net, connection->interface, connection->peer.nid, connection->peer.pid);
    if (route && connection->reading != TCP_READ_HELLO) {
        overdrawn = route->answers >= TCP_ANSWERS_HARD ||
                    (route->answers >= TCP_ANSWERS_SOFT && route->stalled_ticks >= TCP_STALLED_TICKS);
    }
    if (overdrawn != connection->paused) {
        connection->paused = overdrawn;
        net->paused_count += overdrawn ? 1U : UINT32_MAX;
        tcp_connection_watch(connection);
    }
    lock_give(&net->lock);
    return overdrawn;
}

/* The peer sends no more. At a message boundary that is orderly, and what is queued for it may still go out; new
 * messages take another connection. */
static bool connection_end(struct tcp_connection *connection)
{
    struct tcp_net *net = connection->net;

    if (connection->reading != TCP_READ_HEADER || connection->input_end > 0 || connection->number != 0) {
        return false;
    }
    lock_take(&net->lock);
    connection->ended = true;
    tcp_route_remove(connection);
    tcp_connection_watch(connection);
    bool pending = connection->queue.first && !connection->broken;
    lock_give(&net->lock);
    return pending;
}

/* What a read that brought nothing means, by its result and errno. */
static enum outcome nothing_read(struct tcp_connection *connection, ssize_t got)
{
    if (got == 0) {
        return connection_end(connection) ? NEED_MORE : CLOSE;
    }
    if (errno == EFAULT && connection->landing.remaining > 0) {
        landing_abandon(connection);
        return GO_ON;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return NEED_MORE;
    }
    return errno == EINTR ? GO_ON : CLOSE;
}

bool tcp_connection_read(struct tcp_connection *connection, bool last)
{
    for (int reads = 0; reads < READS_A_TURN; reads++) {
        if (connection->ended || (peer_overdrawn(connection) && !last)) {
            return true;
        }
        bool emptied = false;
        ssize_t got = input_read(connection, &emptied);
        if (got > 0) {
            connection->reads++;
            if (input_handle(connection) == CLOSE) {
                return false;
            }
            if (emptied && !last) {
                return true; /* epoll tells of what comes next, and of the end */
            }
            continue;
        }
        enum outcome outcome = nothing_read(connection, got);
        if (outcome != GO_ON) {
            return outcome == NEED_MORE;
        }
    }
    return true;
}
