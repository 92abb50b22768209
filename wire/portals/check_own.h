/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the parts of the checker (wire/portals/check.h) tell each other. Nobody else includes this.
 */
#ifndef WIRE_PORTALS_CHECK_OWN_H
#define WIRE_PORTALS_CHECK_OWN_H

#include "wire/portals/check_state.h"

/* A message under judgement. */
struct wire_portals_judged {
    struct wire_portals_check *check;
    struct wire_portals_check_stream *stream;
    const struct wire_portals_check_way *way; /* the direction in which it travels */
    const struct wire_portals_header *header;
    struct wire_portals_id receiver; /* ids that nobody has told are WIRE_PORTALS_ID_UNKNOWN */
    uint32_t interface;
    enum wire_portals_header_violation header_violation; /* of the header by itself */
    uint64_t epoch, number;                              /* of a numbered message, else 0 */
    bool disorder;                                       /* numbers of its counting have been repeated or left out */
    bool behind;                                         /* its number is below one that has come */
    uint64_t mark;
};

/* wire_portals_check_find - notes a violation, concerning the message with the mark `related` or 0. Returns the
 * finding, for details to be filled in; never NULL. */
struct wire_portals_finding *wire_portals_check_find(struct wire_portals_check *check,
                                                     enum wire_portals_violation violation, uint64_t related);

/* wire_portals_check_report - notes that the header by itself breaks a rule. */
struct wire_portals_finding *wire_portals_check_report(struct wire_portals_check *check,
                                                       enum wire_portals_header_violation violation);

/* wire_portals_check_pair - who sends to whom over which interface, as the key of what is known about that. */
void wire_portals_check_pair(const struct wire_portals_judged *judged, uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS]);

/* wire_portals_check_repeated - whether a message of this number has come before; it must then be the same. Remembers
 * one that has not. */
bool wire_portals_check_repeated(const struct wire_portals_judged *judged);

/* wire_portals_check_request - remembers a put or get, also one that its receiver must discard. */
void wire_portals_check_request(const struct wire_portals_judged *judged);

/* wire_portals_check_answer - finds the request that an acknowledgement or reply answers, and judges the answer by it.
 */
void wire_portals_check_answer(const struct wire_portals_judged *judged);

/* wire_portals_check_identity - judges a HELLO by what the same process has said before. */
void wire_portals_check_identity(const struct wire_portals_judged *judged);

/* wire_portals_check_counting - notes the number of a message, and in `disorder` and `behind` how it stands to those
 * before it: with disorder it may have been seen before, or one before it may not have been. */
void wire_portals_check_counting(struct wire_portals_judged *judged);

/* wire_portals_check_acknowledged - judges an ACKNOWLEDGE by what its target has sent. */
void wire_portals_check_acknowledged(const struct wire_portals_judged *judged);

/* wire_portals_check_interface - over which interface the stream's processes talk, as a part of keys. */
uint32_t wire_portals_check_interface(const struct wire_portals_check_stream *stream);

/* wire_portals_check_path - judges on which stream a message is sent. wire_portals_check_unpath forgets the stream,
 * which is closed. */
void wire_portals_check_path(const struct wire_portals_judged *judged);
void wire_portals_check_unpath(struct wire_portals_check *check, const struct wire_portals_check_stream *stream);

/* A slot of the hash table of pairs and processes; the kinds are those of check_pairs.c and check_missed.c. */
enum wire_portals_slot_kind {
    WIRE_PORTALS_SLOT_FREE,
    WIRE_PORTALS_SLOT_IDENTITY,  /* nid, pid, gid -> rid, group size */
    WIRE_PORTALS_SLOT_PATH,      /* nid and pid of sender and of receiver, interface -> the stream's number, or 0, and
                                  * the mark since when */
    WIRE_PORTALS_SLOT_COUNTING,  /* as the path -> epoch and next number; the mark: whether there was disorder */
    WIRE_PORTALS_SLOT_BARRIER,   /* gid, its rid, receiver's nid and pid, interface -> latest sequence, its stream */
    WIRE_PORTALS_SLOT_RETURNED,  /* nid and pid of both: the first has gone back to a stream that it had left */
    WIRE_PORTALS_SLOT_ADDRESSED, /* nid and pid of both, the second by its address: a HELLO was meant for another */
    WIRE_PORTALS_SLOT_MISSED,    /* nid and pid of both, or 0 -> how often something was not seen, of which stream */
    WIRE_PORTALS_SLOT_STREAMS, /* nid and pid of both, lower one first -> the first stream; whether there was another */
    WIRE_PORTALS_SLOT_EXPLAINED, /* a message, by its number: what was found is explained by what came close behind */
    WIRE_PORTALS_SLOT_PLACE,     /* nid and pid -> the address at which it was captured, or 0 */
    WIRE_PORTALS_SLOT_SPOKEN,    /* nid and pid of both: the first has sent the second more than HELLOs */
};

/* wire_portals_check_slot_of - the slot of that key, or NULL when there is none; with `make` a new one, or NULL when
 * there is no room. */
struct wire_portals_check_slot *wire_portals_check_slot_of(struct wire_portals_check *check,
                                                           enum wire_portals_slot_kind kind, const uint32_t *key,
                                                           bool make);

/* wire_portals_check_between - notes that the stream at hand connects its two ends.
 * wire_portals_check_is_several - whether another one has connected them. */
void wire_portals_check_between(struct wire_portals_check *check);
bool wire_portals_check_is_several(struct wire_portals_check *check);

/* wire_portals_check_is_unordered - whether the message at hand may have been sent before what came on that stream at
 * that mark.
 * wire_portals_check_await - the latest finding is explained if the slot's value comes to so much close behind it.
 * wire_portals_check_came - a slot's value has come to so much.
 * wire_portals_check_explain - what was found in that message, by its number, is explained.
 * wire_portals_check_explained - whether what the finding missed came close behind it. */
bool wire_portals_check_is_unordered(const struct wire_portals_check *check, uint64_t stream, uint64_t mark);
void wire_portals_check_await(struct wire_portals_check *check, enum wire_portals_slot_kind kind, const uint32_t *key,
                              uint64_t value);
void wire_portals_check_came(struct wire_portals_check *check, const struct wire_portals_check_slot *slot,
                             uint64_t value);
void wire_portals_check_explain(struct wire_portals_check *check, uint64_t message);
bool wire_portals_check_explained(struct wire_portals_check *check, const struct wire_portals_finding *finding);

/* wire_portals_check_barrier - judges a barrier message by the group's others. */
void wire_portals_check_barrier(const struct wire_portals_judged *judged);

#endif
