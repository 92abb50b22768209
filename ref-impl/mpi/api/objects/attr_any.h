/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators, datatypes and windows: what the functions on all three of them have in common. Chapters
 * 5.7 of MPI, 6.7 of MPI-3.
 */
#ifndef REF_IMPL_MPI_API_OBJECTS_ATTR_ANY_H
#define REF_IMPL_MPI_API_OBJECTS_ATTR_ANY_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/attribute.h"

/* An object with its attributes. */
struct attr_owner {
    enum attr_kind kind;
    union {
        MPI_Comm comm;
        MPI_Datatype type;
        MPI_Win win;
    } handle; /* what the functions of a key are called with */
    struct attr_list *list;
};

/* attr_copy_all - asks the copy functions of the keys which attributes of `from` a new object shall have, the oldest
 * first; of what these put meanwhile nothing is copied. The error class of the first function that fails; what had been
 * copied until then stays. MPI_ERR_OTHER: memory is used up. */
int attr_copy_all(const struct attr_owner *from, struct attr_list *to);

/* attr_delete_all - takes a program's attributes away and calls their delete functions, the newest first. The error
 * class of the first one that fails; that attribute and the older ones stay. MPI_ERR_OTHER, and nothing has happened:
 * called by a copy or delete function of this object. */
int attr_delete_all(const struct attr_owner *owner);

/* attr_create, attr_forget, attr_put, attr_get, attr_delete - what MPI_Comm_create_keyval, MPI_Comm_free_keyval,
 * MPI_Comm_set_attr, MPI_Comm_get_attr, MPI_Comm_delete_attr and their like return. attr_forget's keys are of one kind.
 * Predefined attributes are the callers'. */
int attr_create(struct mpi_call *call, struct attr_key key, int *keyval);
int attr_forget(struct mpi_call *call, enum attr_kind kind, int *keyval);
int attr_put(struct mpi_call *call, const struct attr_owner *owner, int keyval, void *value);
int attr_get(struct mpi_call *call, const struct attr_owner *owner, int keyval, void *value, int *flag);
int attr_delete(struct mpi_call *call, const struct attr_owner *owner, int keyval);

#endif
