/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ends of a job that are not those of a program: leaving HOW STATUS. "alone": the last node leaves with that status
 * while the others wait for what never comes. "exited": so it does by exit(), a child of its by another status before.
 * "returned": all nodes return the status from main. "polled": as "alone" while a thread of every node polls. "stuck":
 * as "alone" where Portals cannot be closed; linked with -Wl,--wrap=PtlFini. "beyond": node 0 puts an octet more than
 * there is room in the last node's segment. "unequal": it puts eight octets into nine.
 */
#define GASNET_PAR 1
#include <gasnet_vis.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/gasnet/programs/must.h"

enum { SEGMENT = 1 << 20 };

static unsigned char data[9];

static bool is_stuck;

void __real_PtlFini(void) __attribute__((weak));
void __wrap_PtlFini(void);
void __wrap_PtlFini(void)
{
    while (is_stuck) {
        (void)pause();
    }
    __real_PtlFini();
}

/* A thread of its own that polls for ever. */
static void *poll_on(void *unused)
{
    while (!unused) {
        MUST(gasnet_AMPoll());
    }
    return NULL;
}

/* exit, where a child has ended before, which the job must not notice. */
static void leave_by_exit(int status)
{
    pid_t child = fork();
    int ended;

    HOLDS(child >= 0);
    if (child == 0) {
        exit(9);
    }
    HOLDS(waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 9);
    barrier_all();
    exit(status);
}

int main(int argc, char **argv)
{
    const int status = argc > 2 ? atoi(argv[2]) : 0;
    const char *how = argc > 1 ? argv[1] : "";
    gasnet_seginfo_t *segment;
    gasnet_node_t last;
    pthread_t thread;

    is_stuck = !strcmp(how, "stuck");
    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(NULL, 0, SEGMENT, 0));
    segment = segments();
    last = gasnet_nodes() - 1;
    if (!strcmp(how, "polled")) {
        HOLDS(pthread_create(&thread, NULL, poll_on, NULL) == 0);
    }
    barrier_all();
    if (!strcmp(how, "beyond") && gasnet_mynode() == 0) {
        gasnet_put(last, (char *)segment[last].addr + SEGMENT - 8, data, 8);
        gasnet_put(last, (char *)segment[last].addr + SEGMENT - 8, data, 9);
    }
    if ((is_stuck || !strcmp(how, "alone") || !strcmp(how, "polled")) && gasnet_mynode() == last) {
        gasnet_exit(status);
    }
    if (!strcmp(how, "returned")) {
        return status;
    }
    if (!strcmp(how, "exited")) {
        if (gasnet_mynode() == last) {
            leave_by_exit(status);
        }
        barrier_all();
    }
    if (!strcmp(how, "unequal") && gasnet_mynode() == 0) {
        const gasnet_memvec_t to = {segment[last].addr, 9}, from = {data, 8};

        gasnet_putv_bulk(last, 1, &to, 1, &from);
    }
    GASNET_BLOCKUNTIL(0);
}
