/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the manager's names stand for (specs/interpreter.md, section 3). Several threads may use the table at once.
 */
#ifndef INTERPRETER_CORE_NAMES_H
#define INTERPRETER_CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/command.h"
#include "../common/line.h"

/* Kinds of things: those that every interpreter has, and those of its library (api.h) from KIND_OWN on. */
enum { KIND_REGION, KIND_THREAD, KIND_OWN };

/* kind_title says what people call the kind. kind_octets is the size of such an object, 0 for regions and threads. */
const char *kind_title(int kind);
size_t kind_octets(int kind);

/* OBJECT_OCTETS is room for whatever a library keeps under a name: handles, structures. */
enum { OBJECT_OCTETS = 256 };

/* union object holds an object of a library, aligned for any; to be copied in and out by its octets. */
union object {
    unsigned char octets[OBJECT_OCTETS];
    long double real;
    long long integer;
    void *pointer;
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
    int kind;
    bool copy; /* a handle that did not come from the function that makes such objects */
    union object object;
    struct region region;
};

/* names_get copies what the name stands for; false when it stands for nothing. Lock: names' own, as in all of these. */
bool names_get(const char *name, struct meaning *meaning);

/* names_set makes a name stand for an object of the library. It replaces another object; `exists` when the name is a
 * region's or a thread's, `bad-value` when it is no name, `no-memory`. */
void names_set(const char *name, const struct meaning *meaning, struct failure *failure);

/* names_check_settable says beforehand whether names_set would refuse. */
void names_check_settable(const char *name, struct failure *failure);

/* names_add makes a name that stands for nothing yet stand for a region or a thread; else `exists`, and so on. */
void names_add(const char *name, const struct meaning *meaning, struct failure *failure);

/* names_remove forgets a name. */
void names_remove(const char *name);

/* names_add_object writes the name of an object of this kind with the same octets; false when there is none. A name
 * that got it from the function that makes such objects comes before one that is a copy, a younger one before an older
 * one.
 */
bool names_add_object(struct line *line, int kind, const void *octets);

/* names_add_address writes NAME+OFFSET when the address lies in a region, or just behind one; false when it does not.
 */
bool names_add_address(struct line *line, const void *address);

#endif
