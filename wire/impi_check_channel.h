/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of a channel between two IMPI hosts (wire/impi_check.h): follows the packets of both directions and names
 * the rule that a packet breaks when seen together with what came before it: flow control of each pair of processes,
 * which acknowledgement answers what, long messages, cancelling, the end. Judges chapter 3 of the IMPI 0.0 document.
 *
 *     wire_impi_channel_begin(&channel, &tables, &limits);
 *     channel.job = &job;                      // when start-up was seen
 *     count = wire_impi_channel_rank(&channel, rank);
 *     count = wire_impi_channel_packet(&channel, WIRE_IMPI_CONNECTOR, &packet, number);
 *     for (unsigned i = 0; i < count; i++) ... channel.findings.at[i] ...
 *
 * Feed packets in the order in which they were seen, each when it is whole. What is not known (limits that are 0, a job
 * that is NULL) is not judged. When storage is full, messages that are settled are forgotten first, then the oldest;
 * what can no longer be judged is counted, not guessed.
 */
#ifndef WIRE_IMPI_CHECK_CHANNEL_H
#define WIRE_IMPI_CHECK_CHANNEL_H

#include "wire/impi_check.h"
#include "wire/impi_check_job.h"
#include "wire/impi_packet.h"

/* The two directions of a channel, by who sends: who connected (the host of higher rank), who accepted. */
enum wire_impi_side { WIRE_IMPI_CONNECTOR, WIRE_IMPI_ACCEPTOR };

/* What is known about the packets from one process to another. The checker's own. */
struct wire_impi_pair {
    bool used;
    bool bad_source, bad_dest; /* no process of its host */
    bool stalled;              /* going beyond hiwater was reported */
    enum wire_impi_side side;  /* that sends */
    struct wire_impi_process src, dest;
    int64_t rank;               /* of the source in MPI_COMM_WORLD, or -1 */
    uint64_t sent, data;        /* packets that count; of these with data */
    uint64_t syncacks, cancels; /* of these SYNCACK and CANCEL */
    uint64_t acks;              /* PROTOACK that came back */
    uint64_t due;               /* packets with data before the one with the latest mark */
    uint64_t latest;            /* mark */
    uint32_t open;              /* long messages that were acknowledged and are not yet whole */
};

/* A message that wants a SYNCACK, or one that is being cancelled. The checker's own. */
struct wire_impi_request {
    uint8_t state;
    uint32_t pair;
    uint64_t srqid, drqid, msglen, sent, cid, mark;
    int32_t tag, lsrank;
    uint32_t cancels;                      /* CANCEL without a reply */
    uint32_t bucket_first, next, previous; /* chains by source and srqid, as indices above 0 */
};

/* The caller's storage, which must outlive the channel. */
struct wire_impi_channel_tables {
    struct wire_impi_pair *pairs;
    uint32_t pair_count;
    struct wire_impi_request *requests;
    uint32_t request_count;
};

/* One channel. Made by wire_impi_channel_begin; read the first members at will, set `job` and `hosts`. */
struct wire_impi_channel {
    struct wire_impi_findings findings; /* of the latest call */
    const struct wire_impi_job *job;    /* NULL: not known; else it is asked only while job->whole */
    int64_t hosts[2];                   /* ranks of the hosts, by side; -1: not known */
    uint64_t packets;                   /* judged */
    uint64_t forgotten;                 /* messages and pairs given up for lack of room */

    struct wire_impi_channel_tables tables;
    struct wire_impi_limits limits;
    uint32_t turn; /* the request that is given up next */
    bool fini[2], ended[2], over[2];
};

/* wire_impi_channel_begin - a channel of which nothing has been seen. Clears the tables. */
void wire_impi_channel_begin(struct wire_impi_channel *channel, const struct wire_impi_channel_tables *tables,
                             const struct wire_impi_limits *limits);

/* wire_impi_channel_rank - judges the rank that the connector has sent. With a wrong one it is no channel: nothing more
 * is judged. */
unsigned wire_impi_channel_rank(struct wire_impi_channel *channel, uint32_t rank);

/* wire_impi_channel_packet - judges a packet that `side` sent. `mark` is the caller's number for it, not 0, never
 * falling. Returns the number of findings in channel->findings, all about the sender. */
unsigned wire_impi_channel_packet(struct wire_impi_channel *channel, enum wire_impi_side side,
                                  const struct wire_impi_packet *packet, uint64_t mark);

/* wire_impi_channel_broken - octets of `side` are no packet (an unknown pk_type). Nothing more of it is judged. */
unsigned wire_impi_channel_broken(struct wire_impi_channel *channel, enum wire_impi_side side);

/* wire_impi_channel_end - `side` has finished its direction or reset the connection, inside a packet or between two. */
unsigned wire_impi_channel_end(struct wire_impi_channel *channel, enum wire_impi_side side, bool inside);

#endif
