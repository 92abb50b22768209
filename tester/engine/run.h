/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One run from the inside: what the files of the engine share. Everything here belongs to the run's own thread, except
 * `cancelled` and the mailbox.
 */
#ifndef TESTER_ENGINE_RUN_H
#define TESTER_ENGINE_RUN_H

#include "tester/capture/evidence.h"
#include "tester/engine/engine.h"
#include "tester/sut/dialogue.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;
struct partners;
struct profile;

/* What the preflight found out about the system under test. */
struct run_facts {
    char interpreter[128]; /* its name and version */
    char features[128];    /* comma-separated */
    char *verbs;           /* comma-separated; NULL: not known */
    bool wire;             /* speaks the TCP binding with the manager's peers */
    char no_wire[512];     /* why not */
    bool single;           /* its command template does not say how many processes: every job has as many as it says */
    const char *role;      /* of a profile with roles: "server" or "client"; else "" */
    bool hosts, options;   /* the template says how many hosts a client has; it takes options */
    bool incoming;         /* it can be connected to from here */
    char no_incoming[256]; /* why not */
    char own_server[1024]; /* command of the server that a vendor of clients brings; "" without */
    bool server_incoming;  /* that server can be connected to from here */
    char no_server_incoming[256];
};

struct engine_run {
    /* what was asked for */
    char *cases_directory, *suite, *case_id, *report_directory, *run_token, *manager_address, *sut_name;
    char *reference, *own_server; /* engine_config; or NULL */
    uint64_t seed;
    unsigned agent_wait_ms;
    uint64_t capture_octets_max, evidence_octets_max; /* engine_config */
    struct engine_observer observer;
    const struct profile *profile;             /* its row of the table, which lives as long as `cases` */
    bool (*preflight)(struct engine_run *run); /* the profile's (preflight.h) */

    /* the selection: indexes into the catalogue */
    struct case_list *cases;
    size_t *selected, selected_count;

    /* life */
    pthread_t thread;
    bool running;              /* there is a thread to join */
    _Atomic(char *) cancelled; /* why, or NULL */
    struct registry_box *box;
    struct loop *loop;
    struct loop_watch *box_watch;
    char problem[1024]; /* why the run cannot judge; "" while it can */

    /* the system under test */
    struct dialogue agent;
    bool agent_connected;
    char peer_address[16]; /* numeric, at which scripted peers listen */
    struct run_facts facts;
    struct job *jobs; /* those that are running, the latest first */
    unsigned job_count;
    struct partners *partners; /* who takes part beside it; NULL until somebody does */
    struct evidence *evidence; /* of the case that is running, or NULL */
    uint64_t evidence_octets;  /* of all that are closed */

    /* what came of it */
    json_t *results, *matrix;
    unsigned counts[VERDICT_COUNT];
    unsigned sut_failures; /* those of the failures on axis sut */
    bool unstartable;      /* the agent cannot execute the command */
    char started[32];      /* ISO 8601 */
    int64_t begin_ms;
};

/* run_note tells the observer; the text is printf's. */
void run_note(struct engine_run *run, const char *kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* run_problem notes why the run cannot judge, unless a reason is there already. */
void run_problem(struct engine_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* run_evidence_open begins the evidence of a case (or of the preflight) within what the run may still have.
 * run_evidence_close completes it: what is missing is told, and a run that has used up its room ends with a problem. */
void run_evidence_open(struct engine_run *run, const char *id, const char *heading);
void run_evidence_close(struct engine_run *run, struct evidence *evidence);

/* run_pump turns the loop until until(context) says true, until_ms (clock_now_ms) is past, or the run is cancelled or
 * its agent is gone. Returns until's last answer. NULL stands for a condition that never holds. */
bool run_pump(struct engine_run *run, bool (*until)(void *context), void *context, int64_t until_ms);

/* run_ended tells whether the run must not go on: cancelled, or its agent is gone. */
bool run_ended(struct engine_run *run);

/* run_take_links is the loop's callback for the mailbox: agent and interpreters get their connections. run_thread is
 * the thread. */
void run_take_links(void *context, short revents);
void *run_thread(void *context);

#endif
