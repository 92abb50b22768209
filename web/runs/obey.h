/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What services that share a database ask of each other's runs.
 */
#ifndef WEB_RUNS_OBEY_H
#define WEB_RUNS_OBEY_H

struct runs;

/* obey_others does with the service's runs what others have asked for: cancels and pauses. */
void obey_others(struct runs *runs);

#endif
