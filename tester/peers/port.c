/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scripted peers listen, accept and connect (port.h). What happens on an open stream is in stream.c.
 */
#include "tester/peers/port.h"

#include "tester/base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 128, REST_MS = 200 };

static void port_ready(void *context, short revents)
{
    struct port *port = context;
    struct sockaddr_in from = {0};
    socklen_t len = sizeof from;
    int fd = accept4(port->fd, (struct sockaddr *)&from, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);

    (void)revents;
    if (fd < 0) { /* it was gone again; or no descriptor is left: if that lasts, the case waits in vain and says so */
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            loop_rest(port->watch, REST_MS);
        }
        return;
    }
    struct stream *stream = stream_new(port->all, fd, port->label);
    if (!stream) {
        return;
    }
    stream->port = port;
    stream->flow.ends[FLOW_MANAGER] = port->address;
    len = sizeof port->address; /* a port may listen at all addresses; a connection has come to one of them */
    (void)getsockname(fd, (struct sockaddr *)&stream->flow.ends[FLOW_MANAGER], &len);
    stream->flow.ends[FLOW_SUT] = from;
    if (port->opened) {
        port->opened(port, stream);
    }
    if (port->all->evidence) {
        flow_open(port->all->evidence->capture, &stream->flow, FLOW_SUT);
    }
    stream_watch(stream);
}

static bool port_listen(struct port *port, const char *address, uint16_t number)
{
    socklen_t len = sizeof port->address;

    port->address.sin_family = AF_INET;
    port->address.sin_port = htons(number);
    port->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (inet_pton(AF_INET, address, &port->address.sin_addr) != 1) {
        errno = EINVAL;
        return false;
    }
    return port->fd >= 0 && setsockopt(port->fd, SOL_SOCKET, SO_REUSEPORT, &(int){1}, sizeof(int)) == 0 &&
           bind(port->fd, (struct sockaddr *)&port->address, len) == 0 && listen(port->fd, BACKLOG) == 0 &&
           getsockname(port->fd, (struct sockaddr *)&port->address, &len) == 0;
}

struct port *port_new(struct streams *streams, const char *address, uint16_t number, const char *label, char *message,
                      size_t message_octets)
{
    if (streams->port_count == PORTS_MAX) {
        snprintf(message, message_octets, "a case may listen at %d ports", PORTS_MAX);
        return NULL;
    }
    struct port *port = memory_zero(sizeof *port);

    port->held_fd = -1;
    if (!port_listen(port, address, number)) {
        snprintf(message, message_octets, "%s cannot listen at %s: %s", label, address, strerror(errno));
        if (port->fd >= 0) {
            close(port->fd);
        }
        free(port);
        return NULL;
    }
    port->all = streams;
    port->index = streams->port_count;
    snprintf(port->label, sizeof port->label, "%s", label);
    port->watch = loop_add(streams->loop, port->fd, POLLIN, port_ready, port);
    streams->ports[streams->port_count++] = port;
    return port;
}

struct stream *port_accepted(struct port *port)
{
    for (unsigned i = 0; i < port->all->stream_count; i++) {
        struct stream *stream = port->all->streams[i];
        if (stream->port == port && !stream->accepted) {
            stream->accepted = true;
            return stream;
        }
    }
    return NULL;
}

/* Keeps the number without listening; SO_REUSEPORT lets it be bound while the listening socket still is. */
static void port_hold(struct port *port)
{
    port->held_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (port->held_fd >= 0 && (setsockopt(port->held_fd, SOL_SOCKET, SO_REUSEPORT, &(int){1}, sizeof(int)) != 0 ||
                               bind(port->held_fd, (struct sockaddr *)&port->address, sizeof port->address) != 0)) {
        close(port->held_fd);
        port->held_fd = -1;
    }
}

void port_close(struct port *port)
{
    if (port->fd >= 0) {
        port_hold(port);
        loop_remove(port->all->loop, port->watch);
        close(port->fd);
        port->fd = -1;
    }
}

static void port_free(struct port *port)
{
    port_close(port);
    if (port->held_fd >= 0) {
        close(port->held_fd);
    }
    free(port);
}

void port_close_all(struct streams *streams)
{
    for (unsigned i = 0; i < streams->port_count; i++) {
        port_free(streams->ports[i]);
    }
    streams->port_count = 0;
}

struct stream *port_connect(struct streams *streams, struct in_addr from, const struct sockaddr_in *to,
                            const char *label)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = from};
    socklen_t len = sizeof here;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&here, len) < 0) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    struct stream *stream = stream_new(streams, fd, label);
    if (!stream) {
        return NULL;
    }
    stream->accepted = stream->connecting = true;
    if (connect(fd, (const struct sockaddr *)to, sizeof *to) < 0 && errno != EINPROGRESS) {
        stream->connecting = false;
        stream->ended = stream->reset = true;
    }
    getsockname(fd, (struct sockaddr *)&here, &len);
    stream->flow.ends[FLOW_MANAGER] = here;
    stream->flow.ends[FLOW_SUT] = *to;
    stream_watch(stream);
    return stream;
}
