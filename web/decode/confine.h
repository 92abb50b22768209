/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starts a program that reads what others have sent, and that is not trusted after it: it reads system files, what it
 * is given and nothing else, writes nothing, reaches neither network nor other processes, and has little memory and
 * time. The start is Linux's: Landlock, a filter of system calls, limits of resources, and, where the service is root,
 * an ordinary user.
 */
#ifndef WEB_DECODE_CONFINE_H
#define WEB_DECODE_CONFINE_H

#include <stdbool.h>
#include <sys/types.h>

enum { CONFINE_FILE = 3 }; /* the descriptor by which the program has its file */

/* struct confine_order says what is started. The lists end with NULL. */
struct confine_order {
    const char *program;         /* its path */
    char *const *arguments;      /* from its name on */
    char *const *environment;    /* all of it */
    const char *const *readable; /* files and folders, beside those of the system, that it may read; "" is left out */
    int file;                    /* a descriptor, the program's CONFINE_FILE; the caller's own stays open */
    unsigned memory_mib, processor_s;
};

/* struct confined is a program that runs: its standard input and output. */
struct confined {
    pid_t pid;
    int to, from;
};

/* confine_possible tells whether this system can confine what this process starts. */
bool confine_possible(void);

/* confine_start starts it; its standard error leads nowhere. It does not outlive the calling thread. A program that
 * cannot be confined or executed ends at once with 127. False: no process, or no descriptors. */
bool confine_start(const struct confine_order *order, struct confined *confined);

/* confine_end kills it, waits for that, and closes what led to it. */
void confine_end(struct confined *confined);

#endif
