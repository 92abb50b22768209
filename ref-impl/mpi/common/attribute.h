/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Values that programs attach to communicators, datatypes and windows, and the keys under which they do. Chapters 5.7
 * of MPI, 6.7 of MPI-3.
 *
 * A key is counted: the program's own hold on it, and one for each attribute under it, so that the functions of a key
 * that has been freed are still called for the attributes that are left. api/objects/attr_any.c calls them.
 */
#ifndef REF_IMPL_MPI_COMMON_ATTRIBUTE_H
#define REF_IMPL_MPI_COMMON_ATTRIBUTE_H

#include <stdbool.h>

#include "ref-impl/include/mpi.h"

enum { ATTR_FIRST = 16 }; /* the first key that a program can get: those below are predefined */

/* What has attributes. A key is for one kind of them. */
enum attr_kind { ATTR_COMM, ATTR_TYPE, ATTR_WIN };

/* One attribute of the program. */
struct attr_entry {
    struct attr_entry *older;
    int keyval;
    void *value;
    bool leaving; /* its delete function has been asked and has not answered yet */
};

/* A key of the program. The functions of its kind may be NULL. */
struct attr_key {
    enum attr_kind kind;
    union {
        MPI_Comm_copy_attr_function *comm;
        MPI_Type_copy_attr_function *type;
        MPI_Win_copy_attr_function *win;
    } copy;
    union {
        MPI_Comm_delete_attr_function *comm;
        MPI_Type_delete_attr_function *type;
        MPI_Win_delete_attr_function *win;
    } remove;
    void *extra;
    unsigned holders; /* 0: the place is free */
    bool named;       /* the program has not freed it */
};

/* The attributes that a program has attached to one object. */
struct attr_list {
    struct attr_entry *newest;
    unsigned calls; /* of copy and delete functions that have not returned */
};

/* attribute_key_new - a new key, held and named by the program; -1: memory is used up.
 * attribute_key_at - a key that there is, or was; NULL for what is none of the program's. Good until the next
 * attribute_key_new. */
int attribute_key_new(struct attr_key key);
struct attr_key *attribute_key_at(int keyval);

/* attribute_find - the attribute under a key, or NULL.
 * attribute_add - attaches one; false: memory is used up.
 * attribute_take - takes one out of the list, and away. */
struct attr_entry *attribute_find(const struct attr_list *list, int keyval);
bool attribute_add(struct attr_list *list, int keyval, void *value);
void attribute_take(struct attr_list *list, struct attr_entry *entry);

/* attribute_drop - takes all attributes away without calling anybody. */
void attribute_drop(struct attr_list *list);

/* attribute_close - forgets all keys of the program. */
void attribute_close(void);

#endif
