/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Becoming what Linux calls a subreaper, and learning how much memory a child has had (orphans_linux.h). Where the
 * kernel refuses, or is another, nothing changes.
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* wait4 */
#endif

#include "orphans_linux.h"

#include <sys/wait.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#endif

void orphans_adopt(void)
{
#if defined(__linux__) && defined(PR_SET_CHILD_SUBREAPER)
    prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
#endif
}

pid_t orphans_take(int *status, long *memory_kib)
{
#ifdef __linux__
    struct rusage usage;
    pid_t pid = wait4(-1, status, WNOHANG, &usage);

    *memory_kib = pid > 0 ? usage.ru_maxrss : 0;
    return pid;
#else
    *memory_kib = 0;
    return waitpid(-1, status, WNOHANG);
#endif
}
