/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a run, from the agent's connection to the reports.
 */
#ifndef TESTER_ENGINE_RUN_H
#define TESTER_ENGINE_RUN_H

/* run_thread is the run's thread; `context` is the run. */
void *run_thread(void *context);

#endif
