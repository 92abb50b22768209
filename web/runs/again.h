/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cases that somebody wants to have judged once more in the run that is under way. Who asks writes it down, so that a
 * run that is suspended meanwhile does it when its agent is back, at this service or another one.
 *
 * All outcomes are kept in `attempts`; the one that counts (tester/report/attempts.h) is the result. Its evidence is
 * the case's own, that of any other attempt is under AGAIN_ID.
 */
#ifndef WEB_RUNS_AGAIN_H
#define WEB_RUNS_AGAIN_H

#include "tester/engine/engine.h"
#include "web/store/database.h"

#include <stdbool.h>
#include <stddef.h>

struct runs;

enum { AGAIN_MOST = 20 }; /* attempts at one case in one run */

enum again_answer {
    AGAIN_ASKED,
    AGAIN_NO_RESULT, /* the run has not judged such a case yet */
    AGAIN_OVER,      /* the run is over, or will be in a moment */
    AGAIN_ENOUGH,    /* AGAIN_MOST */
};

/* again_request asks for the case of a run. */
enum database_status again_request(struct runs *runs, const char *run, const char *case_id, enum again_answer *answer);

/* again_finish has a run that waits after its last case for such requests end; *found false: it is over. */
enum database_status again_finish(struct runs *runs, const char *run, bool *found);

/* again_pass hands what is asked for of a run that is executed here on to its engine; false where the engine takes no
 * more. Without any lock. */
bool again_pass(struct runs *runs, const char *run);

/* again_obey does so for all runs, where it was asked for at another service. */
void again_obey(struct runs *runs);

/* AGAIN_ID is the place of an attempt's evidence: the case's id and the attempt's number. */
#define AGAIN_ID "%s~%u"
enum { AGAIN_ID_SIZE = 128 };

/* again_evidence_id gives the place where the evidence of this result goes. */
void again_evidence_id(const struct engine_result *result, char id[static AGAIN_ID_SIZE]);

/* again_record writes down a further attempt, and makes it the result where it counts. The case is asked for no more.
 * Part of the caller's transaction. */
enum database_status again_record(struct database *database, const char *run, const struct engine_result *result);

#endif
