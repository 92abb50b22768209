/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How channels are made; see connect.h and chapter 2.3.8. A connection to us is unidentified until four octets
 * with the rank of a host that we wait for have come: one that says nothing, or something else, holds up nobody. A host
 * that connects before we have connected to all lower ones waits in the listening socket's queue.
 */
#include "ref-impl/impi/agent/connect.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/common/address.h"
#include "wire/octets/cursor.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    UNIDENTIFIED_MAX = 64,
    REFUSED_MS = 2000, /* how long a host may take to listen after the server's DONE */
    RETRY_MS = 20,
    ROOM_MS =
        1000 /* how long unidentified connections may keep silent while there is no descriptor for somebody else */
};

struct unidentified {
    int fd;
    size_t len;
    unsigned char rank[WIRE_IMPI_RANK_OCTETS];
};

struct connecting {
    const struct agent_setup *setup;
    int *channels;
    uint64_t deadline_ms;
    uint32_t awaited; /* hosts that have not connected yet */
    int full;         /* why there was no descriptor for one more connection: an errno; else 0 */
    size_t count;
    struct unidentified unidentified[UNIDENTIFIED_MAX]; /* oldest first */
};

static int left_ms(const struct connecting *d)
{
    uint64_t now = clock_now_ms();

    return now >= d->deadline_ms ? 0 : (int)(d->deadline_ms - now);
}

static const struct agreed_host *host_of(const struct connecting *d, uint32_t host)
{
    return &d->setup->agreed->hosts[host];
}

/* Whether there is a channel between this host and that one. */
static bool host_is_partner(const struct connecting *d, uint32_t host)
{
    return host_of(d, host)->client != host_of(d, d->setup->host)->client; //= IMPI-087
}

/* One attempt; 0, or the errno of the failure. Others may know us by the address that we announced. */
static int connect_once(const struct connecting *d, const struct address *to, int *connected)
{
    struct address from = address_of_host_id(host_of(d, d->setup->host)->id, 0);

    return address_connect(to, &from, left_ms(d), connected);
}

/* Connects to a lower host and says who we are. */
//= IMPI-082
static bool lower_connect(const struct connecting *d, uint32_t host)
{
    struct address to = address_of_host_id(host_of(d, host)->id, host_of(d, host)->port);
    uint64_t patience_ms = clock_now_ms() + REFUSED_MS;
    unsigned char rank[WIRE_IMPI_RANK_OCTETS];
    struct wire_writer w = wire_writer_over(rank, sizeof rank);
    char text[ADDRESS_TEXT_OCTETS];
    int fd = -1;
    int error = connect_once(d, &to, &fd);

    while (error == ECONNREFUSED && clock_now_ms() < patience_ms && left_ms(d) > 0) {
        (void)poll(NULL, 0, RETRY_MS);
        error = connect_once(d, &to, &fd);
    }
    address_text(&to, text);
    if (error != 0) {
        //= IMPI-250
        agent_complain(d->setup, "cannot connect to host %" PRIu32 " (client %" PRIu32 ") at %s: %s", host,
                       host_of(d, host)->client, text, strerror(error));
        return false;
    }
    wire_write_u32(&w, d->setup->host); //= IMPI-084
    if (send(fd, rank, sizeof rank, MSG_NOSIGNAL) != (ssize_t)sizeof rank) {
        agent_complain(d->setup, "host %" PRIu32 " (client %" PRIu32 ") at %s ended the connection at once", host,
                       host_of(d, host)->client, text);
        close(fd);
        return false;
    }
    d->channels[host] = fd;
    return true;
}

/* Forgets an unidentified connection; its socket is closed, or has become a channel. */
static void unidentified_forget(struct connecting *d, size_t i)
{
    d->count--;
    memmove(&d->unidentified[i], &d->unidentified[i + 1], (d->count - i) * sizeof d->unidentified[0]);
}

/* Closes the socket of an unidentified connection: there is room for another one. */
static void unidentified_close(struct connecting *d, size_t i)
{
    close(d->unidentified[i].fd);
    unidentified_forget(d, i);
    d->full = 0;
}

/* Reads what has come of the rank of an unidentified connection, and no more than that. False: it is gone or has become
 * a channel. */
//= IMPI-085
//= IMPI-251
static bool unidentified_hear(struct connecting *d, size_t i)
{
    struct unidentified *one = &d->unidentified[i];
    ssize_t got = recv(one->fd, one->rank + one->len, sizeof one->rank - one->len, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return true;
    }
    if (got <= 0) {
        unidentified_close(d, i);
        return false;
    }
    one->len += (size_t)got;
    if (one->len < sizeof one->rank) {
        return true;
    }
    struct wire_reader r = wire_reader_over(one->rank, sizeof one->rank);
    uint32_t rank = wire_read_u32(&r);
    if (rank > d->setup->host && rank < d->setup->agreed->world.hosts && host_is_partner(d, rank) &&
        d->channels[rank] < 0) {
        address_ready(one->fd);
        d->channels[rank] = one->fd;
        d->awaited--;
    } else {
        agent_complain(d->setup, "somebody connected and said to be host %" PRIu32 ", which is none that is awaited",
                       rank);
        close(one->fd);
        d->full = 0;
    }
    unidentified_forget(d, i);
    return false;
}

/* There are as many as may be: those whose rank has come go, or the oldest one. */
static void unidentified_thin_out(struct connecting *d)
{
    for (size_t i = 0; i < d->count;) {
        i += unidentified_hear(d, i);
    }
    if (d->count == UNIDENTIFIED_MAX) {
        unidentified_close(d, 0);
    }
}

static void unidentified_accept(struct connecting *d)
{
    for (;;) {
        int fd = accept4(d->setup->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED) {
                continue;
            }
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
                d->full = errno;
            }
            return;
        }
        if (d->count == UNIDENTIFIED_MAX) {
            unidentified_thin_out(d);
        }
        d->unidentified[d->count++] = (struct unidentified){.fd = fd};
    }
}

static void missing_complain(const struct connecting *d)
{
    for (uint32_t host = d->setup->host + 1; host < d->setup->agreed->world.hosts; host++) {
        if (host_is_partner(d, host) && d->channels[host] < 0) {
            agent_complain(d->setup, "host %" PRIu32 " (client %" PRIu32 ") has not connected within %" PRIu32 " s",
                           host, host_of(d, host)->client, d->setup->connect_seconds);
        }
    }
}

/* Nobody has said anything for as long as they may. While there is no descriptor for somebody else the listening
 * socket, which would be ready all the time, is left alone; then the oldest unidentified connection makes room, if
 * there is one, or it is tried once more. False: there is no more time. */
static bool silence_end(struct connecting *d)
{
    if (left_ms(d) == 0) {
        missing_complain(d);
        return false;
    }
    d->full = 0;
    if (d->count > 0) {
        unidentified_close(d, 0);
    }
    return true;
}

/* The descriptors that this process may have are all in use by channels: none will become free. */
static bool descriptors_are_used_up(const struct connecting *d)
{
    if (d->full != EMFILE || d->count > 0) {
        return false;
    }
    agent_complain(d->setup,
                   "cannot take another connection, and %" PRIu32 " of the other hosts are still to come: %s; raise "
                   "the limit (ulimit -n)",
                   d->awaited, strerror(d->full));
    return true;
}

/* Waits until somebody says something or, unless there is no descriptor for them, connects. As poll. */
static int unidentified_poll(const struct connecting *d, struct pollfd *fds, size_t count)
{
    int left = left_ms(d);

    fds[0].fd = d->full ? -1 : d->setup->listen_fd;
    return poll(fds, count + 1, d->full && left > ROOM_MS ? ROOM_MS : left);
}

static bool higher_accept(struct connecting *d)
{
    while (d->awaited > 0 && !descriptors_are_used_up(d)) {
        struct pollfd fds[UNIDENTIFIED_MAX + 1] = {{d->setup->listen_fd, POLLIN, 0}};
        size_t count = d->count;

        for (size_t i = 0; i < count; i++) {
            fds[i + 1] = (struct pollfd){d->unidentified[i].fd, POLLIN, 0};
        }
        int ready = unidentified_poll(d, fds, count);
        if (ready == 0 && !silence_end(d)) {
            return false;
        }
        for (size_t i = 0, at = 0; ready > 0 && i < count; i++) {
            at += fds[i + 1].revents == 0 || unidentified_hear(d, at); /* those that remain move up */
        }
        if (ready > 0 && fds[0].revents != 0) {
            unidentified_accept(d);
        }
    }
    return d->awaited == 0;
}

//= IMPI-083
bool connect_hosts(const struct agent_setup *setup, int *channels)
{
    struct connecting d = {.setup = setup, .channels = channels};
    uint32_t hosts = setup->agreed->world.hosts;
    bool good = true;

    d.deadline_ms = clock_now_ms() + (uint64_t)setup->connect_seconds * 1000;
    for (uint32_t host = 0; host < hosts; host++) {
        channels[host] = -1;
        d.awaited += host > setup->host && host_is_partner(&d, host);
    }
    for (uint32_t host = 0; good && host < setup->host; host++) {
        good = !host_is_partner(&d, host) || lower_connect(&d, host);
    }
    good = good && higher_accept(&d);
    for (size_t i = 0; i < d.count; i++) {
        close(d.unidentified[i].fd);
    }
    close(setup->listen_fd);
    return good;
}
