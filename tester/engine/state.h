/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run is made of. Its parts get what they need of this; only what steers a run (run.h, case_run.h, preflight.h)
 * sees the whole. Everything belongs to the run's own thread.
 */
#ifndef TESTER_ENGINE_STATE_H
#define TESTER_ENGINE_STATE_H

#include "tester/engine/evidence_room.h"
#include "tester/engine/observer.h"
#include "tester/profile/selection.h"
#include "tester/report/results.h"
#include "tester/sut/sut.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct again;
struct faults;
struct readings;
struct host_load;
struct lanes;

enum { LANES_MAX = 15 }; /* beside the run's own thread */
struct partners;
struct profile;
struct registry_link;

struct engine_run {
    /* what was asked for */
    char *suite, *case_id, *report_directory, *run_token, *manager_address, *sut_name;
    char *reference, *own_server; /* engine_config; or NULL */
    char *guest, *guest_token;    /* likewise */
    json_t *statement;            /* what the system under test declares (statement.h); or NULL */
    uint64_t seed;
    unsigned agent_wait_ms, linger_ms;
    struct evidence_room room; /* for the evidence of all cases */
    struct engine_observer observer;
    const struct profile *profile;             /* its row of the table, which lives as long as `cases` */
    bool (*preflight)(struct engine_run *run); /* the profile's (preflight.h) */

    const struct case_list *cases;
    json_t *earlier;             /* the cases that an earlier run has told, by id */
    struct case_list *own_cases; /* the same where the run has loaded them; else NULL */
    struct selection selection;

    /* life */
    pthread_t thread;
    bool running;             /* there is a thread to join */
    bool resumable;           /* engine_config */
    struct engine_run *whole; /* of a lane: its run; else the run itself */
    atomic_bool suspended;    /* of the whole: it stops, and another run may go on */
    struct loop_watch *box_watch;

    struct again *again;                   /* cases that are to be judged once more */
    unsigned attempt;                      /* at the case that is executed now, where it is not the first; else 0 */
    _Atomic(struct lanes *) lanes;         /* who executes cases beside this thread; or NULL */
    bool shares;                           /* further agents may take cases of it */
    struct registry_link early[LANES_MAX]; /* those that have come before there are cases to take */
    unsigned early_count;
    void (*further_agent)(struct lanes *lanes, struct registry_link *link); /* who takes it; NULL as long as none may */

    /* the system under test */
    struct sut sut;
    struct partners *partners; /* who takes part beside it */

    /* what came of it */
    struct host_load *load;    /* how busy this machine is, from when the agent is there; NULL before */
    struct faults *faults;     /* what is known to be broken, and what works */
    struct readings *readings; /* which readings the system under test is known to follow */
    struct results results;
    char started[32]; /* ISO 8601 */
    int64_t begin_ms;
};

#endif
