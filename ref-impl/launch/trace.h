/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The trace of a whole job in one capture (portalsrun --trace): each process writes its own (ASSAY_TRACE, see
 * ref-impl/nal/wrap/trace/), and at the end their packets are put into one file in the order of their times. A message
 * stands there as its sender saw it and as its receiver did.
 */
#ifndef REF_IMPL_LAUNCH_TRACE_H
#define REF_IMPL_LAUNCH_TRACE_H

#include <stdbool.h>

/* struct job_trace - the file, the folder beside it where the processes write, and the open file; all 0 at first. */
struct job_trace {
    const char *path;
    char *folder;
    int fd;
};

/* job_trace_begin - makes or empties the file, and has the processes that are started from now on write their traces.
 * job_trace_end - gathers what they wrote; what cannot be gathered stays in the folder. False with a line on stderr. */
bool job_trace_begin(struct job_trace *trace, const char *path);
bool job_trace_end(struct job_trace *trace);

#endif
