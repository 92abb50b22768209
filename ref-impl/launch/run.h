/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A job that runs: what portalsrun and impirun, who both start processes and see them to their end, have in common.
 * Single-threaded: everything is called from the launcher's loop, which waits at signal_fd and at the directory.
 *
 * A job is ended at most once. What ends it decides how the launcher exits; the processes get a signal then, and
 * SIGKILL after a grace.
 */
#ifndef REF_IMPL_LAUNCH_RUN_H
#define REF_IMPL_LAUNCH_RUN_H

#include "ref-impl/launch/children.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct directory;

/* RUN_FAILED is how a launcher exits when a job has failed of which no process says a better status. */
enum { RUN_KEY_OCTETS = 16, RUN_FAILED = 1 };

/* struct run - the launcher sets `program`, the name that begins its lines on stderr, and `refusal`, what a process
 * hears that still waits for the job when that is ended; signal_fd is -1 at first, all else 0. */
struct run {
    const char *program, *refusal;
    uint32_t first_rank; /* what the first process is called on stderr */
    struct directory *directory;
    struct children children;
    char key[2 * RUN_KEY_OCTETS + 1];
    int signal_fd;
    int status;       /* what the launcher will exit with */
    bool ending;      /* the processes have been told to end */
    uint64_t kill_ms; /* when those that have not will be killed; 0: they have been */
    bool *seen;       /* of each process: its end has been looked at */
};

/* run_prepare - takes memory for `count` processes, of which none runs, and has SIGCHLD, SIGINT, SIGTERM and SIGHUP
 * read from signal_fd; the launcher becomes the subreaper of what it starts. *before is the mask until now, with which
 * the processes shall run. False with errno; run_close undoes it either way. */
bool run_prepare(struct run *run, uint32_t count, sigset_t *before);

/* run_need_descriptors - makes sure that the launcher may have so many open files; what it starts inherits that. False
 * with errno, and a line on stderr: the system does not allow it. */
bool run_need_descriptors(const struct run *run, uint32_t count);

/* run_open_directory - draws the key of the job and its group id, and opens its directory on an address. False with
 * errno. */
bool run_open_directory(struct run *run, struct in_addr address);

/* run_start - starts all processes, one after the other; a program that cannot be run ends the job. The directory and
 * the key are added to `place`. */
void run_start(struct run *run, struct children_place *place, char *const argv[]);

/* run_end - tells the processes to end, and with SIGTERM the launcher's own. Only the first call does anything. */
void run_end(struct run *run, int signal, int status);

/* run_judge - names the end of a process and ends the job, when the process was killed or exits with another status
 * than 0. Says whether it was. */
bool run_judge(struct run *run, uint32_t i);

/* run_kill_due - kills what runs, if the grace is over. Says when it will be; 0: nothing is due any more. Of a job that
 * is ending. */
uint64_t run_kill_due(struct run *run, uint64_t now_ms);

/* run_handle_signals - reads what has come: the first signal ends the job, those that follow are handed on. */
void run_handle_signals(struct run *run);

/* run_close - gives back what the job has taken; does not wait for processes. */
void run_close(struct run *run);

#endif
