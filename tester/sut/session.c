/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One line connection (session.h). A line that is too long or holds a control character ends it: there is no telling
 * what the other side meant.
 */
#include "tester/sut/session.h"

#include "tester/base/buffer.h"
#include "tester/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { UNREAD_MAX = 8 << 20 };

struct session {
    struct loop *loop;
    struct loop_watch *watch; /* NULL: closed */
    struct registry_link link;
    struct session_events events;
    struct buffer in, out;
    bool in_callback, freed; /* session_close from inside a callback frees when the callback is back */
};

static void session_ready(void *context, short revents);

/* A system under test whose machine or network has vanished is noticed within half a minute. */
static void set_keepalive(int fd)
{
    int on = 1, idle = 15, every = 5, tries = 3;

    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof tries);
}

struct session *session_open(struct loop *loop, struct registry_link *link, const struct session_events *events)
{
    struct session *session = memory_zero(sizeof *session);
    int one = 1;

    session->loop = loop;
    session->link = *link;
    session->events = *events;
    session->in.limit = SESSION_LINE_MAX * 2;
    session->out.limit = UNREAD_MAX;
    fcntl(link->fd, F_SETFL, fcntl(link->fd, F_GETFL) | O_NONBLOCK);
    setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &one,
               sizeof one); /* fails on a socket pair, where it is not needed */
    set_keepalive(link->fd);
    session->watch = loop_add(loop, link->fd, POLLIN, session_ready, session);
    return session;
}

static void session_end(struct session *session, const char *reason, bool broken)
{
    if (!session->watch) {
        return;
    }
    loop_remove(session->loop, session->watch);
    session->watch = NULL;
    registry_link_close(&session->link);
    if (!session->freed) {
        session->events.closed(session->events.context, reason, broken);
    }
}

static bool line_is_text(const unsigned char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (line[i] < 32 || line[i] > 126) {
            return false;
        }
    }
    return true;
}

/* Delivers one whole line from the front of the input; false when there is none or the session is over. */
static bool session_deliver(struct session *session)
{
    unsigned char *end = session->in.len ? memchr(session->in.octets, '\n', session->in.len) : NULL;
    size_t len = end ? (size_t)(end - session->in.octets) : session->in.len;

    if (len >= SESSION_LINE_MAX) {
        session_end(session, "it sent a line of more than 262144 octets", true);
        return false;
    }
    if (!end) {
        return false;
    }
    if (!line_is_text(session->in.octets, len)) {
        session_end(session, "it sent a line with a character that is not printable ASCII", true);
        return false;
    }
    char *line = memory_zero(len + 1);
    memcpy(line, session->in.octets, len);
    buffer_take(&session->in, len + 1);
    session->events.line(session->events.context, line);
    free(line);
    return session->watch && !session->freed;
}

static void session_take(struct session *session, const void *octets, size_t len)
{
    if (session->events.octets) {
        session->events.octets(session->events.context, true, octets, len);
    }
    if (!buffer_append(&session->in, octets, len)) {
        session_end(session, "it sent a line of more than 262144 octets", true);
        return;
    }
    while (session_deliver(session)) {
    }
}

static void session_flush(struct session *session)
{
    while (session->watch && session->out.len) {
        ssize_t sent = send(session->link.fd, session->out.octets, session->out.len, MSG_NOSIGNAL);
        if (sent > 0) {
            buffer_take(&session->out, (size_t)sent);
        } else if (sent < 0 && errno == EINTR) {
            continue;
        } else if (sent < 0 && errno == EAGAIN) {
            break;
        } else {
            session_end(session, strerror(errno), false);
        }
    }
    if (session->watch) {
        loop_want(session->watch, session->out.len ? POLLIN | POLLOUT : POLLIN);
    }
}

static void session_read(struct session *session)
{
    unsigned char octets[65536];
    ssize_t got = recv(session->link.fd, octets, sizeof octets, 0);

    if (got > 0) {
        session_take(session, octets, (size_t)got);
    } else if (got == 0) {
        session_end(session, "it closed the connection", false);
    } else if (errno != EINTR && errno != EAGAIN) {
        session_end(session, strerror(errno), false);
    }
}

static void session_release(struct session *session)
{
    buffer_release(&session->in);
    buffer_release(&session->out);
    free(session);
}

static void session_ready(void *context, short revents)
{
    struct session *session = context;

    session->in_callback = true;
    if (revents & POLLOUT) {
        session_flush(session);
    }
    if (session->watch && (revents & (POLLIN | POLLHUP | POLLERR))) {
        session_read(session);
    }
    session->in_callback = false;
    if (session->freed) {
        session_release(session);
    }
}

void session_feed(struct session *session)
{
    if (session->link.extra_octets) {
        size_t len = session->link.extra_octets;
        session->link.extra_octets = 0;
        void *extra = session->link.extra;
        session->link.extra = NULL;
        session->in_callback = true;
        session_take(session, extra, len);
        session->in_callback = false;
        free(extra);
        if (session->freed) {
            session_release(session);
        }
    }
}

bool session_send(struct session *session, const char *line)
{
    size_t len = strlen(line);

    if (!session->watch || session->out.len + len + 1 > session->out.limit ||
        !buffer_append(&session->out, line, len) || !buffer_append(&session->out, "\n", 1)) {
        return false;
    }
    if (session->events.octets) {
        session->events.octets(session->events.context, false, session->out.octets + session->out.len - len - 1,
                               len + 1);
    }
    session_flush(session);
    return session->watch != NULL;
}

/* The IPv4 address of one end, also when IPv6 carries it; 127.0.0.1 and port 0 when there is none. */
static struct sockaddr_in end_address(const struct session *session, int (*name)(int, struct sockaddr *, socklen_t *))
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_storage any = {0};
    socklen_t len = sizeof any;

    if (!session->watch || name(session->link.fd, (struct sockaddr *)&any, &len) < 0) {
        return address;
    }
    if (any.ss_family == AF_INET) {
        memcpy(&address, &any, sizeof address);
    } else if (any.ss_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, &any, sizeof six);
        if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
            memcpy(&address.sin_addr, six.sin6_addr.s6_addr + 12, 4);
            address.sin_port = six.sin6_port;
        }
    }
    return address;
}

void session_addresses(const struct session *session, struct sockaddr_in *local, struct sockaddr_in *remote)
{
    *local = end_address(session, getsockname);
    *remote = end_address(session, getpeername);
}

void session_close(struct session *session)
{
    if (!session) {
        return;
    }
    session->freed = true;
    session_flush(session);
    session_end(session, "closed", false);
    if (!session->in_callback) {
        session_release(session);
    }
}
