/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Becoming what Linux calls a subreaper (orphans_linux.h). Where the kernel refuses, or is another, nothing changes.
 */
#include "orphans_linux.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

void orphans_adopt(void)
{
#if defined(__linux__) && defined(PR_SET_CHILD_SUBREAPER)
    prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
#endif
}
