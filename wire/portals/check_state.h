/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker of Portals conversations (wire/portals/check.h) knows: streams, requests, numbers. Made and changed
 * by the checker alone; where a comment says so, others read.
 */
#ifndef WIRE_PORTALS_CHECK_STATE_H
#define WIRE_PORTALS_CHECK_STATE_H

#include "wire/portals/violations.h"

/* The two directions of a stream, by who sends: who connected, who listened. */
enum wire_portals_side { WIRE_PORTALS_OPENER, WIRE_PORTALS_ACCEPTOR };

enum {
    WIRE_PORTALS_FINDINGS_MAX = 8,      /* one message cannot have more */
    WIRE_PORTALS_HELLO_LIMIT_S = 10,    /* PW-16 */
    WIRE_PORTALS_HELLO_TOLERANCE_S = 2, /* how much later is no violation yet */
    WIRE_PORTALS_CHECK_SCAN_MAX = 4096, /* requests among which the one is sought that an answer repeats wrongly */
    WIRE_PORTALS_CHECK_SLOT_WORDS = 5,
    WIRE_PORTALS_CHECK_AWAITED_MAX = 16, /* the latest findings that numbers behind them may explain */
};

/* A request that was seen. The checker's own. */
struct wire_portals_check_request {
    struct wire_portals_id requester, server; /* of both only nid and pid count */
    uint32_t interface, operation, portal;
    uint64_t match_bits, offset, md, rlength;
    uint64_t tagged, hdr_data, local_offset;
    uint64_t mark;
    enum wire_portals_header_violation header_violation;
    bool settled;     /* answered, or wants no answer */
    bool early;       /* an answer that was seen before its request; or a request whose answer was */
    uint64_t message; /* an answer in which something was found: which of all; or 0 */
    uint64_t stream;  /* on which it came */
    uint64_t taken;   /* the mark of the request for whose answer it was taken, */
    uint32_t taken_index;
    uint64_t hash;   /* of what its answer repeats */
    uint32_t bucket; /* in which it stands */
    uint32_t bucket_first, bucket_last, bucket_next, bucket_before, older, newer;
};

/* What is known about a pair or a process. The checker's own. */
struct wire_portals_check_slot {
    uint32_t kind; /* 0: free */
    uint32_t key[WIRE_PORTALS_CHECK_SLOT_WORDS];
    uint64_t value[2];
    uint64_t mark;
};

/* What would explain a finding, if it were captured close behind it on another stream: that this slot's value comes to
 * so much. The checker's own. */
struct wire_portals_check_awaited {
    uint32_t kind, key[WIRE_PORTALS_CHECK_SLOT_WORDS];
    uint64_t value, message, stream, mark;
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
 * pair of processes that talk. Counts of 0 are allowed and leave out what needs memory. Requests and numbers have one
 * element more than their count says. Zeros are an empty table, so that nothing is touched of what is not needed. */
struct wire_portals_check_tables {
    struct wire_portals_check_request *requests;
    uint32_t request_count;
    struct wire_portals_check_slot *slots;
    uint32_t slot_count; /* a quarter stays free, so that looking something up takes a few steps */
    struct wire_portals_check_number *numbers;
    uint32_t number_count; /* the latest so many numbered messages are known again */
    uint64_t key[2];       /* random, where outsiders choose what is said: they cannot make everything fall together */
    bool blank;            /* the storage is all zeros; otherwise the checker begins by making it so */
};

/* A list of requests by age, as indices. The checker's own. */
struct wire_portals_check_ages {
    uint32_t oldest, newest, count;
};

/* One checker. Made by wire_portals_check_begin; read the first members at will, and set `partial`,
 * `complete`, `twice`, `several_jobs`, `close` and `turned`. */
struct wire_portals_check {
    struct wire_portals_finding findings[WIRE_PORTALS_FINDINGS_MAX]; /* of the latest call */
    unsigned finding_count;
    uint64_t answered;   /* by the latest call: the mark of the request that has its answer now, or 0 */
    uint64_t answer;     /* the mark of that answer, which may have been seen before the request */
    bool partial;        /* something was not seen, nobody knows of whom: what needs all is withheld */
    bool complete;       /* no connection of the processes is missing: who has said nothing has asked nothing */
    bool twice;          /* streams were seen from both ends: what came first at a third process cannot be told */
    bool translated;     /* addresses of the capture are not those by which processes know each other */
    bool several_places; /* a process was captured at several addresses, as on both sides of a proxy */
    bool several_jobs;   /* may follow each other, with equal groups and addresses: each counts its barriers anew */
    uint64_t close;      /* of marks that are not further apart the order tells nothing, on several connections */
    uint64_t turned;     /* the first mark behind which the clock was set back; what came before may have come later */
    uint64_t messages;   /* how many were judged */
    uint64_t forgotten;  /* requests given up for lack of room */
    uint64_t unjudged;   /* answers whose request was forgotten or never seen, pairs without room, numbers forgotten */
    uint64_t steps;      /* entries of the tables that were looked at: the work done */

    struct wire_portals_check_tables tables;
    struct wire_portals_check_ages waiting, settled, free;
    uint32_t early; /* answers among the settled */
    uint32_t taken; /* the request for whose answer the latest one was taken, though it differs */
    uint64_t mark;  /* of the latest message */
    struct wire_portals_check_awaited awaited[WIRE_PORTALS_CHECK_AWAITED_MAX];
    uint64_t awaiting; /* how many were there in all */
    uint32_t used;     /* requests of the table that have ever been in one of these */
    uint64_t streams, requests, gaps;
    uint32_t ends[WIRE_PORTALS_CHECK_SLOT_WORDS]; /* of the message at hand: nid and pid of who sends, who receives */
    uint64_t stream;                              /* the number of its stream, */
    bool numbered;                                /* whose messages may have numbers */
    uint64_t numbers;                             /* how many were remembered; the latest are in the table */
    uint32_t slots;                               /* in use */
};

/* One direction of a stream. */
struct wire_portals_check_way {
    bool greeted;  /* a HELLO came first */
    bool over;     /* what follows means nothing: the receiver refuses or closes */
    bool late;     /* its being late was reported */
    bool numbered; /* a NUMBER came, and not yet its message */
    bool missed;   /* octets of it were not seen */
    bool passed;   /* messages of it came while it was over */
    bool doubted;  /* octets of it have not been seen so far: the caller's */
    uint64_t epoch, number;
    uint64_t hello_us;
    uint64_t hello_mark;
    uint64_t user_mark; /* the first message that said a user; 0: none has */
    uint32_t uid;
    uint32_t latest; /* the operation of the latest message */
    struct wire_portals_header hello;
    enum wire_portals_header_violation hello_violation;
    struct wire_portals_check_slot *path; /* that of the latest message, or NULL */
};

/* One stream. The caller's; made by wire_portals_check_open. Read only. */
struct wire_portals_check_stream {
    uint64_t number; /* from 1 */
    uint64_t opened_us;
    bool closed;
    uint32_t apart; /* not 0: the caller's, for a stream that has nothing to do with others of the same processes */
    struct wire_portals_id acceptor;
    struct wire_portals_check_way ways[2]; /* by enum wire_portals_side */
};

#endif
