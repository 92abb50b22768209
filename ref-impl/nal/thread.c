/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starting a thread of a network; see thread.h. Used by each network and each wrapper that has a thread of its own.
 */
#include "ref-impl/nal/thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t blocked;
    sigset_t before;

    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGFPE);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
