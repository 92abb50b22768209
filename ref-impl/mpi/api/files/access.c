/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading and writing files: chapters 9.4.2 and 9.4.3 of MPI-2. The collective functions do what the others do, and
 * wait for nobody; what only begins is done, too, when the function returns.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/files/view.h"
#include "ref-impl/mpi/messages/request.h"

/* What a program wants to have moved. */
struct wanted {
    bool write;
    bool here; /* at the position of this process, which moves on */
    MPI_Offset offset;
    void *buffer;
    int count;
    MPI_Datatype datatype;
    MPI_Status *status;
    MPI_Request *request; /* NULL: the call blocks */
};

/* ---- requests, which are done ------------------------------------------------------------------------------------ */

static int query(void *octets, MPI_Status *status)
{
    status->assay_octets = *(size_t *)octets;
    return MPI_SUCCESS;
}

static int forget(void *octets)
{
    free(octets);
    return MPI_SUCCESS;
}

static int keep(void *octets, int complete)
{
    (void)octets;
    (void)complete;
    return MPI_SUCCESS;
}

/* A request that is done, of so many octets. */
static int name_request(size_t octets, MPI_Request *request)
{
    size_t *kept = malloc(sizeof(*kept));
    int code = MPI_ERR_OTHER;

    if (kept) {
        *kept = octets;
        code = MPI_Grequest_start(query, forget, keep, kept, request);
    }
    if (code != MPI_SUCCESS) {
        free(kept);
        return code;
    }
    return MPI_Grequest_complete(*request);
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static void check_mode(struct mpi_call *call, const struct wanted *wanted)
{
    int mode = call->code == MPI_SUCCESS ? call->file->mode : 0;

    if (wanted->write && mode & MPI_MODE_RDONLY) {
        call_fail(call, MPI_ERR_READ_ONLY, "the file is open for reading only");
    } else if (!wanted->write && mode & MPI_MODE_WRONLY) {
        call_fail(call, MPI_ERR_ACCESS, "the file is open for writing only");
    } else if (mode & MPI_MODE_SEQUENTIAL) {
        call_fail(call, MPI_ERR_UNSUPPORTED_OPERATION, "the file is open for sequential access, by a shared pointer");
    } else if (!wanted->here && wanted->offset < 0) {
        call_fail(call, MPI_ERR_ARG, "offset is %lld, less than 0", wanted->offset);
    }
}

/* Moves what is one row of octets in memory, or is packed as one. */
static int move(const struct mpi_file *file, const struct wanted *wanted, struct mpi_type *type, MPI_Offset from,
                size_t *moved)
{
    size_t count = (size_t)wanted->count, len = type_octets(type, count, TYPE_NATIVE);
    unsigned char *packed;
    ptrdiff_t at = 0;
    int code;

    if (type_as_is(type, count, TYPE_NATIVE, &at)) {
        return view_move(file, wanted->write, from, (unsigned char *)wanted->buffer + at, len, moved);
    }
    packed = malloc(len + 1);
    if (!packed) {
        return MPI_ERR_OTHER;
    }
    code = wanted->write ? type_pack(type, count, TYPE_NATIVE, wanted->buffer, packed, len) : MPI_SUCCESS;
    if (code == MPI_SUCCESS) {
        code = view_move(file, wanted->write, from, packed, len, moved);
    }
    if (code == MPI_SUCCESS && !wanted->write) {
        code = type_unpack(type, count, TYPE_NATIVE, packed, *moved, wanted->buffer);
    }
    free(packed);
    return code;
}

/* Moves it, and the position. An error class. */
static int move_on(struct mpi_file *file, const struct wanted *wanted, struct mpi_type *type, size_t *moved)
{
    MPI_Offset element = (MPI_Offset)type_octets(file->view.element, 1, TYPE_NATIVE);
    MPI_Offset len = (MPI_Offset)type_octets(type, (size_t)wanted->count, TYPE_NATIVE);
    MPI_Offset from;
    int code = MPI_ERR_ARG;

    if (!__builtin_mul_overflow(wanted->here ? file->position : wanted->offset, element, &from)) {
        code = move(file, wanted, type, from, moved);
    }
    if (code == MPI_SUCCESS && wanted->here) {
        file->position += len / element;
    }
    return code;
}

/* What the function returns. */
static int access(const char *function, MPI_File fh, const struct wanted *wanted)
{
    struct mpi_call call = call_on_file(function, fh);
    struct mpi_type *type = call_type(&call, wanted->datatype);
    size_t moved = 0;
    int code;

    call_count(&call, wanted->count, "count");
    check_mode(&call, wanted);
    call_buffer(&call, wanted->buffer, wanted->count, type, wanted->write ? ADDRESS_READ : ADDRESS_WRITE);
    if (call.code == MPI_SUCCESS &&
        type_octets(type, (size_t)wanted->count, TYPE_NATIVE) % type_octets(call.file->view.element, 1, TYPE_NATIVE) !=
            0) {
        call_fail(&call, MPI_ERR_ARG, "the data are not a whole number of the view's elementary types");
    }
    if (call.code != MPI_SUCCESS || !type) {
        return call_end(&call);
    }
    code = move_on(call.file, wanted, type, &moved);
    if (code == MPI_SUCCESS && wanted->status) {
        request_status_empty(wanted->status, MPI_ANY_SOURCE);
        wanted->status->assay_octets = moved;
    }
    if (code == MPI_SUCCESS && wanted->request) {
        code = name_request(moved, wanted->request);
    }
    return call_end_with(&call, code);
}

API int MPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                         MPI_Status *status)
{
    return access("MPI_File_read_at", fh, &(struct wanted){false, false, offset, buf, count, datatype, status, NULL});
}

API int MPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access("MPI_File_read", fh, &(struct wanted){false, true, 0, buf, count, datatype, status, NULL});
}

API int MPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                          MPI_Request *request)
{
    return access("MPI_File_iread_at", fh, &(struct wanted){false, false, offset, buf, count, datatype, NULL, request});
}

API int MPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access("MPI_File_iread", fh, &(struct wanted){false, true, 0, buf, count, datatype, NULL, request});
}

API int MPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                             MPI_Status *status)
{
    return access("MPI_File_read_at_all", fh,
                  &(struct wanted){false, false, offset, buf, count, datatype, status, NULL});
}

API int MPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access("MPI_File_read_all", fh, &(struct wanted){false, true, 0, buf, count, datatype, status, NULL});
}

API int MPI_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                              MPI_Request *request)
{
    return access("MPI_File_iread_at_all", fh,
                  &(struct wanted){false, false, offset, buf, count, datatype, NULL, request});
}

API int MPI_File_iread_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access("MPI_File_iread_all", fh, &(struct wanted){false, true, 0, buf, count, datatype, NULL, request});
}

API int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                          MPI_Status *status)
{
    return access("MPI_File_write_at", fh,
                  &(struct wanted){true, false, offset, (void *)(uintptr_t)buf, count, datatype, status, NULL});
}

API int MPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access("MPI_File_write", fh,
                  &(struct wanted){true, true, 0, (void *)(uintptr_t)buf, count, datatype, status, NULL});
}

API int MPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                           MPI_Request *request)
{
    return access("MPI_File_iwrite_at", fh,
                  &(struct wanted){true, false, offset, (void *)(uintptr_t)buf, count, datatype, NULL, request});
}

API int MPI_File_iwrite(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access("MPI_File_iwrite", fh,
                  &(struct wanted){true, true, 0, (void *)(uintptr_t)buf, count, datatype, NULL, request});
}

API int MPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                              MPI_Status *status)
{
    return access("MPI_File_write_at_all", fh,
                  &(struct wanted){true, false, offset, (void *)(uintptr_t)buf, count, datatype, status, NULL});
}

API int MPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access("MPI_File_write_all", fh,
                  &(struct wanted){true, true, 0, (void *)(uintptr_t)buf, count, datatype, status, NULL});
}

API int MPI_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                               MPI_Request *request)
{
    return access("MPI_File_iwrite_at_all", fh,
                  &(struct wanted){true, false, offset, (void *)(uintptr_t)buf, count, datatype, NULL, request});
}

API int MPI_File_iwrite_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access("MPI_File_iwrite_all", fh,
                  &(struct wanted){true, true, 0, (void *)(uintptr_t)buf, count, datatype, NULL, request});
}
