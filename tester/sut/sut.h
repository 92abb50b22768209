/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The system under test during a run: its launch agent, what is known about it, its jobs, and the waiting for all of
 * them. Everything belongs to the run's own thread, except `cancelled` and the mailbox.
 */
#ifndef TESTER_SUT_SUT_H
#define TESTER_SUT_SUT_H

#include "tester/capture/evidence.h"
#include "tester/sut/dialogue.h"
#include "tester/sut/facts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct build;
struct job;

enum { SUT_TEXT_MAX = 1024 };

struct sut {
    struct loop *loop;
    struct registry_box *box;  /* through which its connections come */
    _Atomic(char *) cancelled; /* why the run must end, or NULL */
    struct dialogue agent;
    bool agent_connected;
    bool unstartable;      /* the agent cannot execute the command */
    char peer_address[16]; /* numeric, at which scripted peers listen */
    struct sut_facts facts;
    struct build *build; /* which files it consists of; of the whole run */
    struct job *jobs;    /* those that are running, the latest first */
    unsigned job_count;
    struct evidence *evidence;  /* of the case that is running, or NULL */
    char problem[SUT_TEXT_MAX]; /* why the run cannot judge; "" while it can */
    /* who hears of what happens; or NULL */
    void (*note)(void *context, const char *kind, const char *text);
    void *note_context;
};

/* sut_note tells the observer; kinds are those of struct engine_observer, the text is printf's. */
void sut_note(struct sut *sut, const char *kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* sut_problem notes why the run cannot judge, unless a reason is there already. */
void sut_problem(struct sut *sut, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* sut_pump turns the loop until until(context) says true, until_ms (clock_now_ms) is past, or the run is cancelled or
 * its agent is gone. Returns until's last answer. NULL stands for a condition that never holds. */
bool sut_pump(struct sut *sut, bool (*until)(void *context), void *context, int64_t until_ms);

/* sut_cancel asks whoever waits for the system under test to end soon, for this reason; the first one stands. Any
 * thread. */
void sut_cancel(struct sut *sut, const char *reason);

/* sut_ended tells whether the run must not go on: it is cancelled, or its agent is gone. */
bool sut_ended(const struct sut *sut);

#endif
