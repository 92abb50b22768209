/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of portalsrun.
 */
#ifndef REF_IMPL_LAUNCH_OPTIONS_H
#define REF_IMPL_LAUNCH_OPTIONS_H

#include <netinet/in.h>
#include <stdint.h>

/* struct options is what was asked for. The texts belong to the argument vector. */
struct options {
    uint32_t count;        /* processes */
    uint32_t join_seconds; /* how long the others may take to join after the first */
    const char *nal;       /* network, NULL: as the environment says */
    const char *trace;     /* file for the trace of the job, NULL: none */
    struct in_addr listen; /* address of the job directory */
    char **command;        /* program and arguments, ended by NULL */
};

enum options_outcome {
    OPTIONS_RUN,   /* *options is filled */
    OPTIONS_SHOWN, /* help or version was asked for and printed */
    OPTIONS_WRONG, /* a line on stderr says what is wrong */
};

/* options_read - reads the command line. */
enum options_outcome options_read(int argc, char **argv, struct options *options);

#endif
