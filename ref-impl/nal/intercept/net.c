/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The beginning and end of a process's presence on the Intercept network, and its row. The steps are those of the
 * thesis's driver (5.3.1): sockets for the planes, the card's address, its planes, then the job.
 */
#include "ref-impl/nal/intercept/net.h"

#include "ref-impl/nal/intercept/cables.h"
#include "ref-impl/nal/intercept/intercept.h"
#include "ref-impl/nal/intercept/netclock.h"
#include "ref-impl/nal/intercept/switch.h"
#include "ref-impl/nal/thread.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

void intercept_net_wake(struct intercept_net *net)
{
    uint64_t one = 1;

    if (!net->woken && write(net->wake_fd, &one, sizeof one) == sizeof one) {
        net->woken = true;
    }
}

static void net_wake_all(void *net)
{
    intercept_net_wake(net);
}

/* ---- the card's host ---- */

static void host_transmit(void *host, unsigned plane, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct intercept_net *net = host;
    unsigned char frame[WIRE_INTERCEPT_FRAME_MAX];

    (void)at_ns;
    memcpy(frame, octets, len);
    if (intercept_faults_pass(&net->faults, plane, frame, len)) {
        netclock_frame_leaves(NETCLOCK_SWITCH);
        if (send(net->fds[plane], frame, len, 0) < 0) {
            netclock_frame_is_lost(NETCLOCK_SWITCH); /* what the machine does not take is lost like any other frame */
        }
    }
}

/* The driver has its turn after every wake-up. */
static void host_interrupt(void *host, uint64_t at_ns)
{
    (void)at_ns;
    struct intercept_net *net = host;

    lock_take(&net->lock);
    intercept_net_wake(net);
    lock_give(&net->lock);
}

static void host_write(void *host, void *token, unsigned char *to, const unsigned char *octets, size_t len)
{
    struct intercept_net *net = host;

    intercept_node_write(&net->node, token, to, octets, len);
}

static void host_sent(void *host, void *cookie)
{
    struct intercept_net *net = host;

    intercept_node_slice_sent(&net->node, cookie);
    host_interrupt(host, 0);
}

static const struct intercept_nic_ops nic_ops = {
    .transmit = host_transmit, .interrupt = host_interrupt, .write = host_write, .sent = host_sent};

/* ---- beginning ---- */

/* Reads ADDRESS:PORT. */
static bool place_read(const char *place, struct sockaddr_in *address)
{
    const char *colon = strrchr(place, ':');
    char text[INET_ADDRSTRLEN] = "";
    char *end = NULL;
    unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 0;

    if (!colon || *end || port == 0 || port > UINT16_MAX - ICPT_PLANES || (size_t)(colon - place) >= sizeof text) {
        return false;
    }
    memcpy(text, place, (size_t)(colon - place));
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return inet_pton(AF_INET, text, &address->sin_addr) == 1;
}

/* A socket for each plane. The port of the first is the card's address, that of the second the process's id: both are
 * unique on this machine. */
//= ICPT-106
//= ICPT-200
//= ICPT-206
static bool planes_connect(struct intercept_net *net, const struct sockaddr_in *base)
{
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        struct sockaddr_in to = *base;
        struct sockaddr_in own;
        socklen_t len = sizeof own;

        to.sin_port = htons((uint16_t)(ntohs(base->sin_port) + plane));
        net->fds[plane] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (net->fds[plane] < 0 || connect(net->fds[plane], (struct sockaddr *)&to, sizeof to) != 0 ||
            getsockname(net->fds[plane], (struct sockaddr *)&own, &len) != 0) {
            return false;
        }
        net->iuca = plane == 0 ? ntohs(own.sin_port) : net->iuca;
        net->pid = plane == 1 ? ntohs(own.sin_port) : net->pid;
    }
    return true;
}

static bool card_begin(struct intercept_net *net)
{
    bool good = intercept_nic_begin(&net->nic, net->iuca, WIRE_INTERCEPT_PLANES_ALL, &nic_ops, net) &&
                intercept_node_begin(&net->node, &net->nic, net->pid, &intercept_net_library, net);

    for (unsigned vnic = 1; good && vnic < WIRE_INTERCEPT_VNICS; vnic++) {
        good = intercept_nic_open(&net->nic, vnic, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    }
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        intercept_link_timing(&net->nic.planes[plane].link, &cables_timing);
    }
    return good;
}

static void net_free(struct intercept_net *net)
{
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        if (net->fds[plane] >= 0) {
            close(net->fds[plane]);
        }
    }
    if (net->wake_fd >= 0) {
        close(net->wake_fd);
    }
    netclock_detach();
    intercept_node_end(&net->node);
    intercept_nic_end(&net->nic);
    while (net->landings) {
        struct intercept_landing *next = net->landings->next;

        free(net->landings);
        net->landings = next;
    }
    free(net->members);
    arrivals_destroy(&net->arrivals);
    pthread_cond_destroy(&net->quiet);
    lock_destroy(&net->lock);
    free(net);
}

static struct intercept_net *net_alloc(void)
{
    struct intercept_net *net = calloc(1, sizeof *net);

    if (!net) {
        return NULL;
    }
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        net->fds[plane] = -1;
    }
    lock_init(&net->lock);
    pthread_cond_init(&net->quiet, NULL);
    arrivals_init(&net->arrivals,
                  &(struct arrivals_network){net, &net->lock, &net->quiet, intercept_net_is_progress, net_wake_all});
    intercept_net_closing_begin(net);
    net->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return net;
}

//= ICPT-198
//= ICPT-201
struct intercept_net *intercept_net_new(const char *place)
{
    struct sockaddr_in base;
    struct intercept_net *net;

    if (!place_read(place, &base)) {
        fprintf(stderr, "portals: ASSAY_INTERCEPT=%s is not ADDRESS:PORT, as portalsrun sets it\n", place);
        return NULL;
    }
    net = net_alloc();
    if (!net || net->wake_fd < 0 || !planes_connect(net, &base) || !card_begin(net)) {
        fprintf(stderr, "portals: cannot start the network intercept: %s\n", strerror(errno));
    } else if (!netclock_attach(net->iuca) || !cables_faults(&net->faults, net->iuca)) {
        errno = EINVAL;
    } else if (!intercept_net_announce(net)) {
        fprintf(stderr, "portals: the switch of the network intercept at %s does not answer\n", place);
    } else if ((errno = thread_start(&net->thread, intercept_net_run, net)) != 0) {
        fprintf(stderr, "portals: cannot start the network intercept: %s\n", strerror(errno));
    } else {
        return net;
    }
    if (net) {
        net_free(net);
    }
    return NULL;
}

bool intercept_net_join(struct intercept_net *net, const struct network_job *job)
{
    struct wire_portals_id *members = calloc(job->size, sizeof *members);

    if (!members) {
        fputs("portals: no memory to start the network intercept\n", stderr);
        return false;
    }
    memcpy(members, job->members, job->size * sizeof *members);
    lock_take(&net->lock);
    net->self = job->self;
    net->members = members;
    net->size = job->size;
    net->is_joined = true;
    intercept_net_wake(net);
    lock_give(&net->lock);
    return true;
}

void intercept_net_stop(struct intercept_net *net)
{
    lock_take(&net->lock);
    net->is_stopping = true;
    intercept_net_wake(net);
    lock_give(&net->lock);
    pthread_join(net->thread, NULL);
    net_free(net);
}

/* ---- the row ---- */

/* This process on the network. Written by begin and end only. */
static struct intercept_net *here;

static enum network_status begin(struct network_place *place)
{
    const char *where = getenv(cables_place);

    if (!where) {
        fputs("portals: ASSAY_INTERCEPT does not say where the switch of the network intercept is; start the job by "
              "portalsrun --nal intercept\n",
              stderr);
        return NETWORK_FAILED;
    }
    here = intercept_net_new(where);
    if (!here) {
        return NETWORK_FAILED;
    }
    place->nid = here->iuca;
    place->pid = here->pid;
    return NETWORK_READY;
}

static bool join(const struct network_job *job)
{
    return intercept_net_join(here, job);
}

//= ICPT-209
static void end(void)
{
    if (here) {
        intercept_net_stop(here);
        here = NULL;
    }
}

static enum nal_status open_interface(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                      struct nal **nal)
{
    return intercept_net_open(here, config, upcalls, core, nal);
}

//= ICPT-195
//= ICPT-203
//= ICPT-204
//= ICPT-207
const struct network intercept_network = {
    .name = "intercept",
    .about = "cards, four planes and a switch (specs/intercept-wire.md)",
    .reach = NETWORK_REACHES_ANY,
    .cost = 200,
    .mixes = false,
    .begin = begin,
    .join = join,
    .end = end,
    .open = open_interface,
    .host = switch_begin,
    .unhost = switch_end,
};
