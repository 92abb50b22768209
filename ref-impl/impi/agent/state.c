/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of an agent whose job is broken: see state.h.
 */
#include "ref-impl/impi/agent/state.h"

#include <stdarg.h>
#include <stdio.h>

bool agent_break(struct agent *a, enum agent_status status, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    agent_complain(a->setup, "%s", text);
    a->status = (int)status;
    return false;
}
