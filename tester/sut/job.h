/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A job of the system under test: started by the agent, with one interpreter in each of its processes (or none, when
 * it is an IMPI server). Several may run at once.
 */
#ifndef TESTER_SUT_JOB_H
#define TESTER_SUT_JOB_H

#include "tester/sut/job_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct job_order is what the agent is asked for. `pairs` are more pairs of its command `start`, or NULL; `silent`: no
 * interpreter will connect (np is ignored then); `agent`: who starts it, NULL: the run's own agent; `own_server`: by
 * the template of the vendor's own IMPI server; `guest`: the agent is a guest's (partner.h). */
struct job_order {
    unsigned np;
    bool silent, abrupt, own_server, guest;
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

/* job_ended_in_finalize says whether a process has ended inside MPI_Finalize and not failed, as far as its job tells:
 * MPI does not say that all of them return. */
bool job_ended_in_finalize(struct rank *rank);

/* job_lost gives the first rank whose process ended although nobody wanted it, or NULL; one that said why comes first.
 */
struct rank *job_lost(struct job *job);

#endif
