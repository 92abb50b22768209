/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ending the process: see fatal.h.
 */
#include "ref-impl/gasnet/base/fatal.h"

#include <portals3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned here;
static _Atomic bool leaving;

void fatal_node(unsigned node)
{
    here = node;
}

void fatal_leaving(void)
{
    leaving = true;
}

void fatal_end(const char *format, ...)
{
    char text[512];
    va_list arguments;

    while (leaving) {
        (void)pause();
    }
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "gasnet: node %u: %s\n", here, text);
    abort();
}

void fatal_portals(int code, const char *call)
{
    if (code != PTL_OK) { //= GASN-033
        fatal_end("%s returned %d (see enum ptl_err of portals3.h)", call, code);
    }
}
