/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A job of the system under test: started by the agent, with one interpreter in each of its processes.
 */
#ifndef TESTER_JOB_H
#define TESTER_JOB_H

#include "tester/run.h"

/* struct rank is one process. Its number is that of its connection; its label is what people read. */
struct rank {
    struct job *job;
    struct dialogue dialogue;
    struct flow flow;
    char label[32];
    uint32_t nid, pid; /* of its process id, once the case knows; 0 before */
    uint32_t fini;     /* the PtlFini with which the job ends, 0 without */
    bool present;      /* its connection was made */
    bool initialised;  /* it was told PtlInit, and not PtlFini since */
    bool leaving;      /* it was told to end */
    bool excused;      /* the case waits for its end */
};

struct job {
    struct engine_run *run;
    unsigned number, np, connected;
    char token[33];
    struct rank *ranks;
    bool ended;          /* the agent said so */
    char ended_text[96]; /* "status 1", "signal SIGSEGV" */
    char last_output[256];
};

/* job_start starts a job of np processes and waits until all interpreters are there. NULL and a message when that
 * fails; `fatal` then tells whether no further job can succeed (the command cannot be executed). Sets run->job. */
struct job *job_start(struct engine_run *run, unsigned np, bool *fatal, char *message, size_t message_octets);

/* job_stop takes the library down where it is up, asks the interpreters to end, has the agent stop what remains, and
 * frees the job. */
void job_stop(struct job *job);

/* job_attach takes over an interpreter's connection. job_notice hears the agent's notices about jobs. */
void job_attach(struct job *job, struct registry_link *link);
void job_notice(struct engine_run *run, const char *words);

/* job_lost gives the first rank whose process ended although nobody wanted it, or NULL; one that said why comes first.
 */
struct rank *job_lost(struct job *job);

#endif
