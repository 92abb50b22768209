/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What the first pass over the capture found out about each message. Later passes, which see messages in any order,
 * only read it. It lives as long as the capture file is open, and is small: there may be millions.
 */
#ifndef DISSECTOR_PORTALS_NOTE_H
#define DISSECTOR_PORTALS_NOTE_H

#include "dissector/portals/pdu.h"

#define NOTE_LONG_WAIT UINT32_MAX

struct pdu_note {
    uint32_t packet;        /* see dissector/common/kept.h */
    uint32_t other;         /* the packet with its answer, or its request; 0: none */
    uint32_t waited_ns;     /* an answer: for how long; NOTE_LONG_WAIT: see struct pdu_more */
    bool opening : 1;       /* the first message of its direction, and the capture holds the beginning */
    bool opens_wrongly : 1; /* that message is no HELLO, and the user says that this is Portals */
    bool hello_again : 1;   /* a HELLO in a direction that had one */
    bool echo_differs : 1;  /* an answer that does not repeat what its request said */
    bool again : 1;         /* a numbered message that the capture holds already */
    bool early : 1;         /* a numbered message that its receiver discards: one before it is missing */
    bool answers : 1;       /* a request that the follower has seen, whatever Wireshark's TCP made of its segments */
    bool unasked : 1;       /* an answer to no request that the capture holds */
    bool extended : 1;      /* there is a struct pdu_more */
};

/* What few messages have. */
struct pdu_more {
    const struct follower_found *found; /* what is wrong with it, or NULL */
    const struct barrier_place *place;  /* of a barrier's message, or NULL */
    nstime_t asked;                     /* when was sent what it answers, after a long wait */
};

/* note_register - sets it up. Once, at start-up. */
void note_register(void);

/* note_add - first pass: the note of the next message.
 * note_find - that of the message `number`, from 0, of a packet; NULL: the first pass did not see it. */
struct pdu_note *note_add(uint32_t packet);
struct pdu_note *note_find(uint32_t packet, uint32_t number);

/* note_more - what few messages have; zeros where there is nothing of it. `note` may be NULL.
 * note_extend - first pass: the same, to be filled in. */
struct pdu_more note_more(const struct pdu_note *note);
struct pdu_more *note_extend(struct pdu_note *note);

#endif
