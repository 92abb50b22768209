/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the manager's names stand for (specs/interpreter.md, section 3). Several threads may use the table at once.
 */
#ifndef INTERPRETER_NAMES_H
#define INTERPRETER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "line.h"
#include "vendor.h"

/* KIND_NI to KIND_EQ are handles. */
enum kind { KIND_NI, KIND_ME, KIND_MD, KIND_EQ, KIND_STRUCTURE, KIND_REGION, KIND_THREAD };

/* kind_is_handle tells whether names of this kind are handles. kind_word names the kind for people. kind_octets is the
 * size of such a handle. */
bool kind_is_handle(enum kind kind);
const char *kind_word(enum kind kind);
size_t kind_octets(enum kind kind);

/* union handle has room for a handle of any kind, and looks at it as octets. */
union handle {
    ptl_handle_ni_t ni;
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_handle_eq_t eq;
    ptl_handle_any_t any;
    unsigned char octets[1];
};

/* struct region is memory of the interpreter: `start` to `start + octets`, inside `mapping`. */
struct region {
    unsigned char *start;
    size_t octets;
    void *mapping;
    size_t mapping_octets;
};

/* struct meaning is what one name stands for. */
struct meaning {
    enum kind kind;
    bool copy; /* a handle that did not come from the function that makes such objects */
    union handle handle;
    ptl_md_t structure;
    struct region region;
};

/* names_get copies what the name stands for; false when it stands for nothing. Lock: names' own, as in all of these. */
bool names_get(const char *name, struct meaning *meaning);

/* names_set makes a name stand for a handle or a structure. It replaces another handle or structure; `exists` when the
 * name is a region's or a thread's, `bad-value` when it is no name, `no-memory`. */
void names_set(const char *name, const struct meaning *meaning, struct failure *failure);

/* names_check_settable says beforehand whether names_set would refuse. */
void names_check_settable(const char *name, struct failure *failure);

/* names_add makes a name that stands for nothing yet stand for a region or a thread; else `exists`, and so on. */
void names_add(const char *name, const struct meaning *meaning, struct failure *failure);

/* names_remove forgets a name. */
void names_remove(const char *name);

/* names_add_handle writes the name of a handle of this kind with the same octets; false when there is none. A name that
 * got its handle from the function that makes such objects comes before one that is a copy, a younger one before an
 * older one. */
bool names_add_handle(struct line *line, enum kind kind, const void *octets);

/* names_add_address writes NAME+OFFSET when the address lies in a region, or just behind one; false when it does not.
 */
bool names_add_address(struct line *line, const void *address);

#endif
