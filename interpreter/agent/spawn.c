/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * fork and exec. The child tells through a pipe why exec failed; that the pipe closes without a word means that the
 * program runs. A fork is used, and not posix_spawn, because only the first knows process groups, signal dispositions
 * and the reason of a failure everywhere.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000 };

/* All that a manager may put into a job's environment, or take out of it. */
static const char *const env_allowed[] = {"IMPI_AUTH_KEY",   "IMPI_AUTH_NONE",      "IMPI_DATALEN", "IMPI_TAGUB",
                                          "IMPI_COLL_XSIZE", "IMPI_COLL_MAXLINEAR", "IMPI_ACKMARK", "IMPI_HIWATER",
                                          "IMPI_HOST_NAME",  "ASSAY_NAL",           "ASSAY_FAULT",  "ASSAY_TRACE",
                                          "ASSAY_RELIABLE",  "ASSAY_INTERCEPT",     "PORTALS_DEBUG"};

static const char env_set[] = "env.", env_unset[] = "unset.";

/* env_name gives the name behind the prefix, NULL when the pair is another. */
static const char *env_name(const struct pair *pair, const char *prefix)
{
    size_t len = strlen(prefix);

    return strncmp(pair->key, prefix, len) == 0 ? pair->key + len : NULL;
}

static bool env_is_allowed(const char *name)
{
    for (size_t i = 0; i < sizeof env_allowed / sizeof *env_allowed; i++)
        if (strcmp(env_allowed[i], name) == 0)
            return true;
    return false;
}

/* env_is_unset tells whether the command takes this variable away. */
static bool env_is_unset(const struct command *command, const char *name)
{
    for (size_t i = 0; i < command->count; i++) {
        const char *other = env_name(&command->pairs[i], env_unset);
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

void spawn_check_environment(const struct command *command, struct failure *failure)
{
    for (size_t i = 0; i < command->count; i++) {
        const struct pair *pair = &command->pairs[i];
        const char *set = env_name(pair, env_set), *unset = env_name(pair, env_unset);
        if ((set && !env_is_allowed(set)) || (unset && !env_is_allowed(unset)))
            failure_set(failure, "bad-value", "a manager may not set the environment's %.40s", set ? set : unset);
        else if (set && env_is_unset(command, set))
            failure_set(failure, "bad-value", "%.40s is both set and unset", set);
        else if (unset && pair->value[0])
            failure_set(failure, "bad-value", "%.60s has no value", pair->key);
    }
}

/* env_change does in the child what the command says. */
static void env_change(const struct command *command)
{
    for (size_t i = 0; i < command->count; i++) {
        const char *set = env_name(&command->pairs[i], env_set), *unset = env_name(&command->pairs[i], env_unset);
        if (set)
            setenv(set, command->pairs[i].value, 1);
        if (unset)
            unsetenv(unset);
    }
}

/* struct pipes are the three connections to a new process: its output, its errors, and why it could not be executed. */
struct pipes {
    int ends[3][2];
};

static void pipes_close(struct pipes *pipes)
{
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 2; j++) {
            if (pipes->ends[i][j] >= 0)
                close(pipes->ends[i][j]);
            pipes->ends[i][j] = -1;
        }
    }
}

static bool pipes_open(struct pipes *pipes)
{
    bool good = true;

    memset(pipes, 0xff, sizeof *pipes);
    for (size_t i = 0; i < 3 && good; i++) {
        good = pipe(pipes->ends[i]) == 0;
        for (size_t j = 0; j < 2 && good; j++)
            fcntl(pipes->ends[i][j], F_SETFD, FD_CLOEXEC);
    }
    if (!good)
        pipes_close(pipes);
    return good;
}

/* become is the child: it does not return. */
static void become(const struct job_order *order, struct pipes *pipes)
{
    int error, nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    ssize_t written;

    setpgid(0, 0);
    fcntl(nothing, F_SETFD, FD_CLOEXEC);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    env_change(order->command);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(pipes->ends[0][1], STDOUT_FILENO) >= 0 &&
        dup2(pipes->ends[1][1], STDERR_FILENO) >= 0)
        execvp(order->arguments[0], order->arguments);
    error = errno;
    written = write(pipes->ends[2][1], &error, sizeof error);
    (void)written;
    _exit(127);
}

/* exec_error waits until the child has executed the program, and gives 0, or why it could not. */
static int exec_error(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int error = 0, ready;

    do
        ready = poll(&wait, 1, PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return ETIMEDOUT;
    return read(fd, &error, sizeof error) == (ssize_t)sizeof error ? error : 0;
}

pid_t spawn_job(const struct job_order *order, int outputs[2], struct failure *failure)
{
    struct pipes pipes;
    pid_t pid = -1;
    int error;

    if (!pipes_open(&pipes) || (pid = fork()) < 0) {
        failure_set(failure, "no-memory", "cannot make a process: %s", strerror(errno));
        pipes_close(&pipes);
        return -1;
    }
    if (pid == 0)
        become(order, &pipes);
    setpgid(pid, pid); /* both do it: whoever comes first */
    for (size_t i = 0; i < 3; i++) {
        close(pipes.ends[i][1]);
        pipes.ends[i][1] = -1;
    }
    error = exec_error(pipes.ends[2][0]);
    if (error) {
        failure_set(failure, "exec", "cannot execute '%.100s': %s", order->arguments[0], strerror(error));
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        pipes_close(&pipes);
        return -1;
    }
    for (size_t i = 0; i < 2; i++) {
        outputs[i] = pipes.ends[i][0];
        fcntl(outputs[i], F_SETFL, O_NONBLOCK);
        pipes.ends[i][0] = -1;
    }
    pipes_close(&pipes);
    return pid;
}
