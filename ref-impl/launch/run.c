/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The common part of the launchers; see run.h. Chapter 3.4: a job is given a group id when it is loaded, its processes
 * rank ids from zero.
 */
#include "ref-impl/launch/run.h"

#include "ref-impl/clock.h"
#include "ref-impl/launch/directory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_MS = 2000, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

bool run_prepare(struct run *run, uint32_t count, sigset_t *before)
{
    sigset_t wanted;

    run->children.all = calloc(count, sizeof *run->children.all);
    run->children.count = run->children.all ? count : 0;
    run->seen = calloc(count, sizeof *run->seen);
    /* At a terminal the processes stay in the group that owns it: they can read it, and Ctrl-C reaches them. */
    run->children.own_groups = !isatty(STDIN_FILENO);
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGHUP);
    sigprocmask(SIG_BLOCK, &wanted, before);
    sigdelset(before, SIGCHLD);
    run->signal_fd = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
    return run->signal_fd >= 0 && run->children.all && run->seen && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

bool run_need_descriptors(const struct run *run, uint32_t count)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) {
        return true;
    }
    if (limit.rlim_max < count) {
        fprintf(stderr, "%s: this job needs %u open files, and %llu are allowed: raise the limit (ulimit -Hn)\n",
                run->program, (unsigned)count, (unsigned long long)limit.rlim_max);
        errno = EMFILE;
        return false;
    }
    limit.rlim_cur = count;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

bool run_open_directory(struct run *run, struct in_addr address)
{
    unsigned char octets[RUN_KEY_OCTETS + 4];
    uint32_t gid;

    if (getrandom(octets, sizeof octets, 0) != (ssize_t)sizeof octets) {
        return false;
    }
    for (size_t i = 0; i < RUN_KEY_OCTETS; i++) {
        snprintf(run->key + 2 * i, 3, "%02x", octets[i]);
    }
    memcpy(&gid, octets + RUN_KEY_OCTETS, sizeof gid);
    gid = (gid & 0x7fffffff) | 1; /* never 0, which is no group, nor all ones, which is the wildcard */
    run->directory = directory_open(address, run->key, gid, run->children.count);
    return run->directory != NULL;
}

void run_start(struct run *run, struct children_place *place, char *const argv[])
{
    place->key = run->key;
    for (uint32_t i = 0; i < run->children.count && !run->ending; i++) {
        int error = children_start(&run->children, place, argv);

        if (error != 0) {
            fprintf(stderr, "%s: cannot run %s: %s\n", run->program, argv[0], strerror(error));
            for (uint32_t rest = i; rest < run->children.count; rest++) {
                run->seen[rest] = true;
            }
            run_end(run, SIGKILL, error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
        }
    }
}

void run_end(struct run *run, int signal, int status)
{
    if (run->ending) {
        return;
    }
    run->ending = true;
    run->status = status;
    run->kill_ms = clock_now_ms() + GRACE_MS;
    directory_refuse(run->directory, run->refusal);
    children_signal(&run->children, signal);
    children_signal_others(&run->children, SIGTERM);
}

bool run_judge(struct run *run, uint32_t i)
{
    const struct child *child = &run->children.all[i];
    unsigned rank = (unsigned)(run->first_rank + i);

    if (WIFSIGNALED(child->status)) {
        int signal = WTERMSIG(child->status);

        if (!run->ending || (signal != SIGTERM && signal != SIGKILL && signal != SIGINT)) {
            fprintf(stderr, "%s: rank %u (process %d) was killed by signal %d (%s)\n", run->program, rank,
                    (int)child->pid, signal, strsignal(signal));
        }
        run_end(run, SIGTERM, 128 + signal);
        return true;
    }
    if (WEXITSTATUS(child->status) == 0) {
        return false;
    }
    if (!run->ending) {
        fprintf(stderr, "%s: rank %u (process %d) exited with status %d\n", run->program, rank, (int)child->pid,
                WEXITSTATUS(child->status));
    }
    run_end(run, SIGTERM, WEXITSTATUS(child->status)); //= IMPI-080
    return true;
}

uint64_t run_kill_due(struct run *run, uint64_t now_ms)
{
    if (run->kill_ms != 0 && now_ms >= run->kill_ms) {
        children_signal(&run->children, SIGKILL);
        children_signal_others(&run->children, SIGKILL);
        run->kill_ms = 0;
    }
    return run->kill_ms;
}

void run_handle_signals(struct run *run)
{
    struct signalfd_siginfo info;

    while (read(run->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            continue;
        }
        int signal = (int)info.ssi_signo;
        if (run->ending) {
            children_signal(&run->children, signal);
        } else {
            fprintf(stderr, "%s: ending the job on signal %d (%s)\n", run->program, signal, strsignal(signal));
        }
        run_end(run, signal, 128 + signal);
    }
}

void run_close(struct run *run)
{
    if (run->directory) {
        directory_close(run->directory);
    }
    if (run->signal_fd >= 0) {
        close(run->signal_fd);
    }
    free(run->children.all);
    free(run->seen);
}
