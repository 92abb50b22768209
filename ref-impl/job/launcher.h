/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Launchers that this library cannot join, as they show in the environment.
 */
#ifndef REF_IMPL_JOB_LAUNCHER_H
#define REF_IMPL_JOB_LAUNCHER_H

#include <stdbool.h>

/* job_launcher_excluded - whether this process is one of several by the word of a launcher that offers neither the job
 * directory nor PMIx, so that it must not go on as a job of its own; a line on stderr then says what was seen and what
 * to do. ASSAY_SINGLETON=1 in the environment: never. */
bool job_launcher_excluded(void);

#endif
