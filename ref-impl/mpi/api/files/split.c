/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective accesses in two steps: chapter 9.4.5 of MPI-2. The first step does all, so the buffer may not be used
 * between them only because the standard says so.
 */
#include <stdint.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/files/access.h"

/* The second step of a kind of access: tells what the first one did. */
static int end(const char *function, MPI_File fh, enum file_split split, MPI_Status *status)
{
    struct mpi_call call = call_on_file(function, fh);

    if (call.code == MPI_SUCCESS && call.file->split != split) {
        call_fail(&call, MPI_ERR_IO, "no access of this kind has begun");
    }
    if (call.code == MPI_SUCCESS) {
        access_tell(status, call.file->split_moved);
        call.file->split = FILE_SPLIT_NONE;
    }
    return call_end(&call);
}

API int MPI_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype)
{
    return access_file(
        "MPI_File_read_at_all_begin", fh,
        &(struct access_wanted){false, ACCESS_AT, offset, buf, count, datatype, NULL, NULL, FILE_SPLIT_READ_AT_ALL});
}

API int MPI_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status)
{
    (void)buf;
    return end("MPI_File_read_at_all_end", fh, FILE_SPLIT_READ_AT_ALL, status);
}

API int MPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype)
{
    return access_file(
        "MPI_File_read_all_begin", fh,
        &(struct access_wanted){false, ACCESS_HERE, 0, buf, count, datatype, NULL, NULL, FILE_SPLIT_READ_ALL});
}

API int MPI_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status)
{
    (void)buf;
    return end("MPI_File_read_all_end", fh, FILE_SPLIT_READ_ALL, status);
}

API int MPI_File_read_ordered_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype)
{
    return access_file(
        "MPI_File_read_ordered_begin", fh,
        &(struct access_wanted){false, ACCESS_ORDERED, 0, buf, count, datatype, NULL, NULL, FILE_SPLIT_READ_ORDERED});
}

API int MPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status)
{
    (void)buf;
    return end("MPI_File_read_ordered_end", fh, FILE_SPLIT_READ_ORDERED, status);
}

API int MPI_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype)
{
    return access_file("MPI_File_write_at_all_begin", fh,
                       &(struct access_wanted){true, ACCESS_AT, offset, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               NULL, FILE_SPLIT_WRITE_AT_ALL});
}

API int MPI_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    (void)buf;
    return end("MPI_File_write_at_all_end", fh, FILE_SPLIT_WRITE_AT_ALL, status);
}

API int MPI_File_write_all_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype)
{
    return access_file("MPI_File_write_all_begin", fh,
                       &(struct access_wanted){true, ACCESS_HERE, 0, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               NULL, FILE_SPLIT_WRITE_ALL});
}

API int MPI_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    (void)buf;
    return end("MPI_File_write_all_end", fh, FILE_SPLIT_WRITE_ALL, status);
}

API int MPI_File_write_ordered_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype)
{
    return access_file("MPI_File_write_ordered_begin", fh,
                       &(struct access_wanted){true, ACCESS_ORDERED, 0, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               NULL, FILE_SPLIT_WRITE_ORDERED});
}

API int MPI_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    (void)buf;
    return end("MPI_File_write_ordered_end", fh, FILE_SPLIT_WRITE_ORDERED, status);
}
