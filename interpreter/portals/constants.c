/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The names of constants and the numbers that the header under test gives them. The tables are in first/names.c and
 * later/names.c.
 */
#include "constants.h"

#include <stddef.h>
#include <string.h>

#include "../common/line.h"

const char *constant_name(enum constant_group group, long long value)
{
    for (size_t i = 0; i < constant_count; i++)
        if (constants[i].group == group && constants[i].value == value)
            return constants[i].name;
    return NULL;
}

bool constant_value(enum constant_group group, const char *name, size_t len, long long *value)
{
    for (size_t i = 0; i < constant_count; i++) {
        if (constants[i].group == group && strncmp(constants[i].name, name, len) == 0 && !constants[i].name[len]) {
            *value = constants[i].value;
            return true;
        }
    }
    return false;
}

void constant_add_options(struct line *line, unsigned int options)
{
    const char *between = "";

    for (size_t i = 0; i < constant_count; i++) {
        unsigned int bits = (unsigned int)constants[i].value;
        if (constants[i].group != CONSTANT_OPTION || bits == 0 || (options & bits) != bits)
            continue;
        line_add(line, "%s%s", between, constants[i].name);
        between = "|";
        options &= ~bits;
    }
    if (options || !between[0])
        line_add(line, options ? "%s0x%x" : "%s%u", between, options);
}
