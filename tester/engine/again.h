/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cases that somebody has asked to have judged once more, in the same run and by the same launch agent. Anybody asks;
 * the run's own thread takes one between two cases. What comes of it: results.h.
 */
#ifndef TESTER_ENGINE_AGAIN_H
#define TESTER_ENGINE_AGAIN_H

#include "tester/engine/state.h"

#include <stdbool.h>
#include <stddef.h>

/* again_open begins with none; again_close frees. */
struct again *again_open(void);
void again_close(struct again *again);

/* again_ask asks for the case; one that is asked for already is not asked for twice. False: the run takes none any
 * more. Any thread. */
bool again_ask(struct engine_run *run, const char *case_id);

/* again_take gives the case that has been asked for first: its place in the selection, and the number of this attempt,
 * at least 2; false: there is none. again_told says that the result of the one that was taken is being told: the
 * case may be asked for again. */
bool again_take(struct engine_run *run, size_t *place, unsigned *attempt);
void again_told(struct engine_run *run);

/* again_restore notes that an earlier run has made this attempt. */
void again_restore(struct engine_run *run, const char *case_id, unsigned attempt);

/* again_release says that nobody will ask any more. Any thread. again_awaits tells whether neither that was said nor a
 * case is asked for. */
void again_release(struct engine_run *run);
bool again_awaits(const struct engine_run *run);

/* again_end lets nobody ask any more; false, and nothing changes, where a case is asked for. */
bool again_end(struct engine_run *run);

#endif
