/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A program's signals are its own: it blocks one when MPI is there already, sends it to itself, and must find that it
 * waits. A thread of the library that left it open would take it, and the process would end.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "tests/mpi/p2p/p2p.h"

/* Every one that a program may block and that ends a process which does not. */
static const int signals[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGPIPE};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

/* One message to the right, one from the left: all threads of the library have been at work. */
static void shift(void)
{
    int to = (p2p_rank + 1) % p2p_size, from = (p2p_rank + p2p_size - 1) % p2p_size, got = -1;
    MPI_Status status;

    MPI_Sendrecv(&p2p_rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, &status);
    MUST(got == from, "%d came from %d", got, from);
}

int main(int argc, char **argv)
{
    struct timespec at_once = {0, 0};
    sigset_t all, waiting;

    p2p_begin(&argc, &argv);
    shift();
    sigemptyset(&all);
    for (int i = 0; i < SIGNALS; i++) {
        sigaddset(&all, signals[i]);
    }
    MUST(sigprocmask(SIG_BLOCK, &all, NULL) == 0, "errno %d", errno);
    for (int i = 0; i < SIGNALS; i++) {
        MUST(kill(getpid(), signals[i]) == 0, "errno %d", errno);
    }
    shift();
    MUST(sigpending(&waiting) == 0, "errno %d", errno);
    for (int i = 0; i < SIGNALS; i++) {
        MUST(sigismember(&waiting, signals[i]) == 1, "signal %d has gone to somebody else", signals[i]);
        MUST(sigtimedwait(&all, NULL, &at_once) > 0, "errno %d", errno);
    }
    return p2p_end();
}
