/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The threads of the networks and of MPI's devices, which the application has not asked for and need not notice.
 */
#ifndef REF_IMPL_NAL_THREAD_H
#define REF_IMPL_NAL_THREAD_H

#include <pthread.h>

/* thread_start - starts a thread with all signals blocked that are not its own mistakes: signals are the application's,
 * and its handlers run in its threads. The caller joins or detaches it. 0, or the error of pthread_create. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
