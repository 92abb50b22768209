/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live Intercept network as a case plays it (network.h): sockets, cards that make themselves known, the timer.
 */
#include "tester/peers/network.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/judging/passive_checker_intercept.h"
#include "wire/intercept/frame.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { BASE_TRIES = 100, DATAGRAMS_A_TURN = 64, WAITING_MAX = 1 << 17, TIMER_NS = 10000000, BUFFER_OCTETS = 4 << 20 };

/* ---- cables ---- */

static bool is_same(const struct sockaddr_in *one, const struct sockaddr_in *other)
{
    return one->sin_port == other->sin_port && one->sin_addr.s_addr == other->sin_addr.s_addr;
}

static unsigned cable_number(const struct network_cable *cable)
{
    const struct network_plane *plane = cable->plane;
    unsigned index = 0;

    while (plane->cables[index] != cable) {
        index++;
    }
    return plane->number * NETWORK_CARDS + index + 1;
}

static void capture(const struct network_plane *plane, enum flow_side side, const struct sockaddr_in *sut,
                    const unsigned char *octets, size_t len)
{
    const struct sockaddr_in *const ends[2] = {[FLOW_MANAGER] = &plane->own, [FLOW_SUT] = sut};
    const struct network *network = plane->network;

    flow_datagram(network->evidence ? network->evidence->capture : NULL, side, ends, octets, len);
}

void network_transmit(struct network_cable *cable, const unsigned char *octets, size_t len)
{
    struct network_plane *plane = cable->plane;
    struct network *network = plane->network;

    if (plane->is_cut) {
        return;
    }
    passive_checker_intercept_hear(network->checker, cable_number(cable), false, octets, len);
    capture(plane, FLOW_MANAGER, &cable->to, octets, len);
    /* What the machine does not take is lost, and sent again by the link. */
    (void)sendto(plane->fd, octets, len, 0, (const struct sockaddr *)&cable->to, sizeof cable->to);
}

static void on_transmit(void *owner, const unsigned char *octets, size_t len)
{
    network_transmit(owner, octets, len);
}

static struct network_cable *cable_from(const struct network_plane *plane, const struct sockaddr_in *from)
{
    for (unsigned i = 0; i < plane->cable_count; i++) {
        if (is_same(&plane->cables[i]->to, from)) {
            return plane->cables[i];
        }
    }
    return NULL;
}

struct network_cable *network_cable_of(const struct network *network, uint16_t iuca, unsigned plane)
{
    const struct network_plane *at = plane < NETWORK_PLANES ? &network->planes[plane] : NULL;

    for (unsigned i = 0; at && i < at->cable_count; i++) {
        if (at->cables[i]->iuca == iuca) {
            return at->cables[i];
        }
    }
    return NULL;
}

/* Whether it is the packet by which a card makes itself known (IW-52); gives the card. */
static bool is_announcement(const unsigned char *octets, size_t len, uint16_t *iuca)
{
    struct wire_intercept_frame frame;
    size_t frame_octets = 0;

    if (wire_intercept_decode(octets, len, &frame, &frame_octets) != WIRE_OK || frame_octets != len ||
        frame.kind != WIRE_INTERCEPT_SHORT || frame.length != 0 || frame.source != frame.destination ||
        frame.destination_vnic != WIRE_INTERCEPT_HANDLER_VNIC || frame.sequence != 0) {
        return false;
    }
    *iuca = frame.source;
    return true;
}

/* The cable of a card that makes itself known, which begins anew; NULL: there are too many. */
static struct network_cable *cable_begin(struct network_plane *plane, const struct sockaddr_in *from, uint16_t iuca)
{
    struct network_cable *cable = cable_from(plane, from);

    if (cable && (cable->link.expected == 1 || !cable->link.acknowledges)) {
        return cable; /* it is said again, since our acknowledgement was lost, or held back */
    }
    if (!cable && plane->cable_count < NETWORK_CARDS) {
        cable = plane->cables[plane->cable_count++] = memory_zero(sizeof *cable);
        cable->plane = plane;
        cable->to = *from;
        cable->link = (struct link_end){.plane = plane->number,
                                        .acknowledges = plane->acknowledges,
                                        .repeats = plane->repeats,
                                        .transmit = on_transmit,
                                        .owner = cable};
    }
    if (cable) {
        cable->iuca = iuca;
        link_reset(&cable->link);
    }
    return cable;
}

/* ---- what comes ---- */

static void keep(struct network *network, const struct network_cable *cable, const unsigned char *octets, size_t len)
{
    if (network->waiting == WAITING_MAX) {
        return; /* more than any case takes */
    }
    struct network_datagram *datagram = memory_zero(sizeof *datagram + len);
    datagram->plane = cable->plane->number;
    datagram->iuca = cable->iuca;
    datagram->len = len;
    memcpy(datagram->octets, octets, len);
    *network->last = datagram;
    network->last = &datagram->next;
    network->waiting++;
}

static void take(struct network_plane *plane, const struct sockaddr_in *from, const unsigned char *octets, size_t len)
{
    struct network *network = plane->network;
    uint16_t iuca = 0;
    bool announces = is_announcement(octets, len, &iuca);
    struct network_cable *cable = announces ? cable_begin(plane, from, iuca) : cable_from(plane, from);

    if (!cable) {
        return;
    }
    capture(plane, FLOW_SUT, from, octets, len);
    passive_checker_intercept_hear(network->checker, cable_number(cable), true, octets, len);
    if (link_receive(&cable->link, octets, len, clock_now_ms()) && !(announces && cable->link.acknowledges)) {
        keep(network, cable, octets, len);
    }
}

static void on_ready(void *context, short revents)
{
    struct network_plane *plane = context;

    (void)revents;
    for (int i = 0; i < DATAGRAMS_A_TURN; i++) {
        unsigned char octets[LINK_DATAGRAM_MAX];
        struct sockaddr_in from;
        socklen_t from_len = sizeof from;
        ssize_t len = recvfrom(plane->fd, octets, sizeof octets, 0, (struct sockaddr *)&from, &from_len);

        if (len < 0) {
            return;
        }
        uint16_t iuca = 0;
        if (!plane->is_cut) {
            take(plane, &from, octets, (size_t)len);
        } else {
            plane->strays += !is_announcement(octets, (size_t)len, &iuca);
        }
    }
}

static void on_timer(void *context, short revents)
{
    struct network *network = context;
    uint64_t count;

    (void)revents;
    if (read(network->timer_fd, &count, sizeof count) < 0) {
        return;
    }
    for (unsigned plane = 0; plane < NETWORK_PLANES; plane++) {
        for (unsigned i = 0; i < network->planes[plane].cable_count; i++) {
            link_expire(&network->planes[plane].cables[i]->link, clock_now_ms());
        }
    }
}

struct network_datagram *network_take(struct network *network)
{
    struct network_datagram *datagram = network->first;

    if (datagram) {
        network->first = datagram->next;
        network->last = network->first ? network->last : &network->first;
        network->waiting--;
    }
    return datagram;
}

unsigned network_outstanding(const struct network *network)
{
    unsigned outstanding = 0;

    for (unsigned plane = 0; plane < NETWORK_PLANES; plane++) {
        for (unsigned i = 0; i < network->planes[plane].cable_count; i++) {
            outstanding += link_outstanding(&network->planes[plane].cables[i]->link);
        }
    }
    return outstanding;
}

/* ---- beginning and end ---- */

static void planes_close(struct network *network)
{
    for (unsigned plane = 0; plane < NETWORK_PLANES; plane++) {
        if (network->planes[plane].fd >= 0) {
            close(network->planes[plane].fd);
        }
        network->planes[plane].fd = -1;
    }
}

/* Binds the planes to ports one behind the other; false: these are not free. */
static bool planes_bind(struct network *network, struct in_addr address)
{
    uint16_t base = 0;

    for (unsigned i = 0; i < NETWORK_PLANES; i++) {
        struct network_plane *plane = &network->planes[i];
        int octets = BUFFER_OCTETS;
        socklen_t len = sizeof plane->own;

        plane->own = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = address};
        plane->own.sin_port = htons((uint16_t)(i == 0 ? 0 : base + i));
        plane->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (plane->fd < 0 || base > UINT16_MAX - NETWORK_PLANES ||
            bind(plane->fd, (struct sockaddr *)&plane->own, len) < 0 ||
            getsockname(plane->fd, (struct sockaddr *)&plane->own, &len) < 0) {
            return false;
        }
        (void)setsockopt(plane->fd, SOL_SOCKET, SO_RCVBUF, &octets, sizeof octets); /* the more the better */
        base = i == 0 ? ntohs(plane->own.sin_port) : base;
    }
    return true;
}

struct network *network_new(struct loop *loop, const char *address, char *message, size_t message_octets)
{
    struct itimerspec every = {.it_interval.tv_nsec = TIMER_NS, .it_value.tv_nsec = TIMER_NS};
    struct network *network = memory_zero(sizeof *network);
    struct in_addr here;
    bool good = inet_pton(AF_INET, address, &here) == 1, bound = false;

    network->loop = loop;
    network->last = &network->first;
    for (unsigned i = 0; i < NETWORK_PLANES; i++) {
        network->planes[i] =
            (struct network_plane){.network = network, .number = i, .fd = -1, .acknowledges = true, .repeats = true};
    }
    network->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    for (int i = 0; good && !bound && i < BASE_TRIES; i++) {
        planes_close(network);
        bound = planes_bind(network, here);
    }
    if (!bound || network->timer_fd < 0 || timerfd_settime(network->timer_fd, 0, &every, NULL) < 0) {
        snprintf(message, message_octets, "no switch of the Intercept network can be played at %s: %s", address,
                 strerror(errno));
        network_free(network);
        return NULL;
    }
    for (unsigned i = 0; i < NETWORK_PLANES; i++) {
        network->planes[i].watch = loop_add(loop, network->planes[i].fd, POLLIN, on_ready, &network->planes[i]);
    }
    network->timer = loop_add(loop, network->timer_fd, POLLIN, on_timer, network);
    return network;
}

void network_free(struct network *network)
{
    if (!network) {
        return;
    }
    for (unsigned i = 0; i < NETWORK_PLANES; i++) {
        struct network_plane *plane = &network->planes[i];

        if (plane->watch) {
            loop_remove(network->loop, plane->watch);
        }
        for (unsigned cable = 0; cable < plane->cable_count; cable++) {
            link_release(&plane->cables[cable]->link);
            free(plane->cables[cable]);
        }
    }
    if (network->timer) {
        loop_remove(network->loop, network->timer);
    }
    planes_close(network);
    if (network->timer_fd >= 0) {
        close(network->timer_fd);
    }
    for (struct network_datagram *datagram = network_take(network); datagram; datagram = network_take(network)) {
        free(datagram);
    }
    free(network);
}

uint16_t network_port(const struct network *network)
{
    return ntohs(network->planes[0].own.sin_port);
}
