/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Results that every interpreter has. specs/interpreter.md, section 3.
 */
#include "call.h"

void result_add_number(struct line *line, bool is_signed, unsigned long long bits)
{
    if (is_signed)
        line_add(line, "%lld", (long long)bits);
    else
        line_add(line, "%llu", bits);
}

void result_bool(struct call *call, const char *key, bool value)
{
    line_add(&call->result, " %s=%s", key, value ? "true" : "false");
}
