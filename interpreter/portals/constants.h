/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Names of constants to and from numbers (specs/interpreter.md, section 3).
 */
#ifndef INTERPRETER_PORTALS_CONSTANTS_H
#define INTERPRETER_PORTALS_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/line.h"

enum constant_group {
    CONSTANT_RETURN_CODE,
    CONSTANT_EVENT,
    CONSTANT_UNLINK,
    CONSTANT_POSITION,
    CONSTANT_ACK,
    CONSTANT_OPTION,
    CONSTANT_REGISTER,
};

/* The table of a revision. */
struct constant {
    enum constant_group group;
    const char *name;
    long long value;
};
extern const struct constant constants[];
extern const size_t constant_count;

/* constant_name gives the document's name of a value, NULL when it has none. */
const char *constant_name(enum constant_group group, long long value);

/* constant_value finds the number of the name that has `len` characters; false when the group has no such name. */
bool constant_value(enum constant_group group, const char *name, size_t len, long long *value);

/* constant_add_options writes options of memory descriptors: names joined with |, bits without a name in hexadecimal, 0
 * for none. */
void constant_add_options(struct line *line, unsigned int options);

#endif
