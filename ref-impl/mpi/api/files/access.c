/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading and writing files: chapters 9.4.2 and 9.4.3 of MPI-2. The collective functions do what the others do, and
 * wait for nobody; what only begins is done, too, when the function returns.
 */
#include "ref-impl/mpi/api/files/access.h"

#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/files/pointer.h"
#include "ref-impl/mpi/files/view.h"
#include "ref-impl/mpi/messages/request.h"

/* ---- requests, which are done ------------------------------------------------------------------------------------ */

static int query(void *moved, MPI_Status *status)
{
    const struct file_moved *kept = moved;

    status->assay_external = kept->form == TYPE_EXTERNAL;
    status->assay_octets = kept->octets;
    return MPI_SUCCESS;
}

static int forget(void *moved)
{
    free(moved);
    return MPI_SUCCESS;
}

static int keep(void *moved, int complete)
{
    (void)moved;
    (void)complete;
    return MPI_SUCCESS;
}

/* A request that is done, and has moved that. */
static int name_request(struct file_moved moved, MPI_Request *request)
{
    struct file_moved *kept = malloc(sizeof(*kept));
    int code = MPI_ERR_OTHER;

    if (kept) {
        *kept = moved;
        code = MPI_Grequest_start(query, forget, keep, kept, request);
    }
    if (code != MPI_SUCCESS) {
        free(kept);
        return code;
    }
    return MPI_Grequest_complete(*request);
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static void check_mode(struct mpi_call *call, const struct access_wanted *wanted)
{
    int mode = call->code == MPI_SUCCESS ? call->file->mode : 0;

    if (wanted->write && mode & MPI_MODE_RDONLY) {
        call_fail(call, MPI_ERR_READ_ONLY, "the file is open for reading only");
    } else if (!wanted->write && mode & MPI_MODE_WRONLY) {
        call_fail(call, MPI_ERR_ACCESS, "the file is open for writing only");
    } else if (mode & MPI_MODE_SEQUENTIAL && wanted->where <= ACCESS_HERE) {
        call_fail(call, MPI_ERR_UNSUPPORTED_OPERATION, "the file is open for sequential access, by a shared pointer");
    } else if (wanted->offset < 0) {
        call_fail(call, MPI_ERR_ARG, "offset is %lld, less than 0", wanted->offset);
    } else if (call->code == MPI_SUCCESS && wanted->split && call->file->split) {
        call_fail(call, MPI_ERR_IO, "an access in two steps has begun before and has not ended");
    }
}

/* The data as the file has them: one row of octets. */
struct row {
    unsigned char *octets;
    size_t len;
    unsigned char *packed; /* the octets are no part of the program's buffer: to be freed */
};

/* Makes the row of what is to be written, or has room for what is to be read. An error class. */
static int make_row(const struct mpi_file *file, const struct access_wanted *wanted, struct mpi_type *type,
                    struct row *row)
{
    size_t count = (size_t)wanted->count;
    ptrdiff_t at = 0;

    row->packed = NULL;
    row->len = type_octets(type, count, file->view.form);
    if (type_as_is(type, count, file->view.form, &at)) {
        row->octets = (unsigned char *)wanted->buffer + at;
        return MPI_SUCCESS;
    }
    row->octets = row->packed = malloc(row->len + 1);
    if (!row->packed) {
        return MPI_ERR_OTHER;
    }
    return wanted->write ? type_pack(type, count, file->view.form, wanted->buffer, row->packed, row->len) : MPI_SUCCESS;
}

/* Where an access of so many elements begins; a pointer moves on. An error class. */
static int place(struct mpi_file *file, const struct access_wanted *wanted, MPI_Offset elements, MPI_Offset *begin)
{
    switch (wanted->where) {
    case ACCESS_AT:
        *begin = wanted->offset;
        return MPI_SUCCESS;
    case ACCESS_HERE:
        *begin = file->position;
        return MPI_SUCCESS;
    case ACCESS_SHARED:
        return pointer_add(file, elements, begin);
    case ACCESS_ORDERED:
        return pointer_add_in_order(file, elements, begin);
    }
    return MPI_ERR_INTERN;
}

/* Moves it, and the position. An error class. */
static int move_on(struct mpi_file *file, const struct access_wanted *wanted, struct mpi_type *type, size_t *moved)
{
    MPI_Offset element = view_element_octets(&file->view), elements, from;
    struct row row;
    int code = make_row(file, wanted, type, &row), placed;

    elements = code == MPI_SUCCESS ? (MPI_Offset)row.len / element : 0;
    placed = place(file, wanted, elements, &from); /* which others may wait for, even where nothing is moved */
    code = code == MPI_SUCCESS ? placed : code;
    if (code == MPI_SUCCESS && __builtin_mul_overflow(from, element, &from)) {
        code = MPI_ERR_ARG;
    }
    if (code == MPI_SUCCESS) {
        code = view_move(file, wanted->write, from, row.octets, row.len, moved);
    }
    if (code == MPI_SUCCESS && row.packed && !wanted->write) {
        code = type_unpack(type, (size_t)wanted->count, file->view.form, row.packed, *moved, wanted->buffer);
    }
    free(row.packed);
    if (code == MPI_SUCCESS && wanted->where == ACCESS_HERE) {
        file->position += elements;
    }
    return code;
}

void access_tell(MPI_Status *status, struct file_moved moved)
{
    if (status) {
        request_status_empty(status, MPI_ANY_SOURCE);
        (void)query(&moved, status);
    }
}

int access_file(const char *function, MPI_File fh, const struct access_wanted *wanted)
{
    struct mpi_call call = call_on_file(function, fh);
    struct mpi_type *type = call_type(&call, wanted->datatype);
    struct file_moved moved = {0, TYPE_NATIVE};
    int code;

    call_count(&call, wanted->count, "count");
    check_mode(&call, wanted);
    call_buffer(&call, wanted->buffer, wanted->count, type, wanted->write ? ADDRESS_READ : ADDRESS_WRITE);
    if (call.code == MPI_SUCCESS && type_octets(type, (size_t)wanted->count, call.file->view.form) %
                                            (size_t)view_element_octets(&call.file->view) !=
                                        0) {
        call_fail(&call, MPI_ERR_ARG, "the data are not a whole number of the view's elementary types");
    }
    if (call.code != MPI_SUCCESS || !type) {
        return call_end(&call);
    }
    moved.form = call.file->view.form;
    code = move_on(call.file, wanted, type, &moved.octets);
    if (code == MPI_SUCCESS) {
        access_tell(wanted->status, moved);
        call.file->split = wanted->split ? wanted->split : call.file->split;
        call.file->split_moved = wanted->split ? moved : call.file->split_moved;
    }
    if (code == MPI_SUCCESS && wanted->request) {
        code = name_request(moved, wanted->request);
    }
    return call_end_with(&call, code);
}

API int MPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                         MPI_Status *status)
{
    return access_file(
        "MPI_File_read_at", fh,
        &(struct access_wanted){false, ACCESS_AT, offset, buf, count, datatype, status, NULL, FILE_SPLIT_NONE});
}

API int MPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file(
        "MPI_File_read", fh,
        &(struct access_wanted){false, ACCESS_HERE, 0, buf, count, datatype, status, NULL, FILE_SPLIT_NONE});
}

API int MPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                          MPI_Request *request)
{
    return access_file(
        "MPI_File_iread_at", fh,
        &(struct access_wanted){false, ACCESS_AT, offset, buf, count, datatype, NULL, request, FILE_SPLIT_NONE});
}

API int MPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access_file(
        "MPI_File_iread", fh,
        &(struct access_wanted){false, ACCESS_HERE, 0, buf, count, datatype, NULL, request, FILE_SPLIT_NONE});
}

API int MPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                             MPI_Status *status)
{
    return access_file(
        "MPI_File_read_at_all", fh,
        &(struct access_wanted){false, ACCESS_AT, offset, buf, count, datatype, status, NULL, FILE_SPLIT_NONE});
}

API int MPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file(
        "MPI_File_read_all", fh,
        &(struct access_wanted){false, ACCESS_HERE, 0, buf, count, datatype, status, NULL, FILE_SPLIT_NONE});
}

API int MPI_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                              MPI_Request *request)
{
    return access_file(
        "MPI_File_iread_at_all", fh,
        &(struct access_wanted){false, ACCESS_AT, offset, buf, count, datatype, NULL, request, FILE_SPLIT_NONE});
}

API int MPI_File_iread_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access_file(
        "MPI_File_iread_all", fh,
        &(struct access_wanted){false, ACCESS_HERE, 0, buf, count, datatype, NULL, request, FILE_SPLIT_NONE});
}

API int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                          MPI_Status *status)
{
    return access_file("MPI_File_write_at", fh,
                       &(struct access_wanted){true, ACCESS_AT, offset, (void *)(uintptr_t)buf, count, datatype, status,
                                               NULL, FILE_SPLIT_NONE});
}

API int MPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file("MPI_File_write", fh,
                       &(struct access_wanted){true, ACCESS_HERE, 0, (void *)(uintptr_t)buf, count, datatype, status,
                                               NULL, FILE_SPLIT_NONE});
}

API int MPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                           MPI_Request *request)
{
    return access_file("MPI_File_iwrite_at", fh,
                       &(struct access_wanted){true, ACCESS_AT, offset, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               request, FILE_SPLIT_NONE});
}

API int MPI_File_iwrite(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access_file("MPI_File_iwrite", fh,
                       &(struct access_wanted){true, ACCESS_HERE, 0, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               request, FILE_SPLIT_NONE});
}

API int MPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                              MPI_Status *status)
{
    return access_file("MPI_File_write_at_all", fh,
                       &(struct access_wanted){true, ACCESS_AT, offset, (void *)(uintptr_t)buf, count, datatype, status,
                                               NULL, FILE_SPLIT_NONE});
}

API int MPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return access_file("MPI_File_write_all", fh,
                       &(struct access_wanted){true, ACCESS_HERE, 0, (void *)(uintptr_t)buf, count, datatype, status,
                                               NULL, FILE_SPLIT_NONE});
}

API int MPI_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                               MPI_Request *request)
{
    return access_file("MPI_File_iwrite_at_all", fh,
                       &(struct access_wanted){true, ACCESS_AT, offset, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               request, FILE_SPLIT_NONE});
}

API int MPI_File_iwrite_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    return access_file("MPI_File_iwrite_all", fh,
                       &(struct access_wanted){true, ACCESS_HERE, 0, (void *)(uintptr_t)buf, count, datatype, NULL,
                                               request, FILE_SPLIT_NONE});
}
