/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starting and ending the processes of a job; see children.h. The launcher is their subreaper (run.c), so
 * whatever they leave behind becomes its child, and is found in the list of children that the kernel keeps.
 */
#include "ref-impl/launch/children.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A failure in the child before its program runs: tells the launcher why, and ends. */
static _Noreturn void child_fail(int report_fd, int error)
{
    (void)!write(report_fd, &error, sizeof error);
    _exit(127);
}

static bool child_environment(const struct children_place *place, uint32_t rank, uint32_t size)
{
    char number[16];

    snprintf(number, sizeof number, "%u", (unsigned)rank);
    bool good = setenv("ASSAY_RANK", number, 1) == 0;
    snprintf(number, sizeof number, "%u", (unsigned)size);
    good = good && setenv("ASSAY_SIZE", number, 1) == 0 && setenv("ASSAY_JOB", place->directory, 1) == 0 &&
           setenv("ASSAY_JOB_KEY", place->key, 1) == 0;
    return good && (!place->nal || setenv("ASSAY_NAL", place->nal, 1) == 0);
}

/* A descriptor of its own for each rank; the others, which are closed on exec, do not reach it. */
static bool child_descriptor(const struct children_place *place, uint32_t rank)
{
    char number[16];

    if (!place->fd_name) {
        return true;
    }
    snprintf(number, sizeof number, "%d", place->fds[rank]);
    return fcntl(place->fds[rank], F_SETFD, 0) == 0 && setenv(place->fd_name, number, 1) == 0;
}

/* Only rank 0 gets the launcher's input. */
static bool child_input(uint32_t rank)
{
    if (rank == 0) {
        return true;
    }
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO;
}

static _Noreturn void child_run(const struct children *children, const struct children_place *place, uint32_t rank,
                                pid_t launcher, int report_fd, char *const argv[])
{
    if (children->own_groups) {
        (void)setpgid(0, 0);
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != launcher) {
        _exit(127); /* the launcher is gone already: nobody to report to */
    }
    if (!child_environment(place, rank, children->count) || !child_descriptor(place, rank) || !child_input(rank)) {
        child_fail(report_fd, errno);
    }
    sigprocmask(SIG_SETMASK, &place->signals, NULL);
    execvp(argv[0], argv);
    child_fail(report_fd, errno);
}

/* Which rank is the next one to start. */
static uint32_t children_next(const struct children *children)
{
    uint32_t rank = 0;

    while (rank < children->count && children->all[rank].pid != 0) {
        rank++;
    }
    return rank;
}

int children_start(struct children *children, const struct children_place *place, char *const argv[])
{
    uint32_t rank = children_next(children);
    pid_t launcher = getpid();
    int report[2];
    int error = 0;

    if (pipe2(report, O_CLOEXEC) != 0) {
        return errno;
    }
    pid_t pid = fork();
    if (pid < 0) {
        error = errno;
        close(report[0]);
        close(report[1]);
        return error;
    }
    if (pid == 0) {
        child_run(children, place, rank, launcher, report[1], argv);
    }
    if (children->own_groups) {
        (void)setpgid(pid, pid); /* both do it, so that it is done whoever comes first */
    }
    close(report[1]);
    ssize_t got;
    do {
        got = read(report[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    close(report[0]);
    if (got == (ssize_t)sizeof error) {
        (void)waitpid(pid, NULL, 0);
        return error;
    }
    children->all[rank] = (struct child){pid, true, 0};
    return 0;
}

/* Notes the end of a process, if it is one of these. */
static void child_note(struct child *all, uint32_t count, pid_t pid, int status)
{
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].pid == pid && all[i].running) {
            all[i].running = false;
            all[i].status = status;
        }
    }
}

uint32_t children_reap(struct children *children)
{
    int status = 0;
    uint32_t running = 0;

    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        child_note(children->all, children->count, pid, status);
        child_note(children->others, children->others_count, pid, status);
    }
    for (uint32_t rank = 0; rank < children->count; rank++) {
        running += children->all[rank].running;
    }
    return running;
}

void children_signal(const struct children *children, int signal)
{
    for (uint32_t rank = 0; rank < children->count; rank++) {
        const struct child *child = &children->all[rank];

        if (child->running) {
            (void)kill(children->own_groups ? -child->pid : child->pid, signal);
        }
    }
}

void children_signal_others(const struct children *children, int signal)
{
    for (uint32_t i = 0; i < children->others_count; i++) {
        if (children->others[i].running) {
            (void)kill(children->others[i].pid, signal);
        }
    }
}

/* Kills the children that the kernel lists; says whether there were any. */
static bool orphans_kill(void)
{
    char path[64];
    char *line = NULL;
    size_t cap = 0;
    bool any = false;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *list = fopen(path, "re");
    if (!list) {
        return false;
    }
    while (getdelim(&line, &cap, ' ', list) > 0) {
        long pid = strtol(line, NULL, 10);

        if (pid > 0) {
            any = true;
            (void)kill((pid_t)pid, SIGKILL);
        }
    }
    free(line);
    fclose(list);
    return any;
}

void children_sweep(const struct children *children)
{
    for (uint32_t rank = 0; children->own_groups && rank < children->count; rank++) {
        if (children->all[rank].pid > 0) {
            (void)kill(-children->all[rank].pid, SIGKILL);
        }
    }
    /* Each one that ends may leave its own children to us. */
    while (orphans_kill()) {
        while (waitpid(-1, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}
