/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Everything that can be wrong with a message in its conversation, and the rule that each violation breaks. The rules
 * about single headers are in wire/portals/rules.h; the checker (wire/portals/check.h) applies both.
 */
#ifndef WIRE_PORTALS_VIOLATIONS_H
#define WIRE_PORTALS_VIOLATIONS_H

#include "wire/portals/rules.h"

#include <stdbool.h>

enum wire_portals_violation {
    WIRE_PORTALS_NO_VIOLATION = 0,
    /* streams */
    WIRE_PORTALS_REFUSED_ANSWERED,
    WIRE_PORTALS_LATE_HELLO_TAKEN,
    WIRE_PORTALS_UNANSWERED_GOES_ON,
    WIRE_PORTALS_OTHER_IDENTITY,
    WIRE_PORTALS_OTHER_USER,
    WIRE_PORTALS_SECOND_STREAM,
    WIRE_PORTALS_CUT_OFF,
    WIRE_PORTALS_NUMBER_LAST,
    WIRE_PORTALS_STRAY_OCTETS,
    WIRE_PORTALS_STRAY_AFTER_PUT,
    WIRE_PORTALS_STRAY_AFTER_ACK,
    WIRE_PORTALS_STRAY_AFTER_GET,
    WIRE_PORTALS_STRAY_AFTER_REPLY,
    WIRE_PORTALS_STRAY_AFTER_NUMBER,
    WIRE_PORTALS_NUMBER_UNAGREED,
    WIRE_PORTALS_NUMBER_ALONE,
    WIRE_PORTALS_NUMBER_CHANGED,
    WIRE_PORTALS_ACKNOWLEDGE_UNSENT,
    /* answers */
    WIRE_PORTALS_ACK_UNSWAPPED,
    WIRE_PORTALS_REPLY_UNSWAPPED,
    WIRE_PORTALS_ANSWER_NAMELESS,
    WIRE_PORTALS_ACK_UNWANTED,
    WIRE_PORTALS_ACK_UNASKED,
    WIRE_PORTALS_REPLY_UNASKED,
    WIRE_PORTALS_ACK_AGAIN,
    WIRE_PORTALS_REPLY_AGAIN,
    WIRE_PORTALS_ACK_FOR_GET,
    WIRE_PORTALS_REPLY_FOR_PUT,
    WIRE_PORTALS_INVALID_ANSWERED,
    WIRE_PORTALS_ACK_PORTAL,
    WIRE_PORTALS_ACK_MATCH_BITS,
    WIRE_PORTALS_ACK_OFFSET,
    WIRE_PORTALS_ACK_MD,
    WIRE_PORTALS_ACK_RLENGTH,
    WIRE_PORTALS_ANSWER_UNTAGGED,
    WIRE_PORTALS_ANSWER_TAG,
    WIRE_PORTALS_REPLY_ECHO,
    /* barriers */
    WIRE_PORTALS_BARRIER_SURPLUS,
    WIRE_PORTALS_BARRIER_PARTNER,
    WIRE_PORTALS_BARRIER_AGAIN,
    WIRE_PORTALS_BARRIER_SKIPPED,
    WIRE_PORTALS_BARRIER_EARLY,
    WIRE_PORTALS_VIOLATIONS, /* how many there are */
};

enum { WIRE_PORTALS_FINDING_ENDS = 4 };

/* What is wrong with a message. The texts are static. */
struct wire_portals_finding {
    enum wire_portals_header_violation header_violation; /* the rule about single headers, or WIRE_PORTALS_LEGAL */
    enum wire_portals_violation violation;               /* else the rule about conversations */
    const char *name;                                    /* the rule for machines: "ack-offset" */
    const char *requirement;                             /* "P30-291" or "PW-18" */
    const char *text;                                    /* one sentence without a full stop */
    const char *field; /* the row that differs, or NULL; then these two mean nothing */
    uint64_t expected;
    uint64_t observed;
    uint64_t related;                         /* the mark of the other message concerned, or 0 */
    uint32_t ends[WIRE_PORTALS_FINDING_ENDS]; /* nid and pid of who sends the message, and of who receives it */
    uint64_t stream;                          /* the number of the stream on which it came */
    bool numbered;                            /* messages of that stream may have numbers */
    bool several;                             /* between these two there has been another stream */
    uint64_t message;                         /* which of all, from 1 */
    bool of_peer;                             /* its receiver has broken the rule, by what was captured before it */
};

/* wire_portals_violation_needs_all - whether the violation can only be told by who has seen everything: with a request,
 * a stream's end or a barrier message missing, a correct process may look like that. The checker does not find it where
 * it knows of such a gap; what was found before is withheld (wire_portals_check_withheld). */
bool wire_portals_violation_needs_all(enum wire_portals_violation violation);

/* wire_portals_violation_rests_on_order - whether the violation is that something did not come first which another
 * connection may have brought: of two packets that a capture has close to each other nobody can say so. */
bool wire_portals_violation_rests_on_order(enum wire_portals_violation violation);

/* wire_portals_violation_rests_on_time - whether the violation is that something took too long: nobody can say so by a
 * clock that was set meanwhile. */
bool wire_portals_violation_rests_on_time(enum wire_portals_violation violation);

/* wire_portals_violation_rule - the rule that the violation breaks. Never NULL. For WIRE_PORTALS_REFUSED_ANSWERED the
 * finding itself names the requirement, by what was wrong with the HELLO. */
const struct wire_portals_rule *wire_portals_violation_rule(enum wire_portals_violation violation);

#endif
