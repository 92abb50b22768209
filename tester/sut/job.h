/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A job of the system under test: started by the agent, with one interpreter in each of its processes (or none, when
 * it is an IMPI server). Several may run at once.
 */
#ifndef TESTER_SUT_JOB_H
#define TESTER_SUT_JOB_H

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

/* struct job_order is what the agent is asked for. `pairs` are more pairs of its command `start`, or NULL; `silent`: no
 * interpreter will connect (np is ignored then); `agent`: who starts it, NULL: the run's own agent; `own_server`: by
 * the template of the vendor's own IMPI server. */
struct job_order {
    unsigned np;
    bool silent, abrupt, own_server;
    const char *pairs;
    struct dialogue *agent;
};

/* job_begin has the agent start a job and does not wait for its interpreters. NULL and a message when that fails;
 * `fatal` then tells whether no further job can succeed (the command cannot be executed). */
struct job *job_begin(struct sut *sut, const struct job_order *order, bool *fatal, char *message,
                      size_t message_octets);

/* job_await waits at most `ms` until all interpreters are there; false and a message when they are not. Its two halves
 * are for those who wait in another way: job_is_decided tells whether there is nothing to wait for any more (`context`
 * is the job), job_is_whole what came of it, after `ms`. */
bool job_await(struct job *job, int64_t ms, char *message, size_t message_octets);
bool job_is_decided(void *context);
bool job_is_whole(struct job *job, int64_t ms, char *message, size_t message_octets);

/* job_is_over tells whether the job has ended. Where the command leaves the job to others and returns, it has when all
 * its interpreters are gone; `ended_text` is set then. */
bool job_is_over(const struct job *job);

/* job_start is job_begin and job_await for np processes; a job whose interpreters do not come is stopped. */
struct job *job_start(struct sut *sut, unsigned np, bool *fatal, char *message, size_t message_octets);

/* job_stop takes the library down where it is up, asks the interpreters to end, has the agent stop what remains, and
 * frees the job. job_stop_all does so with all of the run, the latest first. */
void job_stop(struct job *job);
void job_stop_all(struct sut *sut);

/* job_kill has the agent stop the job now and waits until it is gone. The job stays. */
void job_kill(struct job *job);

/* job_find gives the run's job of that number, or NULL. */
struct job *job_find(struct sut *sut, unsigned number);

/* job_attach takes over an interpreter's connection. job_notice hears an agent's notices about the jobs that it has
 * started; about others it has nothing to say. */
void job_attach(struct job *job, struct registry_link *link);
void job_notice(struct sut *sut, const struct dialogue *agent, const char *words);

/* job_lost gives the first rank whose process ended although nobody wanted it, or NULL; one that said why comes first.
 */
struct rank *job_lost(struct job *job);

#endif
