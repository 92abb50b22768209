/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Asking the program for mutants which proofs are stale (stale.h). What a proof binds is computed in one place only,
 * tests/mutants/bindings.py; here its answer is read from a pipe.
 */
#include "tester/commands/spec/stale.h"

#include "tester/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts a program whose standard output goes into a pipe, of which the other end is returned; -1 when it cannot be. */
static int start(char *const arguments[], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int ends[2], failed;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    failed = posix_spawn(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return -1;
    }
    return ends[0];
}

static bool ended_well(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

json_t *stale_reasons(const char *root, const char *requirement)
{
    char *program = memory_format("%s/tests/mutants/run.py", root);
    char *const arguments[] = {program, (char *)"--reasons", (char *)requirement, NULL};
    json_t *reasons = NULL;
    pid_t child;
    int answer = start(arguments, &child);

    if (answer >= 0) {
        reasons = json_loadfd(answer, 0, NULL);
        close(answer);
        if (!ended_well(child) || !json_is_object(reasons)) {
            json_decref(reasons);
            reasons = NULL;
        }
    }
    free(program);
    return reasons;
}
