/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portalsrun: starts a Portals job on this machine and sees it to its end. It runs the job directory (directory.h),
 * starts the processes (children.h), forwards signals, and watches. Chapter 3.4: a job is given a group id when it is
 * loaded, its processes rank ids from zero.
 *
 * Nobody waits for ever. When a process fails, the others are ended: SIGTERM, and SIGKILL after a grace. Failing is:
 * being killed by a signal; exiting with a status other than 0; exiting without having left the job in order; exiting
 * without having joined while others did; not joining in time.
 */
#include "ref-impl/launch/children.h"
#include "ref-impl/launch/directory.h"
#include "ref-impl/launch/options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 2000, KEY_OCTETS = 16, EXIT_JOB = 1, EXIT_USAGE = 2, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

struct launch {
    struct options options;
    struct directory *directory;
    struct children children;
    char key[2 * KEY_OCTETS + 1];
    int signal_fd;
    int status;          /* what the launcher will exit with */
    bool ending;         /* the processes have been told to end */
    uint64_t kill_ms;    /* when those that have not will be killed; 0: they have been */
    uint64_t joining_ms; /* when the first process joined; 0: none has */
    bool *seen;          /* of each rank: its end has been looked at */
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Tells the processes to end; the first call decides how the launcher exits. */
static void job_end(struct launch *l, int signal, int status)
{
    if (l->ending) {
        return;
    }
    l->ending = true;
    l->status = status;
    l->kill_ms = now_ms() + GRACE_MS;
    directory_refuse(l->directory, "the launcher ends the job");
    children_signal(&l->children, signal);
}

/* Judges the end of one process: names it and ends the job if it has failed. */
static void rank_judge(struct launch *l, uint32_t rank)
{
    const struct child *child = &l->children.all[rank];
    enum directory_state state = directory_state(l->directory, rank);
    int pid = (int)child->pid;

    if (WIFSIGNALED(child->status)) {
        int signal = WTERMSIG(child->status);
        if (!l->ending || (signal != SIGTERM && signal != SIGKILL && signal != SIGINT)) {
            fprintf(stderr, "portalsrun: rank %u (process %d) was killed by signal %d (%s)\n", (unsigned)rank, pid,
                    signal, strsignal(signal));
        }
        job_end(l, SIGTERM, 128 + signal);
        return;
    }
    int status = WEXITSTATUS(child->status);
    if (status != 0) {
        if (!l->ending) {
            fprintf(stderr, "portalsrun: rank %u (process %d) exited with status %d\n", (unsigned)rank, pid, status);
        }
        job_end(l, SIGTERM, status);
    } else if (state == DIRECTORY_JOINED || state == DIRECTORY_LOST) {
        if (!l->ending) {
            fprintf(stderr, "portalsrun: rank %u (process %d) exited without leaving the job (no PtlFini)\n",
                    (unsigned)rank, pid);
        }
        job_end(l, SIGTERM, EXIT_JOB);
    }
}

/* A process that ended well without joining has failed as soon as another one has joined, for that one waits for it. */
static void absent_judge(struct launch *l)
{
    if (l->ending || directory_joined(l->directory) == 0) {
        return;
    }
    for (uint32_t rank = 0; rank < l->children.count; rank++) {
        const struct child *child = &l->children.all[rank];

        if (!child->running && directory_state(l->directory, rank) == DIRECTORY_AWAITED) {
            fprintf(stderr, "portalsrun: rank %u (process %d) exited without joining the job that others joined\n",
                    (unsigned)rank, (int)child->pid);
            job_end(l, SIGTERM, EXIT_JOB);
            return;
        }
    }
}

/* Looks at the processes that have ended since the last call; says how many run. */
static uint32_t ends_judge(struct launch *l)
{
    uint32_t running = children_reap(&l->children);

    directory_handle(l->directory); /* a LEAVE said just before the end counts */
    for (uint32_t rank = 0; rank < l->children.count; rank++) {
        if (!l->children.all[rank].running && !l->seen[rank]) {
            l->seen[rank] = true;
            rank_judge(l, rank);
        }
    }
    absent_judge(l);
    return running;
}

static void missing_name(const struct launch *l)
{
    uint32_t named = 0;

    fputs("portalsrun: still missing from the job:", stderr);
    for (uint32_t rank = 0; rank < l->children.count; rank++) {
        if (directory_state(l->directory, rank) != DIRECTORY_AWAITED) {
            continue;
        }
        if (++named <= 8) {
            fprintf(stderr, "%s rank %u (process %d)", named > 1 ? "," : "", (unsigned)rank,
                    (int)l->children.all[rank].pid);
        }
    }
    fprintf(stderr, "%s; %u s after the first had joined: ending the job\n", named > 8 ? " and others" : "",
            (unsigned)l->options.join_seconds);
}

static bool job_is_joining(const struct launch *l)
{
    return !l->ending && l->joining_ms != 0 && directory_joined(l->directory) < l->children.count;
}

/* Does what has become due; says how long to wait for the next thing, -1: nothing is to come by itself. */
static int deadlines_handle(struct launch *l)
{
    uint64_t now = now_ms();
    uint64_t due = 0;

    if (l->joining_ms == 0 && directory_joined(l->directory) > 0) {
        l->joining_ms = now;
    }
    if (job_is_joining(l)) {
        due = l->joining_ms + (uint64_t)l->options.join_seconds * 1000;
        if (now >= due) {
            missing_name(l);
            job_end(l, SIGTERM, EXIT_JOB);
        }
    }
    if (l->ending) {
        due = l->kill_ms;
        if (due != 0 && now >= due) {
            children_signal(&l->children, SIGKILL);
            l->kill_ms = due = 0;
        }
    }
    return due == 0 ? -1 : due > now ? (int)(due - now) : 0;
}

static void signals_handle(struct launch *l)
{
    struct signalfd_siginfo info;

    while (read(l->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            continue;
        }
        int signal = (int)info.ssi_signo;
        if (l->ending) {
            children_signal(&l->children, signal);
        } else {
            fprintf(stderr, "portalsrun: ending the job on signal %d (%s)\n", signal, strsignal(signal));
        }
        job_end(l, signal, 128 + signal);
    }
}

static void job_watch(struct launch *l)
{
    struct pollfd fds[2] = {{l->signal_fd, POLLIN, 0}, {directory_fd(l->directory), POLLIN, 0}};

    while (ends_judge(l) > 0) {
        (void)poll(fds, 2, deadlines_handle(l));
        signals_handle(l);
        directory_handle(l->directory);
    }
}

/* Signals are read from a descriptor. Says in *before which were blocked until now. */
static bool signals_prepare(struct launch *l, sigset_t *before)
{
    sigset_t wanted;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGHUP);
    sigprocmask(SIG_BLOCK, &wanted, before);
    sigdelset(before, SIGCHLD);
    l->signal_fd = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
    return l->signal_fd >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Draws the key of the job and its group id. */
static bool identity_draw(struct launch *l, uint32_t *gid)
{
    unsigned char octets[KEY_OCTETS + 4];

    if (getrandom(octets, sizeof octets, 0) != (ssize_t)sizeof octets) {
        return false;
    }
    for (size_t i = 0; i < KEY_OCTETS; i++) {
        snprintf(l->key + 2 * i, 3, "%02x", octets[i]);
    }
    memcpy(gid, octets + KEY_OCTETS, sizeof *gid);
    *gid = (*gid & 0x7fffffff) | 1; /* never 0, which is no group, nor all ones, which is the wildcard */
    return true;
}

/* Starts the processes one after the other; a program that cannot be run ends it all. */
static void job_start(struct launch *l, const sigset_t *signals)
{
    char address[INET_ADDRSTRLEN];
    char place_text[INET_ADDRSTRLEN + 8];
    struct children_place place = {.directory = place_text, .key = l->key, .nal = l->options.nal, .signals = *signals};

    inet_ntop(AF_INET, &l->options.listen, address, sizeof address);
    snprintf(place_text, sizeof place_text, "%s:%u", address, (unsigned)directory_port(l->directory));
    for (uint32_t rank = 0; rank < l->options.count && !l->ending; rank++) {
        int error = children_start(&l->children, &place, l->options.command);

        if (error != 0) {
            fprintf(stderr, "portalsrun: cannot run %s: %s\n", l->options.command[0], strerror(error));
            for (uint32_t rest = rank; rest < l->options.count; rest++) {
                l->seen[rest] = true;
            }
            job_end(l, SIGKILL, error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
        }
    }
}

static int launch_run(struct launch *l)
{
    sigset_t signals;
    uint32_t gid = 0;

    if (!signals_prepare(l, &signals) || !identity_draw(l, &gid)) {
        fprintf(stderr, "portalsrun: cannot start: %s\n", strerror(errno));
        return EXIT_JOB;
    }
    l->children.count = l->options.count;
    l->children.all = calloc(l->options.count, sizeof *l->children.all);
    l->seen = calloc(l->options.count, sizeof *l->seen);
    /* At a terminal the processes stay in the group that owns it: they can read it, and Ctrl-C reaches them. */
    l->children.own_groups = !isatty(STDIN_FILENO);
    l->directory = directory_open(l->options.listen, l->key, gid, l->options.count);
    if (!l->directory || !l->children.all || !l->seen) {
        char address[INET_ADDRSTRLEN];
        inet_ntop(AF_INET, &l->options.listen, address, sizeof address);
        fprintf(stderr, "portalsrun: cannot run the job directory on %s: %s\n", address, strerror(errno));
        l->status = EXIT_JOB;
    } else {
        job_start(l, &signals);
        job_watch(l);
        children_sweep(&l->children);
    }
    if (l->directory) {
        directory_close(l->directory);
    }
    free(l->children.all);
    free(l->seen);
    close(l->signal_fd);
    return l->status;
}

int main(int argc, char **argv)
{
    struct launch launch = {.signal_fd = -1};

    switch (options_read(argc, argv, &launch.options)) {
    case OPTIONS_RUN:
        return launch_run(&launch);
    case OPTIONS_SHOWN:
        return 0;
    case OPTIONS_WRONG:
        break;
    }
    return EXIT_USAGE;
}
