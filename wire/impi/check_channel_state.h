/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker of a channel (wire/impi/check_channel.h) knows: pairs of processes, and messages under way. Made and
 * changed by the checker alone; where a comment says so, others read.
 */
#ifndef WIRE_IMPI_CHECK_CHANNEL_STATE_H
#define WIRE_IMPI_CHECK_CHANNEL_STATE_H

#include "wire/impi/check_job_state.h"

enum {
    WIRE_IMPI_FIRST_OCTETS = 8, /* of a packet's data, as many as are looked at */
    WIRE_IMPI_COLLECTIVES = 3,  /* groups of collective operations, by the requirement that gives their tags */
};

/* The two directions of a channel, by who sends: who connected (the host of higher rank), who accepted. */
enum wire_impi_side { WIRE_IMPI_CONNECTOR, WIRE_IMPI_ACCEPTOR };

/* What could be worth a note about the packets from one process to another. The checker's own. */
struct wire_impi_pair_notes {
    uint64_t collective; /* the context of the latest message between the two, when it was of a collective operation */
    struct wire_impi_tally misplaced[WIRE_IMPI_COLLECTIVES]; /* by group of operations */
    struct wire_impi_tally unnamed, reserved, smaller, native, per_pair;
    uint64_t zeros;         /* short messages with the srqid 0 */
    uint64_t little, big;   /* messages that are numbers only when read from the other end, or only as they stand */
    uint64_t little_values; /* the different ones among the first, as bits by value modulo 64 */
};

/* What is known about the packets from one process to another. The checker's own. */
struct wire_impi_pair {
    bool used;
    bool bad_source, bad_dest; /* no process of its host */
    bool stalled;              /* going beyond hiwater was reported */
    enum wire_impi_side side;  /* that sends */
    struct wire_impi_process src, dest;
    uint64_t src_digest;
    int64_t rank;               /* of the source in MPI_COMM_WORLD, or -1 */
    uint64_t sent, data;        /* packets that count; of these with data */
    uint64_t syncacks, cancels; /* of these SYNCACK and CANCEL */
    uint64_t acks;              /* PROTOACK that came back */
    uint64_t early;             /* others, for packets that had not been sent */
    uint64_t due;               /* packets with data before the one with the latest mark */
    uint64_t forgiven;          /* packets that count, and may have been acknowledged where nobody saw it */
    uint64_t paid, paid_acks;   /* the same of due, and acks at that time */
    uint64_t latest;            /* mark */
    uint32_t open;              /* long messages that were acknowledged and are not yet whole */
    struct wire_impi_pair_notes notes;
};

/* A message that wants a SYNCACK, or one that is being cancelled. The checker's own. */
struct wire_impi_request {
    uint8_t state;
    uint32_t pair;
    uint64_t srqid, drqid, msglen, sent, cid, mark;
    int32_t tag, lsrank;
    uint32_t cancels;                      /* CANCEL without a reply */
    uint32_t late;                         /* of these, behind their sender's FINI: nobody owes them a reply */
    uint32_t earlier;                      /* of these, for messages that had the srqid before */
    uint32_t bucket_first, next, previous; /* chains by source and srqid, as indices above 0 */
};

/* The caller's storage, which must outlive the channel. */
struct wire_impi_channel_tables {
    struct wire_impi_pair *pairs;
    uint32_t pair_count;
    struct wire_impi_request *requests;
    uint32_t request_count;
};

/* The first octets of the data of the packet at hand. The checker's own. */
struct wire_impi_head {
    unsigned char octets[WIRE_IMPI_FIRST_OCTETS];
    size_t len;
};

struct wire_impi_collectives;

/* One channel. Made by wire_impi_channel_begin; read the first members at will, set `job`, `hosts` and
 * `collectives`. */
struct wire_impi_channel {
    struct wire_impi_findings findings; /* violations, of the latest call */
    struct wire_impi_findings notes;    /* the same for notes */
    struct wire_impi_job *job;          /* NULL: not known; asked, and its hosts' channels counted, while job->whole */
    struct wire_impi_collectives *collectives; /* of the job, or NULL: they are not followed */
    int64_t hosts[2];                          /* ranks of the hosts, by side; -1: not known */
    uint64_t packets;                          /* judged */
    uint64_t forgotten;                        /* messages and pairs given up for lack of room */

    struct wire_impi_channel_tables tables;
    struct wire_impi_pair *latest[2]; /* by side; NULL: none */
    struct wire_impi_limits limits;
    uint32_t turn; /* the request that is given up next */
    bool fini[2], ended[2], over[2];
    bool lacked[2];                /* octets of the side were not seen */
    bool disturbed[2];             /* or came too late */
    bool unsettled[2];             /* set by who follows: they are missing so far, or are being taken too late */
    bool sought[2];                /* set by who follows: what comes is not judged until a packet begins for sure */
    bool counted[2];               /* among the open channels of its host */
    struct wire_impi_head head[2]; /* by side */
    struct wire_impi_tally lengths[2], unused[2][WIRE_IMPI_TYPES], collective_tag, unfinalized;
    bool barrier[2];          /* the side has sent a packet of a barrier of the world */
    uint32_t collective_tags; /* seen in a collective context: bits by their place among the tags */
};

#endif
