/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starts the launch agent for `assay certify`. The run's token goes by the environment: command lines are public.
 */
#include "tester/commands/certify/certify.h"

#include "tester/base/place.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS = 9, GRACE_TENTHS = 50 };

static char **make_arguments(const struct certify_options *options, char *program)
{
    size_t count = 0, at = 0;
    char **arguments;

    while (options->template[count]) {
        count++;
    }
    arguments = calloc(count + ARGUMENTS + 1, sizeof *arguments);
    if (arguments) {
        arguments[at++] = program;
        arguments[at++] = (char *)"--url";
        arguments[at++] = (char *)(options->agent_url ? options->agent_url : options->url);
        arguments[at++] = (char *)"--quiet";
        if (options->server) {
            arguments[at++] = (char *)"--server";
            arguments[at++] = (char *)options->server;
        }
        if (options->jobs) {
            arguments[at++] = (char *)"--jobs";
            arguments[at++] = (char *)options->jobs;
        }
        arguments[at++] = (char *)"--";
        memcpy(arguments + at, options->template, count * sizeof *arguments);
    }
    return arguments;
}

pid_t certify_agent_start(const struct certify_options *options, const char *run_token)
{
    char program[4096];
    char **arguments;
    pid_t child;

    (void)place_find_program("sut-agent", "ASSAY_AGENT", program, sizeof program); /* else the execution fails */
    arguments = make_arguments(options, program);
    fflush(NULL);
    child = arguments ? fork() : -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody would follow the run any more */
        setenv("ASSAY_TOKEN", run_token, 1);
        execvp(program, arguments);
        fprintf(stderr, "assay certify: cannot execute %s: %s (ASSAY_AGENT names another one)\n", program,
                strerror(errno));
        _exit(127);
    }
    if (child < 0) {
        fprintf(stderr, "assay certify: cannot start sut-agent: %s\n", strerror(errno));
        child = 0;
    }
    free(arguments);
    return child;
}

/* After its run the agent ends by itself; one that does not is told to, then made to. */
void certify_agent_stop(struct certify_watch *watch)
{
    const struct timespec tenth = {.tv_nsec = 100000000};

    for (unsigned i = 0; watch->agent && i < 2 * GRACE_TENTHS; i++) {
        if (i == GRACE_TENTHS || (i == 0 && !watch->finished)) {
            kill(watch->agent, SIGTERM);
        }
        if (waitpid(watch->agent, &watch->agent_status, WNOHANG) != 0) {
            watch->agent = 0;
            return;
        }
        nanosleep(&tenth, NULL);
    }
    if (watch->agent) {
        kill(watch->agent, SIGKILL);
        waitpid(watch->agent, &watch->agent_status, 0);
        watch->agent = 0;
    }
}
