/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live switch; see switch.h. A port is known by the address from which its card sends: the card's announcement
 * makes it one (IW-52). Where the machine says that nobody listens at an address any more, the port is free again.
 */
#include "ref-impl/nal/intercept/switch.h"

#include "ref-impl/intercept/crossbar.h"
#include "ref-impl/nal/intercept/cables.h"
#include "ref-impl/nal/intercept/frames_trace.h"
#include "ref-impl/nal/thread.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BASE_TRIES = 100, FRAMES_A_TURN = 64, STOP = ICPT_PLANES };

struct cable {
    struct plane *plane;
    struct sockaddr_in to;
    uint16_t iuca;
};

struct plane {
    int fd;
    struct sockaddr_in own;
    uint8_t routes[ICPT_ADDRESSES];
    struct intercept_crossbar crossbar;
    struct cable cables[ICPT_PORTS];
};

/* The switch of this process. */
static struct {
    struct plane *planes; /* ICPT_PLANES of them; NULL: there is none */
    struct intercept_faults faults;
    struct frames_trace trace;
    int stop_fd;
    pthread_t thread;
} here;

static void cable_transmit(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    const struct cable *cable = owner;
    unsigned char frame[WIRE_INTERCEPT_FRAME_MAX];

    (void)at_ns;
    memcpy(frame, octets, len);
    bool passes = intercept_faults_pass(&here.faults, cable->plane->crossbar.plane, frame, len);

    frames_trace_show(&here.trace, &cable->plane->own, &cable->to, frame, len, passes ? NULL : "lost on the cable");
    if (passes) {
        /* What the machine does not take is lost like any other frame. */
        (void)sendto(cable->plane->fd, frame, len, 0, (const struct sockaddr *)&cable->to, sizeof cable->to);
    }
}

static const struct intercept_port_ops port_ops = {.transmit = cable_transmit};

static bool is_same(const struct sockaddr_in *one, const struct sockaddr_in *other)
{
    return one->sin_port == other->sin_port && one->sin_addr.s_addr == other->sin_addr.s_addr;
}

/* The port behind which that address is, or ICPT_PORTS. */
static unsigned port_of(const struct plane *plane, const struct sockaddr_in *from)
{
    unsigned port = 0;

    while (port < ICPT_PORTS && !(plane->crossbar.ports[port].ops && is_same(&plane->cables[port].to, from))) {
        port++;
    }
    return port;
}

static unsigned port_free(const struct plane *plane)
{
    unsigned port = 0;

    while (port < ICPT_PORTS && plane->crossbar.ports[port].ops) {
        port++;
    }
    return port;
}

static void port_leave(struct plane *plane, unsigned port)
{
    intercept_crossbar_disconnect(&plane->crossbar, port);
    if (plane->routes[plane->cables[port].iuca] == port) {
        plane->routes[plane->cables[port].iuca] = ICPT_NO_PORT;
    }
}

/* A card makes itself known: its port, which begins anew. ICPT_PORTS: there is none for it. */
//= IW-52
static unsigned port_announce(struct plane *plane, const struct sockaddr_in *from, const unsigned char *octets)
{
    unsigned port = port_of(plane, from);

    if (port < ICPT_PORTS && plane->crossbar.ports[port].link.expected == 1) {
        return port; /* it is said again, since our acknowledgement was lost */
    }
    port = port < ICPT_PORTS ? port : port_free(plane);
    if (port < ICPT_PORTS) {
        plane->cables[port] = (struct cable){plane, *from, intercept_cable_source(octets)};
        intercept_crossbar_connect(&plane->crossbar, port, &port_ops, &plane->cables[port]);
        intercept_link_timing(&plane->crossbar.ports[port].link, &cables_timing);
        plane->routes[plane->cables[port].iuca] = (uint8_t)port;
    }
    return port;
}

/* Takes the errors of the socket: at whose address nobody listens any more. */
static void errors_take(struct plane *plane)
{
    struct sockaddr_in to;
    unsigned char control[512];
    struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_control = control};

    for (;;) {
        message.msg_controllen = sizeof control;
        if (recvmsg(plane->fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
            return;
        }
        unsigned port = port_of(plane, &to);
        if (port < ICPT_PORTS) {
            port_leave(plane, port);
        }
    }
}

static void frames_take(struct plane *plane, uint64_t now_ns)
{
    for (int i = 0; i < FRAMES_A_TURN; i++) {
        unsigned char octets[WIRE_INTERCEPT_FRAME_MAX + 1];
        struct sockaddr_in from;
        socklen_t from_len = sizeof from;
        ssize_t len = recvfrom(plane->fd, octets, sizeof octets, 0, (struct sockaddr *)&from, &from_len);

        if (len < 0 && errno != EAGAIN) {
            errors_take(plane);
            continue;
        }
        if (len < 0) {
            return;
        }
        frames_trace_show(&here.trace, &from, &plane->own, octets, (size_t)len, NULL);
        unsigned port =
            cables_is_announcement(octets, (size_t)len) ? port_announce(plane, &from, octets) : port_of(plane, &from);
        if (port < ICPT_PORTS) {
            intercept_link_receive(&plane->crossbar.ports[port].link, octets, (size_t)len,
                                   (struct intercept_moment){now_ns, now_ns});
        }
    }
}

/* Sends again what has waited too long; says when that is due next, UINT64_MAX: nothing is outstanding. */
static uint64_t timers_expire(struct plane *plane, uint64_t now_ns)
{
    uint64_t next = UINT64_MAX;

    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        struct intercept_link *link = &plane->crossbar.ports[port].link;

        if (plane->crossbar.ports[port].ops) {
            intercept_link_expire(link, now_ns);
            uint64_t due = intercept_link_deadline(link);
            next = due != 0 && due < next ? due : next;
        }
    }
    return next;
}

static void *switch_run(void *argument)
{
    struct pollfd fds[ICPT_PLANES + 1];

    (void)argument;
    for (int plane = 0; plane < ICPT_PLANES; plane++) {
        fds[plane] = (struct pollfd){here.planes[plane].fd, POLLIN, 0};
    }
    fds[STOP] = (struct pollfd){here.stop_fd, POLLIN, 0};
    for (;;) {
        uint64_t now = cables_now_ns();
        uint64_t next = UINT64_MAX;

        for (int plane = 0; plane < ICPT_PLANES; plane++) {
            uint64_t due = timers_expire(&here.planes[plane], now);
            next = due < next ? due : next;
        }
        struct timespec wait = {(time_t)((next - now) / 1000000000), (long)((next - now) % 1000000000)};
        (void)ppoll(fds, ICPT_PLANES + 1, next == UINT64_MAX ? NULL : &wait, NULL);
        if (fds[STOP].revents) {
            return NULL;
        }
        now = cables_now_ns();
        for (int plane = 0; plane < ICPT_PLANES; plane++) {
            if (fds[plane].revents) {
                frames_take(&here.planes[plane], now);
            }
        }
    }
}

/* Binds the planes' sockets to ports one behind the other; the first one, 0: these are not free. */
static uint16_t planes_bind(void)
{
    uint16_t base = 0;

    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t len = sizeof address;
        int on = 1;
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

        here.planes[plane].fd = fd;
        address.sin_port = htons((uint16_t)(plane == 0 ? 0 : base + plane));
        if (fd < 0 || base > UINT16_MAX - ICPT_PLANES || bind(fd, (struct sockaddr *)&address, len) != 0 ||
            getsockname(fd, (struct sockaddr *)&address, &len) != 0 ||
            setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on) != 0) {
            return 0;
        }
        base = plane == 0 ? ntohs(address.sin_port) : base;
        here.planes[plane].own = address;
    }
    return base;
}

static void planes_close(void)
{
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        if (here.planes[plane].fd >= 0) {
            close(here.planes[plane].fd);
        }
        here.planes[plane].fd = -1;
    }
}

static bool switch_start(void)
{
    uint16_t base = 0;
    char place[32];

    for (int i = 0; i < BASE_TRIES && base == 0; i++) {
        planes_close();
        base = planes_bind();
    }
    snprintf(place, sizeof place, "127.0.0.1:%u", (unsigned)base);
    here.stop_fd = eventfd(0, EFD_CLOEXEC);
    return base != 0 && here.stop_fd >= 0 && setenv(cables_place, place, 1) == 0 &&
           thread_start(&here.thread, switch_run, NULL) == 0;
}

static void switch_free(void)
{
    planes_close();
    frames_trace_end(&here.trace);
    if (here.stop_fd >= 0) {
        close(here.stop_fd);
    }
    free(here.planes);
    here.planes = NULL;
}

bool switch_begin(uint32_t processes)
{
    if (getenv(cables_place)) {
        return true; /* the job joins the network that is there */
    }
    if (processes > ICPT_PORTS) {
        fprintf(stderr, "portals: the switch of the network intercept has %d ports, too few for %u processes\n",
                (int)ICPT_PORTS, (unsigned)processes);
        return false;
    }
    here.planes = calloc(ICPT_PLANES, sizeof *here.planes);
    here.stop_fd = -1;
    if (!here.planes || !cables_faults(&here.faults, ICPT_ADDRESSES)) {
        free(here.planes);
        here.planes = NULL;
        return false;
    }
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        memset(here.planes[plane].routes, ICPT_NO_PORT, sizeof here.planes[plane].routes);
        intercept_crossbar_begin(&here.planes[plane].crossbar, plane, here.planes[plane].routes);
        here.planes[plane].fd = -1;
    }
    if (!frames_trace_begin(&here.trace)) {
        switch_free();
        return false;
    }
    if (!switch_start()) {
        fprintf(stderr, "portals: cannot run the switch of the network intercept: %s\n", strerror(errno));
        switch_free();
        return false;
    }
    return true;
}

void switch_end(void)
{
    uint64_t one = 1;

    if (!here.planes) {
        return;
    }
    while (write(here.stop_fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
    pthread_join(here.thread, NULL);
    switch_free();
}
