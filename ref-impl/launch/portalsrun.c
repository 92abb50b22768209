/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portalsrun: starts a Portals job on this machine and sees it to its end. It runs the job directory (directory.h),
 * starts the processes, forwards signals (run.h), and watches. Chapter 3.4: a job is given a group id when it is
 * loaded, its processes rank ids from zero.
 *
 * Nobody waits for ever. When a process fails, the others are ended: SIGTERM, and SIGKILL after a grace. Failing is:
 * being killed by a signal; exiting with a status other than 0; exiting without having left the job in order; exiting
 * without having joined while others did; not joining in time.
 */
#include "ref-impl/clock.h"
#include "ref-impl/launch/directory.h"
#include "ref-impl/launch/hosted.h"
#include "ref-impl/launch/options.h"
#include "ref-impl/launch/output.h"
#include "ref-impl/launch/run.h"
#include "ref-impl/launch/trace.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, SPARE_FDS = 32 };

struct launch {
    struct run run;
    struct options options;
    struct job_trace trace;
    uint64_t joining_ms; /* when the first process joined; 0: none has */
};

/* Judges the end of one process: names it and ends the job if it has failed. */
static void rank_judge(struct launch *l, uint32_t rank)
{
    enum directory_state state = directory_state(l->run.directory, rank);

    if (!run_judge(&l->run, rank) && (state == DIRECTORY_JOINED || state == DIRECTORY_LOST)) {
        if (!l->run.ending) {
            fprintf(stderr, "portalsrun: rank %u (process %d) exited without leaving the job (no PtlFini)\n",
                    (unsigned)rank, (int)l->run.children.all[rank].pid);
        }
        run_end(&l->run, SIGTERM, RUN_FAILED);
    }
}

/* A process that ended well without joining has failed as soon as another one has joined, for that one waits for it. */
static void absent_judge(struct launch *l)
{
    if (l->run.ending || directory_joined(l->run.directory) == 0) {
        return;
    }
    for (uint32_t rank = 0; rank < l->run.children.count; rank++) {
        const struct child *child = &l->run.children.all[rank];

        if (!child->running && directory_state(l->run.directory, rank) == DIRECTORY_AWAITED) {
            fprintf(stderr, "portalsrun: rank %u (process %d) exited without joining the job that others joined\n",
                    (unsigned)rank, (int)child->pid);
            run_end(&l->run, SIGTERM, RUN_FAILED);
            return;
        }
    }
}

/* Looks at the processes that have ended since the last call; says how many run. */
static uint32_t ends_judge(struct launch *l)
{
    uint32_t running = children_reap(&l->run.children);

    directory_handle(l->run.directory); /* a LEAVE said just before the end counts */
    for (uint32_t rank = 0; rank < l->run.children.count; rank++) {
        if (!l->run.children.all[rank].running && !l->run.seen[rank]) {
            l->run.seen[rank] = true;
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
    for (uint32_t rank = 0; rank < l->run.children.count; rank++) {
        if (directory_state(l->run.directory, rank) != DIRECTORY_AWAITED) {
            continue;
        }
        if (++named <= 8) {
            fprintf(stderr, "%s rank %u (process %d)", named > 1 ? "," : "", (unsigned)rank,
                    (int)l->run.children.all[rank].pid);
        }
    }
    fprintf(stderr, "%s; %u s after the first had joined: ending the job\n", named > 8 ? " and others" : "",
            (unsigned)l->options.join_seconds);
}

static bool job_is_joining(const struct launch *l)
{
    return !l->run.ending && l->joining_ms != 0 && directory_joined(l->run.directory) < l->run.children.count;
}

/* Does what has become due; says how long to wait for the next thing, -1: nothing is to come by itself. */
static int deadlines_handle(struct launch *l)
{
    uint64_t now = clock_now_ms();
    uint64_t due = 0;

    if (l->joining_ms == 0 && directory_joined(l->run.directory) > 0) {
        l->joining_ms = now;
    }
    if (job_is_joining(l)) {
        due = l->joining_ms + (uint64_t)l->options.join_seconds * 1000;
        if (now >= due) {
            missing_name(l);
            run_end(&l->run, SIGTERM, RUN_FAILED);
        }
    }
    if (l->run.ending) {
        due = run_kill_due(&l->run, now);
    }
    return due == 0 ? -1 : due > now ? (int)(due - now) : 0;
}

static void job_watch(struct launch *l)
{
    struct pollfd fds[2] = {{l->run.signal_fd, POLLIN, 0}, {directory_fd(l->run.directory), POLLIN, 0}};

    while (ends_judge(l) > 0) {
        (void)poll(fds, 2, deadlines_handle(l));
        run_handle_signals(&l->run);
        directory_handle(l->run.directory);
    }
}

/* Starts the processes: each is told where the directory is. */
static void job_start(struct launch *l, const sigset_t *signals)
{
    char address[INET_ADDRSTRLEN];
    char place_text[INET_ADDRSTRLEN + 8];
    struct children_place place = {.directory = place_text, .nal = l->options.nal, .signals = *signals};

    inet_ntop(AF_INET, &l->options.listen, address, sizeof address);
    snprintf(place_text, sizeof place_text, "%s:%u", address, (unsigned)directory_port(l->run.directory));
    run_start(&l->run, &place, l->options.command);
}

static int launch_run(struct launch *l)
{
    const struct network *hosted = NULL;
    sigset_t signals;

    if (!run_need_descriptors(&l->run, l->options.count + DIRECTORY_UNIDENTIFIED_MAX + SPARE_FDS) ||
        !run_prepare(&l->run, l->options.count, &signals)) {
        fprintf(stderr, "portalsrun: cannot start: %s\n", strerror(errno));
        l->run.status = RUN_FAILED;
    } else if (!run_open_directory(&l->run, l->options.listen)) {
        char address[INET_ADDRSTRLEN];
        inet_ntop(AF_INET, &l->options.listen, address, sizeof address);
        fprintf(stderr, "portalsrun: cannot run the job directory on %s: %s\n", address, strerror(errno));
        l->run.status = RUN_FAILED;
    } else if ((l->options.trace && !job_trace_begin(&l->trace, l->options.trace)) ||
               !hosted_begin(l->options.nal, l->options.count, &hosted)) {
        l->run.status = RUN_FAILED;
    } else {
        job_start(l, &signals);
        job_watch(l);
        children_sweep(&l->run.children);
    }
    hosted_end(hosted);
    run_close(&l->run);
    if (!job_trace_end(&l->trace) && l->run.status == 0) {
        l->run.status = RUN_FAILED;
    }
    return l->run.status;
}

int main(int argc, char **argv)
{
    struct launch launch = {.run = {.program = "portalsrun", .refusal = "the launcher ends the job", .signal_fd = -1}};

    output_begin();
    switch (options_read(argc, argv, &launch.options)) {
    case OPTIONS_RUN:
        return launch_run(&launch);
    case OPTIONS_SHOWN:
        return output_flushed("portalsrun") ? 0 : EXIT_USAGE;
    case OPTIONS_WRONG:
        break;
    }
    return EXIT_USAGE;
}
