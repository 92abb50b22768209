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

/* The latest message of each pk_srqid. Zeroed, there is none. Most are never asked for: the latest ones wait in a list
 * until somebody is. */
struct impi_requests {
    uint32_t *slots; /* numbers of notes, from 1 */
    uint32_t room, used;
    struct impi_pending *pending, *last; /* lists of such numbers; what is free is at the last one's end */
};

/* impi_note_add - first pass: the note of the next message.
 * impi_note_find - that of the message `number`, from 0, of a packet; NULL: the first pass did not see it. */
struct impi_note *impi_note_add(uint32_t packet, enum impi_form form);
struct impi_note *impi_note_find(uint32_t packet, uint32_t number);

/* impi_note_more - what few messages have; all zeros where there is nothing of it. `note` may be NULL.
 * impi_note_extend - first pass: the same, to be filled in. */
const struct impi_more *impi_note_more(const struct impi_note *note);
struct impi_more *impi_note_extend(struct impi_note *note);

/* impi_requests_add - first pass: the note that was added last is of a message with that request.
 * impi_requests_find - that of the latest such message, or NULL. */
void impi_requests_add(struct impi_requests *requests, uint64_t srqid);
struct impi_note *impi_requests_find(struct impi_requests *requests, uint64_t srqid);

#endif
