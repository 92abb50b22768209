/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading lines from the manager (specs/interpreter.md, section 2). The buffer has a fixed size: nothing that the other
 * side sends makes it grow.
 */
#ifndef INTERPRETER_COMMON_LINES_H
#define INTERPRETER_COMMON_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum lines_status {
    LINES_OK,
    LINES_NONE,   /* no complete line yet: fill again */
    LINES_BAD,    /* the other side broke the rules for lines; `why` says how */
    LINES_CLOSED, /* the connection has ended */
};

/* struct lines is the reader of one connection. The caller sees only fd. */
struct lines {
    int fd;
    char *buffer; /* LINE_OCTETS */
    size_t start, end;
    size_t checked; /* up to here there is no LF and nothing forbidden */
};

/* lines_open prepares to read from fd; false when memory is short. lines_close frees the buffer and closes fd. */
bool lines_open(struct lines *lines, int fd);
void lines_close(struct lines *lines);

/* lines_fill waits for octets and takes in what there is: LINES_OK or LINES_CLOSED. Call it only after LINES_NONE. */
enum lines_status lines_fill(struct lines *lines);

/* lines_take gives the next complete line without its LF, ended by NUL; it may be changed, and stays until the next
 * lines_fill. LINES_OK, LINES_NONE or LINES_BAD. */
enum lines_status lines_take(struct lines *lines, char **line, const char **why);

/* lines_next is lines_take that fills as often as needed. */
enum lines_status lines_next(struct lines *lines, char **line, const char **why);

#endif
