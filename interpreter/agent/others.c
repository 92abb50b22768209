/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Forking other agents (others.h). Whoever reaps children may reap these as well: a number is not used any more then.
 */
#include "others.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t others[OTHERS];
static size_t other_count;

int others_start(unsigned count)
{
    for (unsigned number = 1; number <= count && number <= OTHERS; number++) {
        pid_t pid = fork();

        if (pid == 0) {
            other_count = 0; /* they are not its own */
            return (int)number;
        }
        if (pid < 0)
            return -1;
        others[other_count++] = pid;
    }
    return 0;
}

void others_signal(int number)
{
    for (size_t i = 0; i < other_count; i++) {
        if (others[i] && waitpid(others[i], NULL, WNOHANG) != 0)
            others[i] = 0;
        if (others[i])
            kill(others[i], number);
    }
}

void others_wait(void)
{
    for (size_t i = 0; i < other_count; i++)
        while (others[i] && waitpid(others[i], NULL, 0) < 0 && errno == EINTR)
            continue;
    other_count = 0;
}
