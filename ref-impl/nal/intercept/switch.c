/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live switch; see switch.h. A port is known by the address from which its card sends: the card's announcement
 * makes it one (IW-52). Where the machine says that nobody listens at an address any more, the port is free again.
 *
 * Where time is virtual, a frame is on a cable of the simulation from the socket to its port, and from a port to the
 * socket: so it takes the time that the network would.
 */
#include "ref-impl/nal/intercept/switch.h"

#include "ref-impl/intercept/simulation.h"
#include "ref-impl/intercept/wires.h"
#include "ref-impl/nal/intercept/cables.h"
#include "ref-impl/nal/intercept/frames_trace.h"
#include "ref-impl/nal/intercept/modules.h"
#include "ref-impl/nal/intercept/netclock.h"
#include "ref-impl/nal/thread.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BASE_TRIES = 100, FRAMES_A_TURN = 64, STOP = ICPT_PLANES };
enum { IN, OUT, WAYS, ENTRIES = 3 * WAYS /* of the agenda, for each cable */ };

struct cable {
    const struct plane *plane;
    struct sockaddr_in to;
    uint16_t iuca;
    int sharer;                   /* of the time of the network */
    struct intercept_wire *wires; /* IN and OUT; NULL: time is that of the machine */
};

/* Place by place: the ports of the modules, and the cables to the cards. */
struct plane {
    unsigned number;
    int fd;
    struct sockaddr_in own;
    struct modules *modules;
    struct cable *cables;
};

/* The switch of this process. */
static struct {
    struct plane *planes; /* ICPT_PLANES of them; NULL: there is none */
    struct intercept_faults faults, none;
    struct intercept_agenda agenda; /* of the wires */
    struct intercept_wire *wires;
    struct frames_trace trace;
    uint8_t planes_of[ICPT_ADDRESSES]; /* on which each card has made itself known */
    uint8_t lack_is_told[ICPT_ADDRESSES];
    int stop_fd;
    pthread_t thread;
} here;

static void frame_send(const struct cable *cable, const unsigned char *octets, size_t len)
{
    unsigned char frame[WIRE_INTERCEPT_FRAME_MAX];

    memcpy(frame, octets, len);
    bool passes = intercept_faults_pass(&here.faults, cable->plane->number, frame, len);

    frames_trace_show(&here.trace, &cable->plane->own, &cable->to, frame, len, passes ? NULL : "lost on the cable");
    if (passes) {
        netclock_frame_leaves(cable->sharer);
        if (sendto(cable->plane->fd, frame, len, 0, (const struct sockaddr *)&cable->to, sizeof cable->to) < 0) {
            netclock_frame_is_lost(cable->sharer); /* what the machine does not take is lost like any other frame */
        }
    }
}

static void cable_transmit(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct cable *cable = owner;

    if (cable->wires) {
        intercept_wire_transmit(&cable->wires[OUT], octets, len, at_ns);
    } else {
        frame_send(cable, octets, len);
    }
}

static const struct intercept_port_ops port_ops = {.transmit = cable_transmit};

static bool is_same(const struct sockaddr_in *one, const struct sockaddr_in *other)
{
    return one->sin_port == other->sin_port && one->sin_addr.s_addr == other->sin_addr.s_addr;
}

/* The place of the card that sends from that address, or NULL the first that is free; modules_places: there is none. */
static unsigned place_of(const struct plane *plane, const struct sockaddr_in *from)
{
    unsigned count = modules_places(plane->modules);
    unsigned place = 0;

    while (place < count) {
        bool is_taken = modules_port(plane->modules, place)->ops;

        if (from ? is_taken && is_same(&plane->cables[place].to, from) : !is_taken) {
            break;
        }
        place++;
    }
    return place;
}

/* A card makes itself known: its place, which begins anew. modules_places: there is none for it. */
//= IW-52
static unsigned card_announce(struct plane *plane, const struct sockaddr_in *from, const unsigned char *octets)
{
    unsigned count = modules_places(plane->modules);
    unsigned place = place_of(plane, from);

    here.planes_of[intercept_cable_source(octets)] |= (uint8_t)(1U << plane->number);
    if (place < count && modules_port(plane->modules, place)->link.expected == 1) {
        return place; /* it is said again, since our acknowledgement was lost */
    }
    place = place < count ? place : place_of(plane, NULL);
    if (place < count) {
        struct cable *cable = &plane->cables[place];
        uint16_t iuca = intercept_cable_source(octets);

        *cable = (struct cable){plane, *from, iuca, netclock_find(iuca), cable->wires};
        modules_connect(plane->modules, place, plane->cables[place].iuca, &port_ops, &plane->cables[place]);
    }
    return place;
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
        unsigned place = place_of(plane, &to);
        if (place < modules_places(plane->modules)) {
            modules_disconnect(plane->modules, place, plane->cables[place].iuca);
        }
    }
}

/* Whether a frame is for a card that has made itself known, but not on this plane. Said once: its packets would be
 * lost, since no other plane carries them (ICPT-012). */
static bool is_lacked(unsigned plane, const unsigned char *octets, size_t len)
{
    uint16_t to;

    if (intercept_cable_judge(octets, len) != ICPT_GOOD || intercept_cable_kind(octets) > WIRE_INTERCEPT_COMMAND ||
        intercept_cable_flags(octets) & WIRE_INTERCEPT_FLAG_MULTICAST) {
        return false;
    }
    to = intercept_cable_destination(octets);
    if (here.planes_of[to] == 0 || here.planes_of[to] >> plane & 1) {
        return false;
    }
    if (!(here.lack_is_told[to] >> plane & 1)) {
        here.lack_is_told[to] |= (uint8_t)(1U << plane);
        fprintf(stderr, "portals: node %u is not on plane %u: who sends it packets there leaves that plane out\n",
                (unsigned)to, plane);
    }
    return true;
}

/* What is lacked is not answered: for its sender the plane is dead, and what it has sent goes over the others. */
//= IW-54
static void frame_reaches_port(const struct plane *plane, unsigned place, const unsigned char *octets, size_t len,
                               struct intercept_moment moment)
{
    if (is_lacked(plane->number, octets, len)) {
        return;
    }
    intercept_link_receive(&modules_port(plane->modules, place)->link, octets, len, moment);
    modules_carry(plane->modules, moment.tail_ns);
}

/* A frame has come: to its port, or in virtual time on the cable to it. */
static void frame_take(struct plane *plane, unsigned place, const unsigned char *octets, size_t len, uint64_t now_ns)
{
    struct intercept_wire *wires = plane->cables[place].wires;

    if (wires) {
        intercept_wire_transmit(&wires[IN], octets, len, now_ns);
    } else {
        frame_reaches_port(plane, place, octets, len, (struct intercept_moment){now_ns, now_ns});
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
            continue; /* an error of a frame that was sent: it shows in POLLERR too */
        }
        if (len < 0) {
            return;
        }
        frames_trace_show(&here.trace, &from, &plane->own, octets, (size_t)len, NULL);
        unsigned place =
            cables_is_announcement(octets, (size_t)len) ? card_announce(plane, &from, octets) : place_of(plane, &from);
        if (place < modules_places(plane->modules)) {
            frame_take(plane, place, octets, (size_t)len, now_ns);
        }
        netclock_frame_is_taken();
    }
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
        uint64_t now = netclock_now_ns();
        uint64_t next = intercept_agenda_due(&here.agenda);

        for (int plane = 0; plane < ICPT_PLANES; plane++) {
            uint64_t due = modules_expire(here.planes[plane].modules, now);
            next = due < next ? due : next;
        }
        (void)netclock_wait_switch(fds, ICPT_PLANES + 1, next);
        if (fds[STOP].revents) {
            return NULL;
        }
        now = netclock_now_ns();
        for (int plane = 0; plane < ICPT_PLANES; plane++) {
            if (fds[plane].revents & POLLERR) {
                errors_take(&here.planes[plane]); /* which sending may have been told of, so that receiving is not */
            }
            if (fds[plane].revents) {
                frames_take(&here.planes[plane], now);
            }
        }
        while (intercept_agenda_due(&here.agenda) <= now) {
            (void)intercept_agenda_step(&here.agenda, now);
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
    for (unsigned plane = 0; here.planes && plane < ICPT_PLANES; plane++) {
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
    for (unsigned plane = 0; here.planes && plane < ICPT_PLANES; plane++) {
        modules_free(here.planes[plane].modules);
        free(here.planes[plane].cables);
    }
    free(here.planes);
    here.planes = NULL;
    intercept_agenda_end(&here.agenda);
    here.agenda = (struct intercept_agenda){.count = 0};
    free(here.wires);
    here.wires = NULL;
    memset(here.planes_of, 0, sizeof here.planes_of);
    memset(here.lack_is_told, 0, sizeof here.lack_is_told);
    netclock_unhost();
}

static void wire_in_ends(void *owner, const unsigned char *octets, size_t len, struct intercept_moment moment)
{
    const struct cable *cable = owner;

    frame_reaches_port(cable->plane, (unsigned)(cable - cable->plane->cables), octets, len, moment);
}

static void wire_out_ends(void *owner, const unsigned char *octets, size_t len, struct intercept_moment moment)
{
    (void)moment;
    frame_send(owner, octets, len);
}

/* Gives every cable its wires, where time is virtual. */
static bool wires_lay(unsigned places)
{
    struct intercept_setup usual = intercept_setup_default(places);
    size_t count = (size_t)places * ICPT_PLANES;
    struct intercept_wire *wire;

    wire = here.wires = calloc(WAYS * count, sizeof *here.wires);
    if (!wire || !intercept_agenda_begin(&here.agenda, ENTRIES * count)) {
        return false;
    }
    for (unsigned number = 0; number < ICPT_PLANES; number++) {
        for (unsigned place = 0; place < places; place++) {
            struct cable *cable = &here.planes[number].cables[place];

            cable->wires = wire;
            for (int way = 0; way < WAYS; way++, wire++) {
                *wire = (struct intercept_wire){.faults = &here.none,
                                                .plane = number,
                                                .octet_ps = usual.octet_ps,
                                                .delay_ns = usual.cable_ns + number * here.faults.skew_ns,
                                                .owner = cable,
                                                .arrive = way == IN ? wire_in_ends : wire_out_ends};
                intercept_wire_begin(wire, &here.agenda, NULL, NULL);
            }
        }
    }
    return true;
}

/* Takes the memory for so many cards. */
static bool planes_make(uint32_t cards)
{
    here.planes = calloc(ICPT_PLANES, sizeof *here.planes);
    for (unsigned number = 0; here.planes && number < ICPT_PLANES; number++) {
        here.planes[number].fd = -1;
    }
    for (unsigned number = 0; here.planes && number < ICPT_PLANES; number++) {
        struct plane *plane = &here.planes[number];

        plane->number = number;
        plane->modules = modules_make(number, cards);
        plane->cables = plane->modules ? calloc(modules_places(plane->modules), sizeof *plane->cables) : NULL;
        if (!plane->cables) {
            return false;
        }
    }
    return here.planes && (!netclock_is_virtual() || wires_lay(modules_places(here.planes[0].modules)));
}

bool switch_begin(uint32_t processes)
{
    if (getenv(cables_place)) {
        return true; /* the job joins the network that is there */
    }
    if (processes > MODULES_CARDS_MAX) {
        fprintf(stderr, "portals: the switch of the network intercept has %d ports, too few for %u processes\n",
                (int)MODULES_CARDS_MAX, (unsigned)processes);
        return false;
    }
    here.stop_fd = -1;
    if (!netclock_host()) {
        return false;
    }
    if (!cables_faults(&here.faults, ICPT_ADDRESSES) || !frames_trace_begin(&here.trace)) {
        netclock_unhost();
        return false;
    }
    if (!planes_make(processes) || !switch_start()) {
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
