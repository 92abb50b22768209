/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The switch's end of one cable of the live Intercept network (specs/intercept-wire.md, 3.6): packets in their order,
 * at most seven unacknowledged, sent again when they are lost. It is written from the document, for the tester alone.
 * Octets go out through a function, times are arguments.
 */
#ifndef TESTER_PEERS_LINK_H
#define TESTER_PEERS_LINK_H

#include "tester/base/buffer.h"
#include "wire/intercept/messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_WINDOW = 7, LINK_SLOTS = 8, LINK_TIMER_MS = 20, LINK_DATAGRAM_MAX = 2048 };

/* struct link_end. `acknowledges`: it answers what comes, and lets through what is in its turn; else everything is let
 * through and nothing is answered. `repeats`: it sends again what is not acknowledged or is asked for. */
struct link_end {
    unsigned plane;
    bool acknowledges, repeats;
    void (*transmit)(void *owner, const unsigned char *octets, size_t len);
    void *owner;
    uint8_t expected, oldest, next;
    bool has_asked;
    struct {
        bool waiting;
        size_t len;
        unsigned char octets[LINK_DATAGRAM_MAX];
    } slots[LINK_SLOTS];
    int64_t sent_ms;       /* when the oldest was sent last */
    struct buffer queue;   /* of what waits for the window: two octets of length, and the frame */
    unsigned queued;       /* frames in it */
    unsigned again, asked; /* packets that came again; requests that came */
};

/* link_reset begins the numbering of both directions anew; what is on its way is forgotten. link_release frees. */
void link_reset(struct link_end *link);
void link_release(struct link_end *link);

/* link_seal gives a frame its sequence and the right CRC. */
void link_seal(unsigned char *octets, size_t len, uint8_t sequence);

/* link_send sends a packet, whose sequence and CRC it sets, or keeps it until the window has room. */
void link_send(struct link_end *link, const unsigned char *octets, size_t len, int64_t now_ms);

/* link_receive takes a datagram; true when the case is to see it. */
bool link_receive(struct link_end *link, const unsigned char *octets, size_t len, int64_t now_ms);

/* link_expire sends again what has waited too long. link_outstanding: packets that are not acknowledged, or wait. */
void link_expire(struct link_end *link, int64_t now_ms);
unsigned link_outstanding(const struct link_end *link);

#endif
