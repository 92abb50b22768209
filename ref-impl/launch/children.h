/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The processes that the launcher starts: beginning, signals, end, and that none is left behind.
 */
#ifndef REF_IMPL_LAUNCH_CHILDREN_H
#define REF_IMPL_LAUNCH_CHILDREN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* struct child is one process of the job. */
struct child {
    pid_t pid;
    bool running;
    int status; /* as waitpid gives it, once it no longer runs */
};

/* struct children is all of them, in the order of their ranks. With `own_groups` every process leads a process group,
 * so that what it starts gets its signals too. `others` are processes that the launcher has started besides, for
 * itself: their ends are noted by children_reap, and nothing is done to them unasked but in children_sweep. */
struct children {
    struct child *all;
    uint32_t count;
    bool own_groups;
    struct child *others;
    uint32_t others_count;
};

/* struct children_place tells a new process where it belongs; `nal` may be NULL: the environment's own choice. With
 * `fd_name` the process of each rank inherits the descriptor fds[rank], and the variable of that name has its number.
 */
struct children_place {
    const char *directory; /* HOST:PORT */
    const char *key;
    const char *nal;
    sigset_t signals; /* the mask that it shall run with */
    const char *fd_name;
    const int *fds;
};

/* children_start - starts the process of the next rank, with the arguments `argv`. 0, or the errno of what failed: of
 * execvp where the program cannot be run. */
int children_start(struct children *children, const struct children_place *place, char *const argv[]);

/* children_reap - takes note of those that have ended; says how many still run. Never blocks. */
uint32_t children_reap(struct children *children);

/* children_signal - sends a signal to all processes of the job that still run; children_signal_others, to all others.
 */
void children_signal(const struct children *children, int signal);
void children_signal_others(const struct children *children, int signal);

/* children_sweep - kills whatever the processes have left behind, and returns when all of it is gone. */
void children_sweep(const struct children *children);

#endif
