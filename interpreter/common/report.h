/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the programs say to a person, and the exit statuses that both share.
 */
#ifndef INTERPRETER_COMMON_REPORT_H
#define INTERPRETER_COMMON_REPORT_H

#ifndef ASSAY_VERSION
#define ASSAY_VERSION "0.1.0"
#endif

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAULTED = 1,  /* the run's verdict is not "conforms", in part or not (agent) */
    EXIT_MISUSED = 2,  /* wrong arguments */
    EXIT_REFUSED = 3,  /* the manager could not be reached, refused, broke the protocol or is gone */
    EXIT_CRASHED = 70, /* a fatal signal came */
    EXIT_HUNG = 71,    /* a command passed its deadline */
};

#ifdef __GNUC__
#define REPORT_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define REPORT_PRINTF
#endif

/* report_name sets the program's name, which begins every line; the string must live on. Takes the places of standard
 * streams that are closed, so that no connection gets one of their numbers and these lines with it. Call it first. */
void report_name(const char *program);

/* report_printed gives the status of a program that was asked to print something and has: EXIT_DONE, or, told, another
 * one when it cannot be written. */
int report_printed(void);

/* report_say prints one line on stderr, in one piece. */
void report_say(const char *format, ...) REPORT_PRINTF;

#endif
