/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The job directory as the launcher runs it; see directory.h. One caller's thread, no blocking: what a process does not
 * read at once waits in the one text that all of them get, and each connection knows how far it has come in it.
 *
 *      JOIN 1 KEY RANK NID PID ->
 *                              <- JOB GID SIZE, then SIZE times RANK NID PID      (or REFUSED reason, and the end)
 *      LEAVE ->
 */
#include "ref-impl/launch/directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_OCTETS = 255 /* without the line feed */, EVENTS = 64, MEMBER_OCTETS = 40, BACKLOG = 1024 };

struct member {
    enum directory_state state;
    uint32_t nid, pid;
};

struct connection {
    struct connection *next, *prev;
    int fd;
    bool joined;
    bool evicted; /* shut down, and to be ended when that is read */
    uint32_t rank;
    size_t line_len;
    size_t list_sent;
    char line[LINE_OCTETS + 1];
};

struct directory {
    int listen_fd, epoll_fd;
    uint16_t port;
    const char *key;
    uint32_t gid, size, joined;
    uint32_t unidentified; /* connections that have not joined */
    bool accept_paused;    /* there was no descriptor for one more connection: they wait until there is one */
    struct connection *connections;
    char *list; /* the answer to all, once the last has joined */
    size_t list_len;
    struct member members[];
};

static void connection_watch(const struct directory *d, struct connection *c)
{
    bool writes = d->list && c->joined && c->list_sent < d->list_len;
    struct epoll_event event = {.events = EPOLLIN | (writes ? EPOLLOUT : 0U), .data.ptr = c};

    (void)epoll_ctl(d->epoll_fd, EPOLL_CTL_MOD, c->fd, &event);
}

/* Without free descriptors the listening socket would stay ready and be asked in vain, for ever. */
static void listener_watch(struct directory *d, bool hears)
{
    struct epoll_event event = {.events = hears ? EPOLLIN : 0U, .data.ptr = NULL};

    d->accept_paused = epoll_ctl(d->epoll_fd, EPOLL_CTL_MOD, d->listen_fd, &event) == 0 && !hears;
}

static void connection_end(struct directory *d, struct connection *c)
{
    if (c->joined && d->members[c->rank].state == DIRECTORY_JOINED) {
        d->members[c->rank].state = DIRECTORY_LOST;
    }
    if (c->prev) {
        c->prev->next = c->next;
    } else {
        d->connections = c->next;
    }
    if (c->next) {
        c->next->prev = c->prev;
    }
    d->unidentified -= !c->joined;
    close(c->fd);
    free(c);
    if (d->accept_paused) {
        listener_watch(d, true);
    }
}

/* Evicts the unidentified connection that has kept silent for longest, when there are more than can be processes of the
 * job: those say JOIN at once. Its connection ends when its end is read, like any other. */
static void unidentified_evict(struct directory *d)
{
    struct connection *oldest = NULL;

    if (d->unidentified <= d->size - d->joined + DIRECTORY_UNIDENTIFIED_MAX) {
        return;
    }
    for (struct connection *c = d->connections; c; c = c->next) {
        oldest = c->joined || c->evicted ? oldest : c; /* the list begins with the youngest */
    }
    if (oldest) {
        oldest->evicted = true;
        (void)shutdown(oldest->fd, SHUT_RDWR);
    }
}

static void connection_begin(struct directory *d, int fd)
{
    struct connection *c = calloc(1, sizeof *c);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

    if (!c || epoll_ctl(d->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        free(c);
        close(fd);
        return;
    }
    c->fd = fd;
    c->next = d->connections;
    if (c->next) {
        c->next->prev = c;
    }
    d->connections = c;
    d->unidentified++;
    unidentified_evict(d);
}

/* Always false: the connection is to end. */
static bool refuse(const struct connection *c, const char *reason)
{
    char line[LINE_OCTETS + 2];
    int len = snprintf(line, sizeof line, "REFUSED %s\n", reason);

    (void)!send(c->fd, line, (size_t)len, MSG_NOSIGNAL | MSG_DONTWAIT);
    return false;
}

/* All have joined: writes the list, and lets every connection send it. */
static bool list_make(struct directory *d)
{
    size_t cap = (size_t)(d->size + 1) * MEMBER_OCTETS;

    d->list = malloc(cap);
    if (!d->list) {
        return false;
    }
    d->list_len = (size_t)snprintf(d->list, cap, "JOB %u %u\n", (unsigned)d->gid, (unsigned)d->size);
    for (uint32_t rank = 0; rank < d->size; rank++) {
        d->list_len += (size_t)snprintf(d->list + d->list_len, cap - d->list_len, "%u %u %u\n", (unsigned)rank,
                                        (unsigned)d->members[rank].nid, (unsigned)d->members[rank].pid);
    }
    for (struct connection *c = d->connections; c; c = c->next) {
        connection_watch(d, c);
    }
    return true;
}

/* The next number of the line, up to `max`. */
static bool number_take(char **save, uint32_t max, uint32_t *number)
{
    const char *part = strtok_r(NULL, " ", save);
    char *end = NULL;

    if (!part || *part < '0' || *part > '9') {
        return false;
    }
    errno = 0;
    unsigned long value = strtoul(part, &end, 10);
    if (*end || errno != 0 || value > max) {
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

/* Compares in a time that does not tell how much of the key was right. */
static bool key_equals(const char *key, const char *offered)
{
    size_t len = strlen(key);
    unsigned char differs = 0;

    if (!offered || strlen(offered) != len) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        differs |= (unsigned char)(key[i] ^ offered[i]);
    }
    return differs == 0;
}

static bool line_join(struct directory *d, struct connection *c)
{
    char *save = NULL;
    uint32_t version = 0;
    uint32_t rank = 0;
    uint32_t nid = 0;
    uint32_t pid = 0;

    (void)strtok_r(c->line, " ", &save);
    if (!number_take(&save, UINT32_MAX, &version) || version != 1) {
        return refuse(c, "this directory speaks version 1 of its protocol");
    }
    if (!key_equals(d->key, strtok_r(NULL, " ", &save))) {
        return refuse(c, "the key is not that of this job");
    }
    if (!number_take(&save, UINT32_MAX, &rank) || !number_take(&save, UINT32_MAX, &nid) ||
        !number_take(&save, UINT32_MAX, &pid) || strtok_r(NULL, " ", &save)) {
        return refuse(c, "expected JOIN 1 KEY RANK NID PID");
    }
    if (rank >= d->size) {
        return refuse(c, "this job has no such rank");
    }
    if (c->joined || d->members[rank].state != DIRECTORY_AWAITED) {
        return refuse(c, "this rank has joined already");
    }
    d->members[rank] = (struct member){DIRECTORY_JOINED, nid, pid};
    c->joined = true;
    c->rank = rank;
    d->joined++;
    d->unidentified--;
    return d->joined < d->size || list_make(d) || refuse(c, "the launcher has no memory left");
}

/* One line from a process; false: the connection is to end. */
static bool line_handle(struct directory *d, struct connection *c)
{
    if (strncmp(c->line, "JOIN ", 5) == 0) {
        return line_join(d, c);
    }
    if (c->joined && strcmp(c->line, "LEAVE") == 0) {
        d->members[c->rank].state = DIRECTORY_LEFT;
        return true;
    }
    return refuse(c, "expected JOIN or LEAVE");
}

static bool input_handle(struct directory *d, struct connection *c, const char *input, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (input[i] != '\n') {
            if (c->line_len == LINE_OCTETS) {
                return refuse(c, "the line is too long");
            }
            c->line[c->line_len++] = input[i];
            continue;
        }
        c->line[c->line_len] = '\0';
        c->line_len = 0;
        if (!line_handle(d, c)) {
            return false;
        }
    }
    return true;
}

/* False: the connection is to end. */
static bool connection_read(struct directory *d, struct connection *c)
{
    char input[512];

    for (;;) {
        ssize_t got = recv(c->fd, input, sizeof input, MSG_DONTWAIT);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return true;
        }
        if (got <= 0 || !input_handle(d, c, input, (size_t)got)) {
            return false;
        }
    }
}

/* False: the connection is to end. */
static bool connection_write(struct directory *d, struct connection *c)
{
    while (d->list && c->joined && c->list_sent < d->list_len) {
        ssize_t put = send(c->fd, d->list + c->list_sent, d->list_len - c->list_sent, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
        c->list_sent += (size_t)put;
    }
    connection_watch(d, c);
    return true;
}

static void accept_all(struct directory *d)
{
    for (;;) {
        int fd = accept4(d->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0) {
            connection_begin(d, fd);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
                listener_watch(d, false);
            }
            return;
        }
    }
}

static void event_handle(struct directory *d, const struct epoll_event *event)
{
    struct connection *c = event->data.ptr;

    if (!c) {
        accept_all(d);
    } else if (((event->events & EPOLLOUT) && !connection_write(d, c)) || !connection_read(d, c)) {
        connection_end(d, c);
    }
}

/* Until nothing is left: when many processes end at a time, each of them has said LEAVE before it was seen to end. */
void directory_handle(struct directory *d)
{
    struct epoll_event events[EVENTS];
    int count;

    do {
        count = epoll_wait(d->epoll_fd, events, EVENTS, 0);
        for (int i = 0; i < count; i++) {
            event_handle(d, &events[i]);
        }
    } while (count == EVENTS);
}

struct directory *directory_open(struct in_addr address, const char *key, uint32_t gid, uint32_t size)
{
    struct directory *d = calloc(1, sizeof *d + size * sizeof d->members[0]);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr = address};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    socklen_t len = sizeof place;

    if (!d) {
        return NULL;
    }
    d->key = key;
    d->gid = gid;
    d->size = size;
    d->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    d->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (d->epoll_fd < 0 || d->listen_fd < 0 || bind(d->listen_fd, (struct sockaddr *)&place, len) != 0 ||
        listen(d->listen_fd, BACKLOG) != 0 || getsockname(d->listen_fd, (struct sockaddr *)&place, &len) != 0 ||
        epoll_ctl(d->epoll_fd, EPOLL_CTL_ADD, d->listen_fd, &event) != 0) {
        int error = errno;
        directory_close(d);
        errno = error;
        return NULL;
    }
    d->port = ntohs(place.sin_port);
    return d;
}

void directory_close(struct directory *d)
{
    while (d->connections) {
        connection_end(d, d->connections);
    }
    if (d->listen_fd >= 0) {
        close(d->listen_fd);
    }
    if (d->epoll_fd >= 0) {
        close(d->epoll_fd);
    }
    free(d->list);
    free(d);
}

void directory_refuse(struct directory *d, const char *reason)
{
    for (struct connection *c = d->list ? NULL : d->connections; c; c = c->next) {
        (void)refuse(c, reason);
        (void)shutdown(c->fd, SHUT_WR);
    }
}

uint16_t directory_port(const struct directory *d)
{
    return d->port;
}

int directory_fd(const struct directory *d)
{
    return d->epoll_fd;
}

enum directory_state directory_state(const struct directory *d, uint32_t rank)
{
    return d->members[rank].state;
}

uint32_t directory_joined(const struct directory *d)
{
    return d->joined;
}
