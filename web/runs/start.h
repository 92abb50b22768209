/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a run begins: because somebody wants one, or because the launch agent of one that was suspended is back.
 */
#ifndef WEB_RUNS_START_H
#define WEB_RUNS_START_H

#include "tester/engine/engine.h"
#include "web/service/secret.h"
#include "web/store/status.h"

#include <stddef.h>
#include <stdint.h>

struct runs;

enum { RUN_AGENT_WAIT_MS = 60 * 1000 }; /* the agent is there when the run begins */

/* What somebody wants to be run. suite, case_id NULL: all; server NULL: no own server is announced; guest: the
 * name of another vendor's implementation that it meets, or NULL; statement: the JSON
 * of a conformance statement (specs/statement.md), or NULL. */
struct run_order {
    int64_t account;
    const char *implementation, *profile, *suite, *case_id, *server, *guest, *statement;
    const char *waivers; /* under which it is judged, JSON, or NULL: runs_make finds them (waived.h) */
    int64_t seed;
    int64_t linger; /* minutes: how long the agent stays after the last case where something went wrong */
};

enum run_refusal {
    RUN_MADE,
    RUN_TOO_MUCH_KEPT,     /* the account's runs hold as much as they may */
    RUN_TOO_MANY_KEPT,     /* there are as many of them as there may be */
    RUN_NO_ROOM,           /* the disk has less room than is to be kept back */
    RUN_NO_IMPLEMENTATION, /* no such implementation in this account */
    RUN_DATABASE,          /* see status */
    RUN_ENGINE,            /* the engine refused: see engine and message */
};

/* What came of it. */
struct run_made {
    enum run_refusal refusal;
    enum database_status status;
    enum engine_status engine;
    char message[256];
    char id[SECRET_ID_SIZE], token[SECRET_TOKEN_SIZE];
    char guest_token[SECRET_TOKEN_SIZE]; /* of the guest, if there is one */
};

/* runs_make registers a run, which waits for its launch agent. */
void runs_make(struct runs *runs, const struct run_order *order, struct run_made *made);

/* What becomes of a launch agent that presents the token of a run. */
enum run_return {
    RETURN_UNKNOWN,   /* there is no run of that token */
    RETURN_GOES_ON,   /* the run waits for its connection now: engine_attach */
    RETURN_UNDER_WAY, /* the run has an agent, or waits for none: it may be suspended in a moment */
    RETURN_QUEUED,    /* it waits for its turn: `message` says behind what */
    RETURN_PAUSED,    /* somebody has paused the run */
    RETURN_LATER,     /* it cannot go on now: `message` says why */
    RETURN_OVER,      /* the run is over, by now at the latest: it cannot go on, and `message` may say why */
};

/* runs_return begins a run, or lets a suspended one go on where it was, when its agent presents its token and it is its
 * turn (queue.h). The run's results are read, and its engine is made anew. Guests are heard too (guest.h). */
enum run_return runs_return(struct runs *runs, const char *token, char *message, size_t message_octets);

#endif
