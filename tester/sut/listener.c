/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accepting upgrades (listener.h). Limits: 8 KiB for a request, 5 seconds for it to come, 64 at a time.
 */
#include "tester/sut/listener.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/sut/registry.h"
#include "tester/sut/upgrade.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_MAX = 8192, REQUEST_MS = 5000, VISITORS_MAX = 64, REST_MS = 200 };

/* A connection whose request is still coming. */
struct visitor {
    struct listener *listener;
    struct loop_watch *watch; /* NULL: free place */
    int fd;
    int64_t late_ms;
    size_t len;
    char request[REQUEST_MAX + 1];
};

struct listener {
    struct loop *loop;
    struct loop_watch *watch;
    int fd;
    char address[32];
    struct visitor visitors[VISITORS_MAX];
};

static void visitor_leave(struct visitor *visitor, bool close_it)
{
    loop_remove(visitor->listener->loop, visitor->watch);
    visitor->watch = NULL;
    if (close_it) {
        close(visitor->fd);
    }
}

static void visitor_refuse(struct visitor *visitor, const struct upgrade_answer *answer)
{
    char response[512];
    int len =
        snprintf(response, sizeof response,
                 "HTTP/1.1 %u %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s\n",
                 answer->status, answer->phrase, strlen(answer->body) + 1, answer->body);

    if (len > 0 && send(visitor->fd, response, (size_t)len, MSG_NOSIGNAL) == len) {
        shutdown(visitor->fd, SHUT_WR);
    }
    visitor_leave(visitor, true);
}

/* The answer goes out before the engine gets the connection: else its first words could come before it. */
static void visitor_admit(struct visitor *visitor, const char *token, size_t request_len)
{
    static const char response[] =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\n\r\n";
    size_t len = sizeof response - 1;
    bool good = send(visitor->fd, response, len, MSG_NOSIGNAL) == (ssize_t)len &&
                registry_attach(token, visitor->fd, visitor->request + request_len, visitor->len - request_len, NULL,
                                NULL) == ENGINE_OK;

    visitor_leave(visitor, !good);
}

static void visitor_ready(void *context, short revents)
{
    struct visitor *visitor = context;
    struct upgrade_answer answer = {431, "Request Header Fields Too Large", "the request has more than 8192 octets"};
    char token[UPGRADE_TOKEN_ROOM];
    ssize_t got = recv(visitor->fd, visitor->request + visitor->len, REQUEST_MAX - visitor->len, MSG_DONTWAIT);

    (void)revents;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (got <= 0) {
        visitor_leave(visitor, true);
        return;
    }
    visitor->len += (size_t)got;
    visitor->request[visitor->len] = 0;
    char *end = memmem(visitor->request, visitor->len, "\r\n\r\n", 4);
    if (!end && visitor->len < REQUEST_MAX) {
        return;
    }
    if (end) {
        size_t len = (size_t)(end + 4 - visitor->request);
        answer = upgrade_judge(visitor->request, len, token);
        if (answer.status == 101) {
            visitor_admit(visitor, token, len);
            return;
        }
    }
    visitor_refuse(visitor, &answer);
}

int listener_expire(struct listener *listener)
{
    int64_t now = clock_now_ms(), next = -1;

    for (size_t i = 0; i < VISITORS_MAX; i++) {
        struct visitor *visitor = &listener->visitors[i];
        if (visitor->watch && visitor->late_ms <= now) {
            visitor_refuse(visitor,
                           &(struct upgrade_answer){408, "Request Timeout", "no request came within 5 seconds"});
        } else if (visitor->watch && (next < 0 || visitor->late_ms - now < next)) {
            next = visitor->late_ms - now;
        }
    }
    return (int)next;
}

/* Who has said nothing for too long makes room first. */
static void on_visit(void *context, short revents)
{
    struct listener *listener = context;
    int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);

    (void)revents;
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)) {
        loop_rest(listener->watch, REST_MS);
    }
    listener_expire(listener);
    for (size_t i = 0; fd >= 0 && i < VISITORS_MAX; i++) {
        struct visitor *visitor = &listener->visitors[i];
        if (!visitor->watch) {
            visitor->listener = listener;
            visitor->fd = fd;
            visitor->len = 0;
            visitor->late_ms = clock_now_ms() + REQUEST_MS;
            visitor->watch = loop_add(listener->loop, fd, POLLIN, visitor_ready, visitor);
            return;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

static bool parse_where(const char *where, struct sockaddr_in *address)
{
    char host[64];
    unsigned port;
    int used = 0;

    if (sscanf(where, "%63[0-9.]:%5u%n", host, &port, &used) != 2 || where[used] || port > UINT16_MAX) {
        return false;
    }
    address->sin_family = AF_INET;
    address->sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, host, &address->sin_addr) == 1;
}

struct listener *listener_open(struct loop *loop, const char *where, char *message, size_t message_octets)
{
    struct sockaddr_in address = {0};
    socklen_t len = sizeof address;
    char text[INET_ADDRSTRLEN];
    int one = 1;

    if (!parse_where(where, &address)) {
        snprintf(message, message_octets, "\"%s\" is not an IPv4 address and port like 127.0.0.1:0", where);
        return NULL;
    }
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    }
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) < 0 || listen(fd, 64) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) < 0) {
        snprintf(message, message_octets, "cannot listen at %s: %s", where, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    struct listener *listener = memory_zero(sizeof *listener);
    listener->loop = loop;
    listener->fd = fd;
    inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    snprintf(listener->address, sizeof listener->address, "%s:%u", text, ntohs(address.sin_port));
    listener->watch = loop_add(loop, fd, POLLIN, on_visit, listener);
    return listener;
}

const char *listener_address(const struct listener *listener)
{
    return listener->address;
}

void listener_close(struct listener *listener)
{
    for (size_t i = 0; i < VISITORS_MAX; i++) {
        if (listener->visitors[i].watch) {
            visitor_leave(&listener->visitors[i], true);
        }
    }
    loop_remove(listener->loop, listener->watch);
    close(listener->fd);
    free(listener);
}
