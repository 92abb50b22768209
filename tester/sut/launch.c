/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The launch agent as a child (launch.h).
 */
#include "tester/sut/launch.h"

#include "tester/base/memory.h"
#include "tester/base/place.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_ROOM = 4096, STOP_MS = 5000, ASK_MS = 20 };

/* The environment with ASSAY_TOKEN set; only the array and the last text are new. */
static char **token_environment(const char *token)
{
    size_t count = 0, kept = 0;

    while (environ[count]) {
        count++;
    }
    char **list = memory_zero((count + 2) * sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "ASSAY_TOKEN=", 12) != 0) {
            list[kept++] = environ[i];
        }
    }
    list[kept] = memory_format("ASSAY_TOKEN=%s", token);
    return list;
}

static void free_environment(char **list)
{
    size_t last = 0;

    while (list[last + 1]) {
        last++;
    }
    free(list[last]);
    free(list);
}

/* The agent's argument vector; free_arguments frees it. */
static char **agent_arguments(const char *path, const struct launch_order *order)
{
    char jobs[16];
    const char *const head[] = {path,         "--manager", order->address, "--quiet",        "--jobs", jobs,
                                "--patience", "0",         "--server",     order->own_server};
    size_t count = 0, head_count = order->own_server ? 10 : 8;

    snprintf(jobs, sizeof jobs, "%u", order->jobs ? order->jobs : 1);

    while (order->template[count]) {
        count++;
    }
    char **list = memory_zero((head_count + count + 2) * sizeof(char *));
    for (size_t i = 0; i < head_count; i++) {
        list[i] = memory_text(head[i]);
    }
    list[head_count] = memory_text("--");
    for (size_t i = 0; i < count; i++) {
        list[head_count + 1 + i] = memory_text(order->template[i]);
    }
    return list;
}

static void free_arguments(char **list)
{
    for (char **at = list; *at; at++) {
        free(*at);
    }
    free(list);
}

bool launch_agent(struct launch *launch, const struct launch_order *order, char *message, size_t message_octets)
{
    char path[PATH_ROOM];
    posix_spawnattr_t attributes;
    sigset_t none, usual;

    if (!place_find_program("sut-agent", "ASSAY_AGENT", path, sizeof path)) {
        snprintf(message, message_octets,
                 "the launch agent %s cannot be executed: %s; build it, or name it in ASSAY_AGENT", path,
                 strerror(errno ? errno : ENOENT));
        return false;
    }
    char **arguments = agent_arguments(path, order);
    char **environment = token_environment(order->token);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none); /* ours are blocked for the signal descriptor */
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE); /* a service ignores it; what the agent starts must not */
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(&launch->pid, path, NULL, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    free_environment(environment);
    free_arguments(arguments);
    if (error) {
        launch->pid = 0;
        snprintf(message, message_octets, "the launch agent %s cannot be executed: %s", path, strerror(error));
        return false;
    }
    launch->fd = (int)syscall(SYS_pidfd_open, launch->pid, 0);
    return true;
}

void launch_watch(struct launch *launch, struct loop *loop, loop_ready *ended, void *context)
{
    if (launch->fd >= 0) {
        launch->watch = loop_add(loop, launch->fd, POLLIN, ended, context);
    }
}

void launch_reap(struct launch *launch, struct loop *loop)
{
    if (launch->watch) {
        loop_remove(loop, launch->watch);
        launch->watch = NULL;
    }
    if (launch->pid > 0) {
        waitpid(launch->pid, NULL, 0);
        launch->pid = 0;
        if (launch->fd >= 0) {
            close(launch->fd);
        }
        launch->fd = -1;
    }
}

/* Whether the child has ended, or ends within that time. Where the system has no descriptor for it, it is asked again
 * and again. */
static bool ended_within(const struct launch *launch, int ms)
{
    struct pollfd ended = {.fd = launch->fd, .events = POLLIN};
    siginfo_t facts = {0};

    if (launch->fd >= 0) {
        return poll(&ended, 1, ms) > 0;
    }
    for (int left = ms; facts.si_pid == 0 && left >= 0; left -= ASK_MS) {
        (void)waitid(P_PID, (id_t)launch->pid, &facts, WEXITED | WNOHANG | WNOWAIT);
        (void)poll(NULL, 0, facts.si_pid ? 0 : ASK_MS);
    }
    return facts.si_pid != 0;
}

void launch_stop(struct launch *launch, struct loop *loop, bool patient)
{
    if (launch->pid <= 0) {
        return;
    }
    if (!ended_within(launch, patient ? STOP_MS : 0)) {
        kill(launch->pid, SIGTERM);
        if (!ended_within(launch, STOP_MS)) {
            kill(launch->pid, SIGKILL);
        }
    }
    launch_reap(launch, loop);
}
