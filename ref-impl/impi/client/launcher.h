/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The user's launcher, as a process.
 */
#ifndef REF_IMPL_IMPI_CLIENT_LAUNCHER_H
#define REF_IMPL_IMPI_CLIENT_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* struct launcher is a launcher that runs, or has run. All zeros but for `fd`, which is -1, is none. */
struct launcher {
    pid_t pid;
    int fd; /* a pidfd: readable when it has ended */
    bool running;
    int status; /* how it ended, as an exit status: 128 and the signal that ended it */
};

/* launcher_start - runs the command, whose words have blanks between them and where {np} stands for the number of
 * processes, with the words `more` behind (ended by NULL). It ends with this process. False, with a line on stderr, and
 * what impirun shall exit with in launcher->status: it could not be run. */
bool launcher_start(struct launcher *launcher, const char *command, uint32_t processes, char *const more[]);

/* launcher_reap - takes note of its end, if it has ended.
 * launcher_end - ends it, by SIGTERM and after a grace by SIGKILL, and waits for that. */
void launcher_reap(struct launcher *launcher);
void launcher_end(struct launcher *launcher);

#endif
