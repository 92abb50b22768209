/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The row of the TCP network: this process on it. Its node id is an IPv4 address of the machine, its process id says
 * at which port it listens (specs/portals-wire.md). So the pair is unique in the system (chapter 3.4), and whoever
 * knows it can send.
 */
#include "ref-impl/nal/tcp/tcp.h"

#include "wire/portals/rules.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections that the system completes before this process takes them: all peers of a job may call at once. */
enum { BACKLOG = 1024 };

/* Whom no launcher has started knows of its peers only that they will come: so long it waits for one. */
enum { PATIENCE_MS = 30000 };

/* This process on the network. Written by begin, join and end only. */
static struct {
    int listen_fd; /* -1 before begin */
    struct tcp_net *net;
} here = {-1, NULL};

/* Who asks for a port wants it although connections of a process that had it before have not faded yet. */
static bool wish(int fd, const struct network_place *place, struct sockaddr_in *address)
{
    if (place->pid == 0) {
        return true;
    }
    if (place->pid > UINT16_MAX) {
        errno = EINVAL;
        return false;
    }
    address->sin_port = htons((uint16_t)wire_portals_port_of(place->pid));
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) == 0;
}

/* Opens the listening socket. */
static enum network_status begin(struct network_place *place)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(place->nid)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0 || !wish(fd, place, &address) || bind(fd, (struct sockaddr *)&address, len) != 0 ||
        listen(fd, BACKLOG) != 0 || getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
        int error = errno;
        char text[INET_ADDRSTRLEN] = "";

        inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
        if (place->pid) {
            fprintf(stderr, "portals: cannot be process %u of %s, which listens at TCP port %u: %s\n",
                    (unsigned)place->pid, text, (unsigned)ntohs(address.sin_port), strerror(error));
        } else {
            fprintf(stderr, "portals: cannot listen on %s: %s; set ASSAY_NID to an address of this machine\n", text,
                    strerror(error));
        }
        if (fd >= 0) {
            close(fd);
        }
        return NETWORK_FAILED;
    }
    if (place->pid == 0) {
        place->pid = ntohs(address.sin_port);
    }
    here.listen_fd = fd;
    return NETWORK_READY;
}

static bool join(const struct network_job *job)
{
    if (!tcp_net_start(here.listen_fd, &job->self, job->size, job->watch, &here.net)) {
        return false;
    }
    if (job->alone) {
        tcp_net_expect(here.net, PATIENCE_MS);
    }
    return true;
}

static void end(void)
{
    if (here.net) {
        tcp_net_stop(here.net);
        here.net = NULL;
    }
    if (here.listen_fd >= 0) {
        close(here.listen_fd);
        here.listen_fd = -1;
    }
}

static enum nal_status open_interface(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                      struct nal **nal)
{
    return tcp_net_open(here.net, config, upcalls, core, nal);
}

static enum nal_status greet(uint32_t interface, const struct wire_portals_id *target)
{
    return tcp_net_greet(here.net, interface, target);
}

const struct network tcp_network = {
    .name = "tcp",
    .about = "TCP between any two processes (specs/portals-wire.md)",
    .reach = NETWORK_REACHES_ANY,
    .cost = 100,
    .mixes = true,
    .begin = begin,
    .join = join,
    .end = end,
    .open = open_interface,
    .greet = greet,
};
