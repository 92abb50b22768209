/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The first event in which one case went another way in a second run.
 */
#ifndef WEB_RUNS_DIFFER_H
#define WEB_RUNS_DIFFER_H

#include <jansson.h>

/* differ_first compares two ladders, arrays of events as the engine writes them: {"same": how many events of the second
 * are as in the first, "before": event or null, "after": event or null}. Who speaks to whom is followed for each pair
 * by itself, since several speak at once in any order; times, and details that hold addresses and numbers of processes,
 * are left out. A new reference; NULL when memory ends. */
json_t *differ_first(const json_t *before, const json_t *after);

#endif
