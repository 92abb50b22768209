/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One end of a link: the cable of one plane between two ports. It keeps what it sends until the other end has
 * acknowledged it, at most seven packets, and accepts what comes in its order only; what was lost or damaged is sent
 * again over this link and no other (2.1.1 of the thesis; specs/intercept-wire.md, 3.6).
 *
 *      intercept_link_send -> [ seven outstanding ] -> transmit   ====cable====   intercept_link_receive -> deliver
 *                              ^                                                    |
 *                              +------------- acknowledge, retransmit --------------+
 *
 * It does no I/O and reads no clock: frames leave through `transmit`, and times, in nanoseconds, are arguments. So the
 * same link runs in virtual time and over sockets. One thread at a time.
 */
#ifndef REF_IMPL_INTERCEPT_LINK_H
#define REF_IMPL_INTERCEPT_LINK_H

#include "ref-impl/intercept/cable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ICPT_WINDOW = 7,       /* packets outstanding on a link (IW-20) */
    ICPT_WINDOW_SLOTS = 8, /* the places they have by their sequence */
};

/* When a frame came: its header, from which on a switch may forward it, and its end, at which it can be judged. Who
 * does not tell them apart gives one time for both. */
struct intercept_moment {
    uint64_t head_ns, tail_ns;
};

/* struct intercept_link_ops is what the port's owner does for the link.
 *
 * transmit  puts a frame onto the cable, not before `at_ns`
 * deliver   takes a packet that came in order; false: there is no room for it now. It stays in the link with those
 *           behind it, not acknowledged, until intercept_link_resume
 * damaged   a corrupt frame has come: a switch that had begun to forward it says so. NULL: nothing is to be done
 * room      an acknowledgement has made room in the window
 * dead      nothing has been acknowledged for as long as `patience` allows; what was outstanding is forgotten after the
 *           call, and so is all that is sent until intercept_link_reset. NULL: nobody wants to know
 * arm       the link wants intercept_link_expire at that time; NULL: the owner asks intercept_link_deadline */
struct intercept_link_ops {
    void (*transmit)(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns);
    bool (*deliver)(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns);
    void (*damaged)(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns);
    void (*room)(void *owner, uint64_t at_ns);
    void (*dead)(void *owner, uint64_t at_ns);
    void (*arm)(void *owner, uint64_t at_ns);
};

/* What has happened on a link since it was made. */
struct intercept_link_counts {
    uint64_t packets_sent, packets_again; /* of the second kind: sent once more */
    uint64_t packets_taken, packets_refused, duplicates;
    uint64_t corrupt, withdrawn, gaps;
    uint64_t acknowledged, asked; /* answers that this end has sent */
};

/* A packet that came in its turn and waits for room. */
struct intercept_incoming {
    uint16_t len;
    uint64_t tail_ns;
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
};

struct intercept_outgoing {
    bool waiting;  /* for its acknowledgement */
    bool is_first; /* it has been sent once */
    uint16_t len;
    uint64_t sent_ns;
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
};

/* How long a link waits for an acknowledgement before it sends again (IW-24): the timer; how many timers at most where
 * acknowledgements take their time; after how many in vain nobody is there any more, 0: never. */
struct intercept_timing {
    uint64_t timer_ns;
    unsigned longest, patience;
};

/* How long acknowledgements take: the longest time of the latest 64 of packets that were sent once, and of the 64
 * before; and how often the timer has run out since the last such. */
struct intercept_measure {
    uint64_t longest_ns, before_ns;
    unsigned count, doublings;
};

/* struct intercept_link - begin with intercept_link_begin; the members are the link's own, `counts` and `is_dead` may
 * be read. */
struct intercept_link {
    const struct intercept_link_ops *ops;
    void *owner;
    unsigned plane;
    struct intercept_timing timing;
    struct intercept_link_counts counts;

    uint8_t oldest, next; /* sequences: of the oldest outstanding packet, of the next that is sent */
    uint64_t deadline_ns; /* when the oldest one is sent again; 0: nothing is outstanding */
    unsigned expiries;    /* timers that have passed without an acknowledgement */
    struct intercept_measure measure;
    bool is_dead;
    struct intercept_outgoing window[ICPT_WINDOW_SLOTS];

    uint8_t expected; /* the sequence whose turn it is to be delivered */
    bool has_asked;   /* for the one that is to come next */
    unsigned held, first_held;
    struct intercept_incoming holds[ICPT_WINDOW]; /* from `expected` on: `deliver` had no room for the first of them */
};

/* intercept_link_begin - a link at its beginning, both directions at sequence 0. `ops` must outlive it. */
void intercept_link_begin(struct intercept_link *link, const struct intercept_link_ops *ops, void *owner,
                          unsigned plane);

/* intercept_link_timing - how long it waits for acknowledgements from now on. */
void intercept_link_timing(struct intercept_link *link, const struct intercept_timing *timing);

/* intercept_link_reset - numbers both directions anew and forgets what is outstanding (IW-52). */
void intercept_link_reset(struct intercept_link *link);

/* intercept_link_has_room - whether intercept_link_send would take a packet.
 * intercept_link_send - sends a packet, `len` octets with room for its CRC, which it copies. False: seven are
 * outstanding. A packet for a dead link is taken and forgotten. */
bool intercept_link_has_room(const struct intercept_link *link);
bool intercept_link_send(struct intercept_link *link, const unsigned char *octets, size_t len, uint64_t at_ns);

/* intercept_link_withdraw - forwards a corrupt packet as one that does not count (IW-26). */
void intercept_link_withdraw(struct intercept_link *link, const unsigned char *octets, size_t len, uint64_t at_ns);

/* intercept_link_receive - handles whatever has come over the cable. */
void intercept_link_receive(struct intercept_link *link, const unsigned char *octets, size_t len,
                            struct intercept_moment moment);

/* intercept_link_resume - there is room: delivers what is held, as far as `deliver` takes it. */
void intercept_link_resume(struct intercept_link *link, uint64_t at_ns);

/* intercept_link_deadline - when intercept_link_expire is to be called; 0: nothing is outstanding.
 * intercept_link_expire - sends again what has waited too long, if that is so. */
uint64_t intercept_link_deadline(const struct intercept_link *link);
void intercept_link_expire(struct intercept_link *link, uint64_t now_ns);

/* intercept_link_outstanding - how many packets wait for their acknowledgement. */
unsigned intercept_link_outstanding(const struct intercept_link *link);

#endif
