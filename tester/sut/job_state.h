/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a job is made of. job.h steers its life, rank.h the conversations with its processes.
 */
#ifndef TESTER_SUT_JOB_STATE_H
#define TESTER_SUT_JOB_STATE_H

#include "tester/sut/sut.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct rank is one process. Its number is that of its connection; its label is what people read. */
struct rank {
    struct job *job;
    struct dialogue dialogue;
    struct flow flow;
    char label[32];
    uint32_t nid, pid; /* of its process id, once the case knows; 0 before */
    uint32_t fini;     /* the PtlFini with which the job ends, 0 without */
    uint32_t finalize; /* the MPI_Finalize that it was told, 0 before */
    bool present;      /* its connection was made */
    bool initialised;  /* it was told PtlInit, and not PtlFini since */
    bool by_itself;    /* it calls MPI_Init by itself, and has not been asked what came out */
    bool leaving;      /* it was told to end */
    bool excused;      /* the case waits for its end */
};

/* struct job_line is one line that a job printed. */
struct job_line {
    char *text;
    bool error; /* on standard error */
};

struct job {
    struct job *next;
    struct sut *sut;
    unsigned number, np, connected;
    char token[33];
    struct rank *ranks;
    struct dialogue *agent; /* who has started it: the run's own agent, or a partner's */
    bool own_server;        /* it is the vendor's own IMPI server */
    bool guest;             /* it is a guest's: nothing of its machine is shown */
    bool abrupt;            /* at the end the agent stops it; its interpreters are not asked to leave */
    bool awaited;           /* the case waits for its end: its processes may leave, but nothing may crash */
    bool excused;           /* it may end in any way */
    bool returned;          /* its command has, with status 0; processes of the job may be left */
    bool ended;             /* the agent said so: nothing that it could reach is left */
    char ended_text[96];    /* how the command has: "status 1", "signal SIGSEGV" */
    uint32_t measured;      /* the command that measures it, sent before it was known to end; 0: none */
    long memory_kib;        /* the most memory that the command has had; 0: the agent does not say */
    bool signalled;         /* its first process was ended by a signal */
    struct job_line *lines;
    size_t line_count;
};

#endif
