/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Guests of runs: another vendor's implementation that meets the one under test, with a launch agent of its own.
 * Whoever makes the run hands the guest's token on; it opens a page with the verdicts (pages/report.c), and lets nobody
 * see anything else of the run, nor be its own launch agent.
 */
#ifndef WEB_RUNS_GUEST_H
#define WEB_RUNS_GUEST_H

#include "web/service/secret.h"
#include "web/store/status.h"

#include <stddef.h>

struct database;
struct runs;

/* guest_make_token writes the token of the guest of a run, which follows from the run's own; not the other way. */
void guest_make_token(const char *run_token, char token[static SECRET_TOKEN_SIZE]);

/* guest_note writes down by what a guest's token is known. Part of the caller's transaction. */
enum database_status guest_note(struct database *database, const char *run, const char *token);

/* What an agent's token is, for which no run waits in this process. */
enum guest_answer {
    GUEST_UNKNOWN,  /* no guest's */
    GUEST_WAITS,    /* the run does not take it now: `message` says why */
    GUEST_ATTACHED, /* the guest has an agent */
    GUEST_OVER,     /* the run is over */
    GUEST_FAILED,   /* the database does not say */
};

/* guest_find looks for the run whose guest has this token. */
enum guest_answer guest_find(struct runs *runs, const char *token, char *message, size_t message_octets);

#endif
