/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles and statuses for two languages, as MPI-2 has it: in Fortran a handle is an INTEGER (common/handle.h), and a
 * status an array of them with the octets of the structure.
 */
#include <string.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/handle.h"

_Static_assert(sizeof(MPI_Status) == 8 * sizeof(MPI_Fint), "MPI_STATUS_SIZE of mpif.h");

#define CONVERSIONS(name, type, kind)                                                                                  \
    API type MPI_##name##_f2c(MPI_Fint handle)                                                                         \
    {                                                                                                                  \
        return handle_long(kind, handle);                                                                              \
    }                                                                                                                  \
    API MPI_Fint MPI_##name##_c2f(type handle)                                                                         \
    {                                                                                                                  \
        return handle_short(handle);                                                                                   \
    }

CONVERSIONS(Comm, MPI_Comm, HANDLE_COMM)
CONVERSIONS(Group, MPI_Group, HANDLE_GROUP)
CONVERSIONS(Type, MPI_Datatype, HANDLE_DATATYPE)
CONVERSIONS(Op, MPI_Op, HANDLE_OP)
CONVERSIONS(Errhandler, MPI_Errhandler, HANDLE_ERRHANDLER)
CONVERSIONS(Request, MPI_Request, HANDLE_REQUEST)
CONVERSIONS(Info, MPI_Info, HANDLE_INFO)
CONVERSIONS(Win, MPI_Win, HANDLE_WIN)
CONVERSIONS(Message, MPI_Message, HANDLE_MESSAGE)
CONVERSIONS(File, MPI_File, HANDLE_FILE)

API int MPI_Status_f2c(const MPI_Fint *from, MPI_Status *to)
{
    memcpy(to, from, sizeof(*to));
    return MPI_SUCCESS;
}

API int MPI_Status_c2f(const MPI_Status *from, MPI_Fint *to)
{
    memcpy(to, from, sizeof(*from));
    return MPI_SUCCESS;
}
