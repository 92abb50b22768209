/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators: values that programs attach under keys, and those that every communicator has. Chapters
 * 5.7 and 7.1.1 of MPI, 2.5 of IMPI.
 *
 * A key is counted: the program's own hold on it, and one for each attribute under it, so that the functions of a key
 * that has been freed are still called for the attributes that are left. api/attr.c calls them.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_ATTR_SET_H
#define REF_IMPL_MPI_COMMUNICATORS_ATTR_SET_H

#include <stdbool.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/communicators/group.h"

enum { ATTR_FIXED = MPI_LASTUSEDCODE + 1 }; /* keys that every communicator has */

/* One attribute of the program. */
struct attr_entry {
    struct attr_entry *older;
    int keyval;
    void *value;
    bool leaving; /* its delete function has been asked and has not answered yet */
};

/* A key of the program. */
struct attr_key {
    MPI_Copy_function *copy;
    MPI_Delete_function *remove;
    void *extra;
    unsigned holders; /* 0: the place is free */
    bool named;       /* the program has not freed it */
};

/* The attributes of one communicator. */
struct attr_set {
    int fixed[ATTR_FIXED];     /* by key */
    struct attr_entry *newest; /* those of the program */
    unsigned calls;            /* of copy and delete functions that have not returned */
};

/* attr_set_up - computes what every communicator has, for one with this local group. False: memory is used up. */
bool attr_set_up(struct attr_set *set, const struct mpi_group *local);

/* attr_key_new - a new key, held and named by the program; -1: memory is used up.
 * attr_key_at - a key that there is, or was; NULL for what is none of the program's. Good until the next attr_key_new.
 */
int attr_key_new(struct attr_key key);
struct attr_key *attr_key_at(int keyval);

/* attr_find - the attribute under a key, or NULL.
 * attr_add - attaches one; false: memory is used up.
 * attr_take - takes one out of the set, and away. */
struct attr_entry *attr_find(const struct attr_set *set, int keyval);
bool attr_add(struct attr_set *set, int keyval, void *value);
void attr_take(struct attr_set *set, struct attr_entry *entry);

/* attr_drop - takes all of the program's attributes away without calling anybody. */
void attr_drop(struct attr_set *set);

/* attr_close - forgets all keys of the program. */
void attr_close(void);

#endif
