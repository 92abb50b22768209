/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The pointer that the processes of a file share: chapter 9.4.4 of MPI-2.
 */
#include <stdint.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/files/access.h"
#include "ref-impl/mpi/api/files/view.h"
#include "ref-impl/mpi/files/pointer.h"

static struct mpi_call begin(const char *function, MPI_File fh)
{
    struct mpi_call call = call_on_file(function, fh);

    if (call.code == MPI_SUCCESS && call.file->mode & MPI_MODE_SEQUENTIAL) {
        call_fail(&call, MPI_ERR_UNSUPPORTED_OPERATION, "the file is open for sequential access");
    }
    return call;
}

/* What the processes did before is done when the pointer is looked at. */
API int MPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence)
{
    struct mpi_call call = begin("MPI_File_seek_shared", fh);
    MPI_Offset now = 0;
    int code;

    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = pointer_look(call.file, &now);
    if (code != MPI_SUCCESS) {
        return call_end_with(&call, code);
    }
    now = view_sought(&call, now, offset, whence);
    return call.code == MPI_SUCCESS ? call_end_with(&call, pointer_set(call.file, now)) : call_end(&call);
}

API int MPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset)
{
    struct mpi_call call = begin("MPI_File_get_position_shared", fh);
    MPI_Offset now;
    int code;

    call_output(&call, offset, "offset");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = pointer_add(call.file, 0, &now);
    if (code == MPI_SUCCESS) {
        *offset = now;
    }
    return call_end_with(&call, code);
}

API int MPI_File_read_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file(
        "MPI_File_read_shared", fh,
        &(struct access_wanted){false, ACCESS_SHARED, 0, buf, count, datatype, status, NULL, FILE_SPLIT_NONE});
}

API int MPI_File_iread_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access_file(
        "MPI_File_iread_shared", fh,
        &(struct access_wanted){false, ACCESS_SHARED, 0, buf, count, datatype, NULL, request, FILE_SPLIT_NONE});
}

API int MPI_File_read_ordered(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file(
        "MPI_File_read_ordered", fh,
        &(struct access_wanted){false, ACCESS_ORDERED, 0, buf, count, datatype, status, NULL, FILE_SPLIT_NONE});
}

API int MPI_File_write_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file("MPI_File_write_shared", fh,
                       &(struct access_wanted){true, ACCESS_SHARED, 0, (void *)(uintptr_t)buf, count, datatype, status,
                                               NULL, FILE_SPLIT_NONE});
}

API int MPI_File_iwrite_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access_file("MPI_File_iwrite_shared", fh,
                       &(struct access_wanted){true, ACCESS_SHARED, 0, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               request, FILE_SPLIT_NONE});
}

API int MPI_File_write_ordered(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file("MPI_File_write_ordered", fh,
                       &(struct access_wanted){true, ACCESS_ORDERED, 0, (void *)(uintptr_t)buf, count, datatype, status,
                                               NULL, FILE_SPLIT_NONE});
}
