/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the checker of IMPI start-up (wire/impi/check_job.h) knows: the job, and each connection between a client and
 * the server. Made and changed by the checker alone; where a comment says so, others read.
 */
#ifndef WIRE_IMPI_CHECK_JOB_STATE_H
#define WIRE_IMPI_CHECK_JOB_STATE_H

#include "wire/impi/check.h"
#include "wire/impi/packet.h"
#include "wire/impi/startup.h"

enum {
    WIRE_IMPI_JOB_LABELS = 32, /* labels whose values are compared; more are let pass */
    WIRE_IMPI_LINK_HOSTS = 64, /* of one client: hosts and processes whose values are compared with each other */
    WIRE_IMPI_LINK_PROCESSES = 64,
    WIRE_IMPI_HOST_PEERS = 128, /* hosts of which is known with whom they are connected */
};

/* A host as start-up tells it. */
struct wire_impi_job_host {
    unsigned char address[WIRE_IMPI_HOST_OCTETS];
    uint32_t port, nprocs, ackmark, hiwater;
    uint32_t client;
    uint64_t closed_at; /* the mark with which the last of its channels was closed; 0: not yet */
    uint32_t channels;  /* to other hosts, which it has not closed, as their checkers have seen */
    uint32_t peers[WIRE_IMPI_HOST_PEERS / 32]; /* of these the ones to hosts of lower rank: bits by rank */
};

/* A process; its index is its rank in MPI_COMM_WORLD. */
struct wire_impi_job_process {
    struct wire_impi_process id;
    uint32_t host;        /* index */
    uint32_t chain, next; /* the checker's own */
};

/* The caller's storage, which must outlive the job. What does not fit is not learned, and then not judged. */
struct wire_impi_job_tables {
    struct wire_impi_job_host *hosts;
    uint32_t host_count;
    struct wire_impi_job_process *processes;
    uint32_t process_count;
};

/* What a client has said, by its rank. The checker's own. */
struct wire_impi_job_client {
    bool joined, done;
    bool gone;       /* its connection has ended */
    bool sized;      /* the server has told it the job's size: nobody else can have its rank */
    bool partial;    /* what it gave is not all known */
    bool told_done;  /* the server has told it DONE */
    uint32_t owner;  /* the number of its connection; 0: of several that said this rank one remains */
    uint32_t claims; /* connections that have said this rank, while it was to be had, and are open */
    int64_t latest;  /* label; below all of them: none yet */
    uint32_t nhosts, nprocs, first_host, first_process;
    uint64_t joined_at, done_at, told_done_at; /* marks; 0: not yet */
};

/* What was given under a label. The checker's own. */
struct wire_impi_job_label {
    int32_t label;
    uint32_t given;      /* mask of clients */
    uint32_t disordered; /* likewise: behind a higher label; what the server makes of it is not laid down */
    uint32_t octets[WIRE_IMPI_CLIENTS_MAX];
    uint64_t digest[WIRE_IMPI_CLIENTS_MAX];
    uint64_t passed_at[WIRE_IMPI_CLIENTS_MAX]; /* the mark with which the client gave it, or a higher one; 0: not yet */
};

/* What is in force. 0: not known. */
struct wire_impi_limits {
    uint32_t datalen, ackmark, hiwater;
    int32_t tagub;
};

/* What who started a server has told it, and messages do not tell. */
struct wire_impi_secrets {
    int32_t size; /* clients; 0: not known */
    bool key_known;
    uint64_t key;
};

/* One job. Made by wire_impi_job_begin; read the first members at will, and set `secrets`, `now` and `close`. */
struct wire_impi_job {
    struct wire_impi_secrets secrets;
    int32_t size;   /* clients; 0: not known */
    uint32_t hosts; /* known, in `tables` */
    uint32_t processes;
    struct wire_impi_limits limits;
    int32_t xsize, maxlinear; /* with the defaults put in; -1: not known */
    bool whole;               /* hosts and processes are known with all their values */
    bool indexed;             /* and processes are found by their ids */
    bool choices_differ;      /* clients gave different values for collectives */
    bool missed;              /* octets of some connection to the server were not seen */
    bool channel_missed;      /* set by who follows channels: octets of one of them were not seen */
    bool limits_broken;       /* somebody gave a value outside section 3.9 */
    uint64_t now;             /* set by who follows connections: the mark of what comes next; 0: order is certain */
    uint64_t close;           /* of marks that are not further apart the order tells nothing, on several connections */
    bool barriers_disordered; /* as was seen of messages of Barrier */
    bool disordered;          /* a client gave labels behind DONE: what the server makes of them is not laid down */
    uint32_t joined;          /* clients seen to join, and not to leave before they were done */

    struct wire_impi_job_tables tables;
    struct wire_impi_job_client clients[WIRE_IMPI_CLIENTS_MAX];
    struct wire_impi_job_label labels[WIRE_IMPI_JOB_LABELS];
    uint32_t label_count, learned; /* learned: bits by place in wire_impi_labels */
    uint32_t links;
};

/* The values of a COLL on their way. The checker's own. */
struct wire_impi_values {
    int32_t label;
    uint32_t mask, octets, index;
    unsigned char kept[WIRE_IMPI_HOST_OCTETS]; /* an element that may come in pieces */
    uint32_t kept_len;
    uint64_t digest, last, sum;
    bool compare;                  /* with what the clients gave: */
    uint32_t giver, giver_left;    /* whose values are at hand, and how many octets of them are to come */
    bool learn;                    /* for the job: */
    bool judge;                    /* what clients gave whom nobody has heard, as far as this knows their number */
    uint32_t client, client_index; /* whose element is at hand, and which of theirs */
};

/* One connection. Made by wire_impi_link_begin; read `findings` and `rank` at will. */
struct wire_impi_link {
    struct wire_impi_findings findings; /* violations, of the latest call */
    struct wire_impi_findings notes;    /* the same for notes */
    struct wire_impi_job *job;
    int32_t rank;  /* of the client; -1: not known */
    bool all_done; /* the server has said DONE */
    bool ended;    /* the client has said FINI */
    bool over[2];  /* by direction: nothing more can be told */
    uint32_t client_stage, server_stage;
    bool has_label;  /* the client has submitted one: `highest` is meant */
    int32_t highest; /* label of the client's */
    uint32_t auth_mask;
    bool more_masks, bad_choice;
    bool unidentified; /* it did not begin with AUTH: what it says counts for nothing */
    bool claims;       /* it is counted among those that claim its rank */
    uint32_t number;   /* from 1 */
    uint32_t received; /* bits by place in job->labels */
    uint32_t sent;     /* bits by place in wire_impi_labels */
    uint32_t nhosts, nprocs;
    uint32_t ackmarks[WIRE_IMPI_LINK_HOSTS];
    struct wire_impi_process processes[WIRE_IMPI_LINK_PROCESSES];
    struct wire_impi_values values[2]; /* by direction */
    struct wire_impi_tally compatible, at_once, unclosed;
};

#endif
