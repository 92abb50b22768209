/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of Portals conversations: follows all streams among any number of processes, both directions of each, and
 * names the rule that a message breaks when seen together with what came before it: who asked for what, whether an
 * answer repeats what its request said, whether anybody asked at all, on which stream it came, whose turn it was in a
 * barrier. Rules about single headers (wire/portals/rules.h) are applied too. The tester watches systems under test
 * with it, `assay check` reads captures with it, and the dissector draws its expert information from it.
 *
 *     struct wire_portals_check check = wire_portals_check_begin(&tables);
 *     struct wire_portals_check_stream stream = wire_portals_check_open(&check, NULL, now_us);
 *     unsigned count = wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &header, now_us, packet);
 *     for (unsigned i = 0; i < count; i++) ... check.findings[i] ...
 *
 * A pure state machine: headers, directions and times are arguments, storage is the caller's, nothing blocks. Feed
 * messages in the order in which they were seen. Answers may come in any order; requests that are never answered are no
 * violation, since a target may discard them. Numbered messages may come several times, if they come unchanged, and
 * with gaps, which is no violation either; then less is judged. When the storage is full, what is oldest is forgotten;
 * what can then no longer be judged is counted, not guessed. However hostile the messages are, one takes a bounded
 * number of steps.
 */
#ifndef WIRE_PORTALS_CHECK_H
#define WIRE_PORTALS_CHECK_H

#include "wire/octets/status.h"
#include "wire/portals/rules.h"

#include <stdbool.h>

/* The two directions of a stream, by who sends: who connected, who listened. */
enum wire_portals_side { WIRE_PORTALS_OPENER, WIRE_PORTALS_ACCEPTOR };

/* Everything that can be wrong with a message in its conversation. */
enum wire_portals_violation {
    WIRE_PORTALS_NO_VIOLATION = 0,
    /* streams */
    WIRE_PORTALS_REFUSED_ANSWERED,
    WIRE_PORTALS_LATE_HELLO_TAKEN,
    WIRE_PORTALS_UNANSWERED_GOES_ON,
    WIRE_PORTALS_OTHER_IDENTITY,
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
    WIRE_PORTALS_REPLY_ECHO,
    /* barriers */
    WIRE_PORTALS_BARRIER_SURPLUS,
    WIRE_PORTALS_BARRIER_PARTNER,
    WIRE_PORTALS_BARRIER_AGAIN,
    WIRE_PORTALS_BARRIER_SKIPPED,
    WIRE_PORTALS_BARRIER_EARLY,
    WIRE_PORTALS_VIOLATIONS, /* how many there are */
};

enum {
    WIRE_PORTALS_FINDINGS_MAX = 8,      /* one message cannot have more */
    WIRE_PORTALS_HELLO_LIMIT_S = 10,    /* PW-16 */
    WIRE_PORTALS_HELLO_TOLERANCE_S = 2, /* how much later is no violation yet */
    WIRE_PORTALS_CHECK_SCAN_MAX = 4096, /* requests among which the one is sought that an answer repeats wrongly */
    WIRE_PORTALS_CHECK_SLOT_WORDS = 5,
};

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
    uint64_t related; /* the mark of the other message concerned, or 0 */
};

/* A request that was seen. The checker's own. */
struct wire_portals_check_request {
    struct wire_portals_id requester, server; /* of both only nid and pid count */
    uint32_t interface, operation, portal;
    uint64_t match_bits, offset, md, rlength;
    uint64_t mark;
    enum wire_portals_header_violation header_violation;
    bool settled; /* answered, or wants no answer */
    uint32_t bucket_first, bucket_last, bucket_next, bucket_before, older, newer;
};

/* What is known about a pair or a process. The checker's own. */
struct wire_portals_check_slot {
    uint32_t kind; /* 0: free */
    uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS];
    uint64_t value[2];
    uint64_t mark;
};

/* A numbered message that was seen. The checker's own. */
struct wire_portals_check_number {
    uint32_t pair[WIRE_PORTALS_CHECK_SLOT_WORDS]; /* sender's nid and pid, receiver's nid and pid, interface */
    uint64_t epoch, number;                       /* 0: free */
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    uint64_t mark;
    uint32_t bucket_first, bucket_next, bucket_before;
};

/* The caller's storage, which must outlive the checker. Some hundred octets a request or number; three to six slots a
 * pair of processes that talk. Counts of 0 are allowed and leave out what needs memory. */
struct wire_portals_check_tables {
    struct wire_portals_check_request *requests;
    uint32_t request_count;
    struct wire_portals_check_slot *slots;
    uint32_t slot_count; /* a quarter stays free, so that looking something up takes a few steps */
    struct wire_portals_check_number *numbers;
    uint32_t number_count; /* the latest so many numbered messages are known again */
    uint64_t key[2];       /* random, where strangers choose what is said: they cannot make everything fall together */
};

/* A list of requests by age, as indices. The checker's own. */
struct wire_portals_check_ages {
    uint32_t oldest, newest, count;
};

/* One checker. Made by wire_portals_check_begin; read the first members at will, and set `partial`. */
struct wire_portals_check {
    struct wire_portals_finding findings[WIRE_PORTALS_FINDINGS_MAX]; /* of the latest call */
    unsigned finding_count;
    bool partial;       /* something was not seen: what needs all (see below) is not told */
    uint64_t messages;  /* how many were judged */
    uint64_t forgotten; /* requests given up for lack of room */
    uint64_t unjudged;  /* answers whose request was forgotten or never seen, pairs without room, numbers forgotten */
    uint64_t steps;     /* entries of the tables that were looked at: the work done */

    struct wire_portals_check_tables tables;
    struct wire_portals_check_ages waiting, settled, free;
    uint64_t streams, requests;
    uint64_t numbers; /* how many were remembered; the latest are in the table */
    uint32_t slots;   /* in use */
};

/* One direction of a stream. */
struct wire_portals_check_way {
    bool greeted;  /* a HELLO came first */
    bool over;     /* what follows means nothing: the receiver refuses or closes */
    bool late;     /* its being late was reported */
    bool numbered; /* a NUMBER came, and not yet its message */
    uint64_t epoch, number;
    uint64_t hello_us;
    uint64_t hello_mark;
    uint32_t latest; /* the operation of the latest message */
    struct wire_portals_header hello;
    enum wire_portals_header_violation hello_violation;
};

/* One stream. The caller's; made by wire_portals_check_open. Read only. */
struct wire_portals_check_stream {
    uint64_t number; /* from 1 */
    uint64_t opened_us;
    bool closed;
    struct wire_portals_id acceptor;
    struct wire_portals_check_way ways[2]; /* by enum wire_portals_side */
};

/* wire_portals_check_begin - a checker that has seen nothing. Uses the tables until the caller drops the checker. */
struct wire_portals_check wire_portals_check_begin(const struct wire_portals_check_tables *tables);

/* wire_portals_check_open - a stream of which nothing has been seen, connected at `when_us` (microseconds of any clock
 * that never goes back). `acceptor` is who listens at the other end as far as it is known: nid and pid from the
 * connection's address, gid and rid or WIRE_PORTALS_ID_UNKNOWN; NULL when nothing is known. */
struct wire_portals_check_stream wire_portals_check_open(struct wire_portals_check *check,
                                                         const struct wire_portals_id *acceptor, uint64_t when_us);

/* wire_portals_check_message - judges a message that `side` sent, once its header is whole. `mark` is the caller's
 * number for it, not 0, by which later findings refer to it. Returns the number of findings in check->findings. */
unsigned wire_portals_check_message(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                    enum wire_portals_side side, const struct wire_portals_header *header,
                                    uint64_t when_us, uint64_t mark);

/* wire_portals_check_broken - judges octets of `side` in which no message was found: `status` is what decoding said,
 * WIRE_UNKNOWN or WIRE_TOO_LONG. Nothing more of that direction is judged. */
unsigned wire_portals_check_broken(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                   enum wire_portals_side side, enum wire_status status);

/* How a direction ends: by a FIN behind a whole message, by one inside a message, or by a reset, after which nothing
 * can be said about what was still on its way; likewise where octets before the end were not seen. */
enum wire_portals_ending { WIRE_PORTALS_ENDS_BETWEEN, WIRE_PORTALS_ENDS_INSIDE, WIRE_PORTALS_ENDS_TORN };

/* wire_portals_check_end - `side` has finished its direction. The stream is then closed for both. */
unsigned wire_portals_check_end(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                enum wire_portals_side side, enum wire_portals_ending ending);

/* wire_portals_check_unanswered - requests that asked for an answer and have none so far. No violation. */
uint64_t wire_portals_check_unanswered(const struct wire_portals_check *check);

/* wire_portals_violation_needs_all - whether the violation can only be told by who has seen everything: with a request,
 * a stream's end or a barrier message missing, a correct process may look like that. The checker does not find it while
 * `partial` is set; whoever learns later that something was missing leaves out what was found before. */
bool wire_portals_violation_needs_all(enum wire_portals_violation violation);

/* wire_portals_violation_rule - the rule that the violation breaks. Never NULL. For WIRE_PORTALS_REFUSED_ANSWERED the
 * finding itself names the requirement, by what was wrong with the HELLO. */
const struct wire_portals_rule *wire_portals_violation_rule(enum wire_portals_violation violation);

#endif
