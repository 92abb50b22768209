/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading values for an MPI library, calling it, and writing what it gave (specs/interpreter.md, section 7.1). Goes
 * with ../core/call.h, which has what all interpreters need.
 */
#ifndef INTERPRETER_MPI_CALL_H
#define INTERPRETER_MPI_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/line.h"
#include "../core/call.h"
#include "constants.h"
#include "vendor.h"

enum { LIST_MOST = 4096 };

/* CALLED enters the library under the verb's own name, which is the function's, and gives the function's code. */
#define CALLED(call, expression) (call_enter((call), (call)->command.verb), called_left((call), (expression)))

/* CALLED_AS does so under another name. */
#define CALLED_AS(call, name, expression) (call_enter((call), (name)), called_left((call), (expression)))

/* called_left says that the library was left, and gives `code` back. */
int called_left(struct call *call, int code);

/* ---- values.c: reading ------------------------------------------------------------------------------------------ */

/* call_number reads an int, or a name like MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, MPI_UNDEFINED. */
int call_number(struct call *call, const char *key);

/* call_flag reads true or false, 1 or 0 in C, or another int, which is passed as it is. */
int call_flag(struct call *call, const char *key);

/* call_extent reads an address-sized integer. */
MPI_Aint call_extent(struct call *call, const char *key);

/* call_buffer reads an address or MPI_BOTTOM. */
void *call_buffer(struct call *call, const char *key);

/* call_object reads a name or a constant of this kind into `object`. call_comm, call_type, call_group and
 * call_op do so for one kind each. */
void call_object(struct call *call, const char *key, int kind, void *object);
MPI_Comm call_comm(struct call *call, const char *key);
MPI_Datatype call_type(struct call *call, const char *key);
MPI_Group call_group(struct call *call, const char *key);
MPI_Op call_op(struct call *call, const char *key);

/* struct name_list is a list of names or constants, and the objects that they stand for, one behind the other. */
struct name_list {
    size_t len;
    char **names;
    void *objects;
};

/* call_objects reads a list of names or constants of this kind. */
void call_objects(struct call *call, const char *key, int kind, struct name_list *list);

/* call_numbers reads a list of ints, call_extents one of address-sized integers; NULL for an empty one. *len is how
 * many there are. They live as long as the command. */
int *call_numbers(struct call *call, const char *key, size_t *len);
MPI_Aint *call_extents(struct call *call, const char *key, size_t *len);

/* call_length reads the pair that says how many of a list count: `len` when it is left out, `bad-value` when it is
 * larger. */
int call_length(struct call *call, const char *key, size_t len);

/* call_new checks that the value of `key` may become the name of a new object. call_new_status does so for a status,
 * which may be left out. */
void call_new(struct call *call, const char *key);
void call_new_status(struct call *call);

/* call_give gives an object that the library may have changed back to its name; nothing where a constant was given. */
void call_give(struct call *call, const char *name, int kind, const void *object);

/* ---- results.c: writing ----------------------------------------------------------------------------------------- */

/* results_running says whether the library is between MPI_Init and MPI_Finalize, so that it can be asked for classes.
 */
void results_running(bool running);

/* result_code writes rc=.. and marks the call when it is an error; true when it is MPI_SUCCESS. */
bool result_code(struct call *call, int code);

/* result_class gives the error class of a code. */
int result_class(struct call *call, int code);

/* result_add_class writes the name of a class, #N when it has none. */
void result_add_class(struct line *line, int class_number);

/* result_add_named writes an integer by its name in the group, if it has one there. result_number does so behind "
 * key=".
 */
void result_add_named(struct line *line, int group, int number);
void result_number(struct call *call, const char *key, int group, int number);

/* result_status keeps a status under the name that the pair `status` gives, if there is one, and writes it. */
void result_status(struct call *call, const MPI_Status *status);

/* result_add_status writes a status as " PREFIXsource=.. PREFIXtag=..". */
void result_add_status(struct line *line, const char *prefix, const MPI_Status *status);

/* result_object keeps a new object under the name that `key` gives, and writes " key=CONSTANT" when it is a null
 * handle.
 */
void result_object(struct call *call, const char *key, int kind, const void *object);

#endif
