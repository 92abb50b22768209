/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One thread that clears up: runs that are over, connections whose requests do not come, sessions that have expired.
 */
#ifndef WEB_RUNS_HOUSEKEEPING_H
#define WEB_RUNS_HOUSEKEEPING_H

/* housekeeping_main is the thread; `runs` is the struct runs. It ends when `ending` is set there and `changed`
 * signalled. */
void *housekeeping_main(void *runs);

#endif
