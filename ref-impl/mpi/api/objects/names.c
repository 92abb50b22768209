/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Names that programs give to communicators, datatypes and windows, for people and tools. Chapter 8.4 of MPI-2.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/types/tree.h"
#include "ref-impl/mpi/windows/window.h"

/* Stores a name, cut where it is too long. */
static int set(struct mpi_call *call, char *to, const char *name)
{
    call_output(call, name, "name");
    if (call->code == MPI_SUCCESS) {
        (void)snprintf(to, MPI_MAX_OBJECT_NAME, "%s", name);
    }
    return call_end(call);
}

static int get(struct mpi_call *call, const char *from, char *name, int *resultlen)
{
    call_output(call, name, "name");
    call_output(call, resultlen, "resultlen");
    if (call->code == MPI_SUCCESS) {
        *resultlen = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", from);
    }
    return call_end(call);
}

API int MPI_Comm_set_name(MPI_Comm comm, const char *name)
{
    struct mpi_call call = call_on("MPI_Comm_set_name", comm);

    return set(&call, call.code == MPI_SUCCESS ? call.comm->name : NULL, name);
}

API int MPI_Comm_get_name(MPI_Comm comm, char *name, int *resultlen)
{
    struct mpi_call call = call_on("MPI_Comm_get_name", comm);

    return get(&call, call.code == MPI_SUCCESS ? call.comm->name : NULL, name, resultlen);
}

API int MPI_Win_set_name(MPI_Win win, const char *name)
{
    struct mpi_call call = call_on_window("MPI_Win_set_name", win);

    return set(&call, call.code == MPI_SUCCESS ? call.win->name : NULL, name);
}

API int MPI_Win_get_name(MPI_Win win, char *name, int *resultlen)
{
    struct mpi_call call = call_on_window("MPI_Win_get_name", win);

    return get(&call, call.code == MPI_SUCCESS ? call.win->name : NULL, name, resultlen);
}

/* Types are many, and names of them few: they have room for one when they get it. */
API int MPI_Type_set_name(MPI_Datatype datatype, const char *name)
{
    struct mpi_call call = call_without("MPI_Type_set_name");
    struct mpi_type *type = call_any_type(&call, datatype);

    if (type && !type->name && !(type->name = malloc(MPI_MAX_OBJECT_NAME))) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    }
    return set(&call, type ? type->name : NULL, name);
}

/* What predefined types are called before a program names them. */
#define NAMED(type)                                                                                                    \
    {                                                                                                                  \
        type, #type                                                                                                    \
    }
static const struct {
    MPI_Datatype type;
    const char *name;
} predefined[] = {
    NAMED(MPI_CHAR),
    NAMED(MPI_UNSIGNED_CHAR),
    NAMED(MPI_SIGNED_CHAR),
    NAMED(MPI_BYTE),
    NAMED(MPI_SHORT),
    NAMED(MPI_UNSIGNED_SHORT),
    NAMED(MPI_INT),
    NAMED(MPI_UNSIGNED),
    NAMED(MPI_LONG),
    NAMED(MPI_UNSIGNED_LONG),
    NAMED(MPI_LONG_LONG_INT),
    NAMED(MPI_UNSIGNED_LONG_LONG),
    NAMED(MPI_FLOAT),
    NAMED(MPI_DOUBLE),
    NAMED(MPI_LONG_DOUBLE),
    NAMED(MPI_PACKED),
    NAMED(MPI_LB),
    NAMED(MPI_UB),
    NAMED(MPI_FLOAT_INT),
    NAMED(MPI_DOUBLE_INT),
    NAMED(MPI_LONG_INT),
    NAMED(MPI_2INT),
    NAMED(MPI_SHORT_INT),
    NAMED(MPI_LONG_DOUBLE_INT),
    NAMED(MPI_LOGICAL),
    NAMED(MPI_COMPLEX),
    NAMED(MPI_DOUBLE_COMPLEX),
    NAMED(MPI_2REAL),
    NAMED(MPI_2DOUBLE_PRECISION),
    NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
    NAMED(MPI_WCHAR),
    NAMED(MPI_C_BOOL),
    NAMED(MPI_INT8_T),
    NAMED(MPI_INT16_T),
    NAMED(MPI_INT32_T),
    NAMED(MPI_INT64_T),
    NAMED(MPI_UINT8_T),
    NAMED(MPI_UINT16_T),
    NAMED(MPI_UINT32_T),
    NAMED(MPI_UINT64_T),
    NAMED(MPI_AINT),
    NAMED(MPI_OFFSET),
    NAMED(MPI_COUNT),
    NAMED(MPI_INTEGER),
    NAMED(MPI_REAL),
    NAMED(MPI_DOUBLE_PRECISION),
    NAMED(MPI_CHARACTER),
    NAMED(MPI_2INTEGER),
    NAMED(MPI_INTEGER1),
    NAMED(MPI_INTEGER2),
    NAMED(MPI_INTEGER4),
    NAMED(MPI_INTEGER8),
    NAMED(MPI_REAL4),
    NAMED(MPI_REAL8),
    NAMED(MPI_COMPLEX8),
    NAMED(MPI_COMPLEX16),
    NAMED(MPI_C_COMPLEX),
    NAMED(MPI_C_DOUBLE_COMPLEX),
    NAMED(MPI_CXX_BOOL),
    NAMED(MPI_CXX_FLOAT_COMPLEX),
    NAMED(MPI_CXX_DOUBLE_COMPLEX),
    NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
};

static const char *predefined_name(MPI_Datatype datatype)
{
    for (size_t i = 0; i < sizeof(predefined) / sizeof(predefined[0]); i++) {
        if (predefined[i].type == datatype) {
            return predefined[i].name;
        }
    }
    return "";
}

API int MPI_Type_get_name(MPI_Datatype datatype, char *name, int *resultlen)
{
    struct mpi_call call = call_without("MPI_Type_get_name");
    const struct mpi_type *type = call_any_type(&call, datatype);

    return get(&call, type && type->name ? type->name : predefined_name(datatype), name, resultlen);
}
