/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators as programs use them. Chapter 5.7 of MPI; attr_impi.c computes the predefined ones,
 * objects/attributes.c has the functions on datatypes and windows.
 */
#include "ref-impl/mpi/api/attr.h"

#include "ref-impl/mpi/communicators/attr_set.h"
#include "ref-impl/mpi/communicators/errors.h"

struct attr_owner attr_of_comm(struct mpi_comm *comm)
{
    return comm ? (struct attr_owner){ATTR_COMM, {.comm = comm->handle}, &comm->attributes.own}
                : (struct attr_owner){.kind = ATTR_COMM};
}

API int MPI_Dup_fn(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                   int *flag)
{
    (void)oldcomm, (void)keyval, (void)extra_state;
    *(void **)attribute_val_out = attribute_val_in;
    *flag = 1;
    return MPI_SUCCESS;
}

API int MPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    struct mpi_call call = call_without("MPI_Keyval_create");

    return attr_create(
        &call,
        (struct attr_key){.kind = ATTR_COMM, .copy.comm = copy_fn, .remove.comm = delete_fn, .extra = extra_state},
        keyval);
}

API int MPI_Keyval_free(int *keyval)
{
    struct mpi_call call = call_without("MPI_Keyval_free");

    return attr_forget(&call, ATTR_COMM, keyval);
}

API int MPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val)
{
    struct mpi_call call = call_on("MPI_Attr_put", comm);
    struct attr_owner owner = attr_of_comm(call.comm);

    return attr_put(&call, &owner, keyval, attribute_val);
}

API int MPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    struct mpi_call call = call_on("MPI_Attr_get", comm);
    struct attr_owner owner = attr_of_comm(call.comm);

    if (call.code == MPI_SUCCESS && attribute_val && flag && keyval >= 0 && keyval < ATTR_FIXED) {
        call.comm->attributes.fixed[MPI_LASTUSEDCODE] = errors_last();
        *(int **)attribute_val = &call.comm->attributes.fixed[keyval]; //= IMPI-098
        *flag = 1;
        return MPI_SUCCESS;
    }
    return attr_get(&call, &owner, keyval, attribute_val, flag);
}

API int MPI_Attr_delete(MPI_Comm comm, int keyval)
{
    struct mpi_call call = call_on("MPI_Attr_delete", comm);
    struct attr_owner owner = attr_of_comm(call.comm);

    return attr_delete(&call, &owner, keyval);
}

RENAMED(MPI_Comm_create_keyval, MPI_Keyval_create);
RENAMED(MPI_Comm_free_keyval, MPI_Keyval_free);
RENAMED(MPI_Comm_set_attr, MPI_Attr_put);
RENAMED(MPI_Comm_get_attr, MPI_Attr_get);
RENAMED(MPI_Comm_delete_attr, MPI_Attr_delete);
