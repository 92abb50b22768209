/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Names of the MPI standard's constants to and from what the header under test has for them (specs/interpreter.md,
 * section 7.1).
 */
#ifndef INTERPRETER_MPI_CONSTANTS_H
#define INTERPRETER_MPI_CONSTANTS_H

#include <stdbool.h>

#include "../common/line.h"
#include "../core/names.h"

/* Kinds of names; a constant of one of these kinds is an object of that kind. */
enum {
    KIND_COMM = KIND_OWN,
    KIND_GROUP,
    KIND_TYPE,
    KIND_OP,
    KIND_REQUEST,
    KIND_ERRHANDLER,
    KIND_KEYVAL,
    KIND_STATUS,
    KINDS_END
};

/* Constants that are integers and no objects. */
enum { NUMBER_CLASS = KINDS_END, NUMBER_RANK, NUMBER_TAG, NUMBER_UNDEFINED, NUMBER_COMPARISON };

/* constants_open makes the table. Call it before anything else here, and before any thread is started. */
void constants_open(void);

/* constant_object copies the object that a constant of this kind stands for; false when there is none of that name. */
bool constant_object(int kind, const char *name, void *object);

/* constant_object_name gives the name of a constant with the same octets, NULL when there is none. */
const char *constant_object_name(int kind, const void *object);

/* constant_number finds the integer of a name that may stand for a rank, a tag or a colour. */
bool constant_number(const char *name, int *number);

/* constant_number_name gives the name of an integer in its group, NULL when it has none. */
const char *constant_number_name(int group, int number);

/* constants_add_lacking writes the names that the header does not have, separated by commas. */
void constants_add_lacking(struct line *line);

#endif
