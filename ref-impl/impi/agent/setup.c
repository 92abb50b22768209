/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a host agent says what goes wrong: see setup.h.
 */
#include "ref-impl/impi/agent/setup.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void agent_complain(const struct agent_setup *setup, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    /* One write: other agents and the launcher write to the same place. */
    fprintf(stderr, "impirun: host %" PRIu32 " (client %" PRIu32 "): %s\n", setup->host,
            setup->agreed->hosts[setup->host].client, text);
}
