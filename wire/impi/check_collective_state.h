/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker of collective operations (wire/impi/check_collective.h) knows. Made and changed by the checker
 * alone; where a comment says so, others read.
 */
#ifndef WIRE_IMPI_CHECK_COLLECTIVE_STATE_H
#define WIRE_IMPI_CHECK_COLLECTIVE_STATE_H

#include "wire/impi/check_job_state.h"
#include "wire/impi/pattern.h"

enum {
    WIRE_IMPI_CID_WORLD = 1, /* the context of collective operations on MPI_COMM_WORLD */
    WIRE_IMPI_TAG_BARRIER = 110,
    WIRE_IMPI_TAG_BCAST = 120,
    WIRE_IMPI_TAG_GATHER = 130,
    WIRE_IMPI_TAG_SCATTER = 150,
    WIRE_IMPI_TAG_ALLTOALL = 170,
    WIRE_IMPI_TAG_REDUCE = 190,
    WIRE_IMPI_TAG_SCAN = 200,
    WIRE_IMPI_OPERATIONS = 64, /* Bcasts and Reduces that are followed at once; the oldest is forgotten */
    WIRE_IMPI_COUNTED = 512,   /* edges on other communicators that are counted */
    WIRE_IMPI_MEMBERS = 512,   /* processes of other communicators that are known */
    WIRE_IMPI_KEPT = 1024,     /* messages on them that are kept until all their members are known */
    WIRE_IMPI_MOVES = 3,       /* operations that only move data, as much for each process: Gather, Scatter, Alltoall */
};

/* A message of a collective operation: what it is, and where it stands. */
struct wire_impi_step {
    const char *operation; /* "Barrier"; NULL: the latest message was of none */
    const char *phase;     /* "enters", "is answered", "down", "up", "on", or "" */
    uint64_t number;       /* of the operation among those of its kind, from 1; 0: not known */
    int64_t from, to;      /* world ranks */
    int64_t root;          /* world rank, or -1: there is none, or several are possible */
    uint64_t octets;
    uint64_t cid;   /* the context of collective operations of its communicator */
    uint32_t group; /* which communicator of this context, from 1; 0: not known */
    uint32_t kept;  /* its place among the messages that are kept, from 1; 0: it is not */
    bool misplaced; /* on the context of point-to-point messages */
};

/* A Bcast or a Reduce. The checker's own. */
struct wire_impi_operation {
    int32_t tag; /* 0: free */
    uint64_t number, mark;
    uint32_t roots[WIRE_IMPI_FORMS];        /* that are possible: masters of their clients */
    uint32_t done;                          /* masters that were reached, or that have sent */
    int64_t dest;                           /* of a Reduce: where all messages go, or -1: not all go there */
    uint32_t others;                        /* of a Reduce: messages of processes that are no masters */
    int32_t senders[WIRE_IMPI_CLIENTS_MAX]; /* by master: who sends for its client, rank above 0; 0: nobody yet */
};

/* Which masters have sent and got data by an operation that only moves it. The checker's own. */
struct wire_impi_moved {
    uint32_t sent, got;
    uint64_t mark; /* of the latest message with data */
};

/* A communicator whose members are known: their masters, and what they do. The checker's own. */
struct wire_impi_group {
    const struct wire_impi_job *job;
    bool inferred;                           /* members are known from their messages, and not from start-up */
    uint32_t masters;                        /* how many */
    int64_t ranks[WIRE_IMPI_CLIENTS_MAX];    /* of masters in the world, by number */
    uint32_t number[WIRE_IMPI_CLIENTS_MAX];  /* of its master, by client */
    uint32_t members[WIRE_IMPI_CLIENTS_MAX]; /* by client */
    uint32_t linked[WIRE_IMPI_CLIENTS_MAX];  /* by master: those with which it has a channel that is followed */
    uint32_t forms;                          /* of Barrier, that no message has ruled out */
    bool misfits;                            /* a message of a Barrier does not fit */
    uint64_t entered[WIRE_IMPI_CLIENTS_MAX], answered[WIRE_IMPI_CLIENTS_MAX]; /* Barriers, by master */
    uint64_t mark[WIRE_IMPI_CLIENTS_MAX];                                     /* of the latest entering */
    uint32_t parent[WIRE_IMPI_CLIENTS_MAX];                                   /* to which it was */
    struct {
        uint64_t mark, number; /* 0: none */
        uint32_t parent;
    } early; /* the latest message of a master some of whose children had not entered so many Barriers */
    uint64_t scans[WIRE_IMPI_CLIENTS_MAX]; /* by receiving master */
    uint64_t bcasts, reduces;
    struct wire_impi_operation operations[WIRE_IMPI_OPERATIONS];
    struct wire_impi_moved moved[WIRE_IMPI_MOVES];
};

/* Messages of one kind of operation from one process to another one on a communicator. The checker's own. */
struct wire_impi_counted {
    uint64_t cid, times, mark;
    uint64_t excused;  /* Barriers that were never answered, as was told */
    int64_t src, dest; /* world ranks */
    int32_t tag, lsrank;
};

/* A process of another communicator. One context may be that of several communicators which have no process in common:
 * those of one are brought together by their messages. The checker's own. */
struct wire_impi_member {
    uint64_t cid;
    int64_t rank;   /* in the world */
    int32_t lsrank; /* below 0: not known */
    uint32_t with;  /* another one of the same communicator, or itself */
};

/* A message on another communicator. The checker's own. */
struct wire_impi_kept {
    uint64_t mark;
    int32_t tag;
    uint16_t src, dest; /* places among the members */
    bool has_data;
    bool judged; /* who its members are is proven: then these are as in a step */
    uint32_t group;
    uint64_t number;
    int64_t root;
};

/* The operations of a job. Made by wire_impi_collectives_begin; read `step` after each packet. */
struct wire_impi_collectives {
    const struct wire_impi_job *job;
    struct wire_impi_step step;
    /* The checker's own: */
    bool known;                   /* the job is whole, and so is this: */
    struct wire_impi_group world; /* MPI_COMM_WORLD */
    bool missed;                  /* a channel is not followed to its end */
    struct wire_impi_counted counted[WIRE_IMPI_COUNTED];
    uint32_t counted_count;
    struct wire_impi_member members[WIRE_IMPI_MEMBERS];
    struct wire_impi_kept kept[WIRE_IMPI_KEPT];
    uint32_t member_count, kept_count;
    bool counted_left_out, members_left_out, kept_left_out; /* there were more; read at will */
    struct wire_impi_group group;                           /* the communicator that is judged, at the end */
    uint32_t links, finis;
    struct wire_impi_tally octets, early, unmet, unmastered, tree, unreached, unsent, order, not_masters, form;
    struct wire_impi_tally unmoved[WIRE_IMPI_MOVES];
};

#endif
