/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What the first pass over the capture found out about each message of IMPI. Later passes, which see messages in any
 * order, only read it. It lives as long as the capture file is open, and is small: there may be millions.
 */
#ifndef DISSECTOR_IMPI_NOTE_H
#define DISSECTOR_IMPI_NOTE_H

#include "dissector/impi/pdu.h"

/* What few messages have. */
struct impi_more {
    uint64_t srqid; /* by which the message is found */
    bool answers;
    struct impi_exchange *exchange;     /* what it asks or answers, or NULL */
    struct impi_message *message;       /* the one that it sends, acknowledges or cancels, or NULL */
    struct impi_part *part;             /* of a long message, or NULL */
    const struct follower_found *found; /* what is wrong with it, and what is remarkable, or NULL */
};

/* A message, with its place in the flow control of its pair of processes. */
struct impi_note {
    uint32_t packet; /* see dissector/common/kept.h */
    uint32_t count;
    int32_t unacked;
    enum impi_form form : 8;
    bool counts : 1; /* `count` is of packets that were sent */
    bool is_ack : 1; /* `count` is of acknowledgements */
    bool known : 1;  /* unacked is told */
    bool extended : 1;
    union {
        uint64_t srqid;         /* by which the message is found */
        struct impi_more *more; /* extended */
    };
};

/* The latest message of each pk_srqid. Zeroed, there is none. */
struct impi_requests {
    uint32_t *slots; /* numbers of notes, from 1 */
    uint32_t room, used;
};

/* impi_note_add - first pass: the note of the next message.
 * impi_note_find - that of the message `number`, from 0, of a packet; NULL: the first pass did not see it. */
struct impi_note *impi_note_add(uint32_t packet, enum impi_form form);
struct impi_note *impi_note_find(uint32_t packet, uint32_t number);

/* impi_note_more - what few messages have; all zeros where there is nothing of it. `note` may be NULL.
 * impi_note_extend - first pass: the same, to be filled in. */
const struct impi_more *impi_note_more(const struct impi_note *note);
struct impi_more *impi_note_extend(struct impi_note *note);

/* impi_requests_place - first pass: where the note of the latest message with that request stands, or is to stand.
 * impi_requests_at - the note that stands there, or NULL.
 * impi_requests_set - has the note stand there that was added last, of a message with that request. */
uint32_t *impi_requests_place(struct impi_requests *requests, uint64_t srqid);
struct impi_note *impi_requests_at(const uint32_t *place);
void impi_requests_set(struct impi_requests *requests, uint32_t *place, uint64_t srqid);

#endif
