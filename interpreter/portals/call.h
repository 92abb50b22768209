/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading values for a Portals library, and writing what it gave. Goes with call.h, which has what all interpreters
 * need.
 */
#ifndef INTERPRETER_PORTALS_CALL_H
#define INTERPRETER_PORTALS_CALL_H

#include <stdbool.h>

#include "../common/line.h"
#include "../core/call.h"
#include "../core/names.h"
#include "constants.h"
#include "vendor.h"

/* Kinds of names. KIND_NI to KIND_EQ are handles. */
enum { KIND_NI = KIND_OWN, KIND_ME, KIND_MD, KIND_EQ, KIND_STRUCTURE };

/* kind_is_handle tells whether names of this kind are handles. */
bool kind_is_handle(int kind);

/* union handle has room for a handle of any kind, and looks at it as octets. */
union handle {
    ptl_handle_ni_t ni;
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_handle_eq_t eq;
    ptl_handle_any_t any;
    unsigned char octets[1];
};

/* handle_to_any and handle_from_any convert as the vendor's header wants it. */
void handle_to_any(int kind, const union object *object, ptl_handle_any_t *any);
void handle_from_any(int kind, ptl_handle_any_t any, union object *object);

/* ---- values.c, process.c: reading -------------------------------------------------------------------------------- */

/* call_constant reads names of the group joined with |, or integers that fit an int. */
long long call_constant(struct call *call, const char *key, enum constant_group group);

/* call_handle reads a handle that the library takes as one of `kind` into `handle`, which has that kind's size. */
void call_handle(struct call *call, const char *key, int kind, void *handle);

/* call_any reads a handle of any kind as a ptl_handle_any_t. */
void call_any(struct call *call, const char *key, ptl_handle_any_t *any);

/* call_process reads a process id. */
void call_process(struct call *call, const char *key, ptl_process_id_t *process);

/* call_structure reads the name of a memory descriptor structure. */
void call_structure(struct call *call, const char *key, ptl_md_t *structure);

/* call_extra reads what the calls of a later revision take in addition, as far as the command has it; what is missing
 * gets the value that comes nearest to Portals 3.0. call_structure_extra does so for a descriptor structure. */
void call_extra(struct call *call, struct extra *extra);
void call_structure_extra(struct call *call, ptl_md_t *structure);

/* ---- results.c: writing ----------------------------------------------------------------------------------------- */

/* result_code writes rc=.. and, when the code is an error, marks the call so that a batch stops. True when the code is
 * PTL_OK. */
bool result_code(struct call *call, int code);

/* result_add_code writes the name of a return code, #N when it has none. */
void result_add_code(struct line *line, int code);

/* result_add_process, result_add_event and result_add_structure write their parts as " PREFIXfield=..", the process as
 * one value. */
void result_add_process(struct line *line, const ptl_process_id_t *process);
void result_add_structure(struct line *line, const char *prefix, const ptl_md_t *structure);
void result_add_event(struct line *line, const char *prefix, const ptl_event_t *event);

/* result_structure_extra and result_event_extra write the members that only later revisions have. */
void result_structure_extra(struct line *line, const char *prefix, const ptl_md_t *structure);
void result_event_extra(struct line *line, const char *prefix, const ptl_event_t *event);

#endif
