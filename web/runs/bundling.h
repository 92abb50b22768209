/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 */
#ifndef WEB_RUNS_BUNDLING_H
#define WEB_RUNS_BUNDLING_H

/* bundling_main is the thread that packs the evidence of runs that are over together (upkeep/gather.h), one
 * bundle after the other; context is struct runs. Returns when the list is ending. */
void *bundling_main(void *context);

#endif
