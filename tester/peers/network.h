/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live Intercept network as a case plays it (specs/intercept-wire.md, 7): a switch of four planes, and all cards on
 * it but those of the system under test, which join it by its address and make themselves known (IW-52). Nothing here
 * decides anything above the links: whatever packet is sent was asked for by the case, and what comes is for the case
 * to take. The links keep their rules by themselves as long as the case lets them.
 *
 *      system under test                       manager
 *      card --- plane 0 --- link end ---+
 *           --- plane 1 --- link end ---+--- packets that have come, in their order
 *           --- plane 2 --- link end ---+
 *           --- plane 3 --- link end ---+
 */
#ifndef TESTER_PEERS_NETWORK_H
#define TESTER_PEERS_NETWORK_H

#include "tester/base/loop.h"
#include "tester/capture/evidence.h"
#include "tester/peers/link.h"

#include <netinet/in.h>

struct passive_checker_intercept;

enum { NETWORK_PLANES = 4, NETWORK_CARDS = 8 };

/* struct network_cable is the link between a card of the system under test and one plane. */
struct network_cable {
    struct network_plane *plane;
    struct sockaddr_in to;
    uint16_t iuca;
    struct link_end link;
};

struct network_plane {
    struct network *network;
    unsigned number;
    int fd;
    struct loop_watch *watch;
    struct sockaddr_in own;
    bool is_cut;                /* nothing comes through, and nothing leaves */
    bool acknowledges, repeats; /* of cables that are made later */
    unsigned strays;            /* packets that came while it was cut, but for cards that make themselves known */
    struct network_cable *cables[NETWORK_CARDS];
    unsigned cable_count;
};

/* struct network_datagram is one that has come and was not taken. */
struct network_datagram {
    struct network_datagram *next;
    unsigned plane;
    uint16_t iuca; /* of the card that has sent it */
    size_t len;
    unsigned char octets[];
};

struct network {
    struct loop *loop;
    struct evidence *evidence;                 /* or NULL */
    struct passive_checker_intercept *checker; /* or NULL */
    struct network_plane planes[NETWORK_PLANES];
    int timer_fd;
    struct loop_watch *timer;
    struct network_datagram *first, **last; /* that have come */
    unsigned waiting;
};

/* network_new opens the planes at four UDP ports one behind the other of the numeric IPv4 address; NULL and a message
 * when it cannot. network_free closes them; NULL is allowed. */
struct network *network_new(struct loop *loop, const char *address, char *message, size_t message_octets);
void network_free(struct network *network);

/* network_port - the port of plane 0. */
uint16_t network_port(const struct network *network);

/* network_cable_of - the cable of that card on that plane; NULL: it has not made itself known there. */
struct network_cable *network_cable_of(const struct network *network, uint16_t iuca, unsigned plane);

/* network_transmit sends octets as they are, past the link's rules. */
void network_transmit(struct network_cable *cable, const unsigned char *octets, size_t len);

/* network_take gives the first datagram that has come, the caller's to free; NULL: there is none. */
struct network_datagram *network_take(struct network *network);

/* network_outstanding - packets that were sent by links and are not acknowledged, or wait to be sent. */
unsigned network_outstanding(const struct network *network);

#endif
