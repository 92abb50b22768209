/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a job prints, on its way to the manager line by line (specs/interpreter.md, section 5, notices).
 */
#ifndef INTERPRETER_AGENT_OUTPUT_H
#define INTERPRETER_AGENT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_LINE_OCTETS = 4096, OUTPUT_LINES = 1000 };

/* struct job_output is the reading end of one of a job's two pipes. fd is -1 once nobody holds the other end. */
struct job_output {
    int fd;
    unsigned long job;
    const char *name; /* "stdout" or "stderr" */
    unsigned *lines;  /* of the job, both outputs together */
    size_t len;
    char text[OUTPUT_LINE_OCTETS];
};

/* output_open begins with an empty line on fd, which must not block. */
void output_open(struct job_output *output, int fd, unsigned long job, const char *name, unsigned *lines);

/* output_read reads what has been printed and tells the manager of each complete line; at the end of the pipe it closes
 * fd. It reads a limited amount, so that a job that prints without end does not keep the agent from its other tasks. */
void output_read(struct job_output *output);

/* output_drain reads what is there already: some hundreds of lines at most. */
void output_drain(struct job_output *output);

/* output_close tells of an unfinished last line and closes fd. */
void output_close(struct job_output *output);

#endif
