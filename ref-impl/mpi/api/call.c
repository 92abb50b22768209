/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checks of arguments that MPI functions have in common. Between the functions of api_*.c and the objects; errors.c
 * does with a failure what the program wants.
 */
#include "ref-impl/mpi/api/call.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/communicators/errors_raise.h"
#include "ref-impl/mpi/files/file.h"
#include "ref-impl/mpi/windows/window.h"

/* What is wrong with the call that this thread has failed last. Calls that are good, nearly all, do not carry it. */
static _Thread_local char what_is_wrong[160];

static struct mpi_call begin(const char *function)
{
    struct mpi_call call = {function, NULL, NULL, NULL, NULL, MPI_SUCCESS};

    if (!comm_world()) {
        call_fail(&call, MPI_ERR_OTHER, "called before MPI_Init or after MPI_Finalize");
    }
    return call;
}

/* A call that is good so far, which every message makes: written once, where the caller has it. What is changed first
 * and copied then takes longer than all checks of the call: the processor waits for the words that it has written. */
static struct mpi_call begin_good(const char *function, struct mpi_comm *comm)
{
    return (struct mpi_call){function, comm, NULL, NULL, NULL, MPI_SUCCESS};
}

struct mpi_call call_without(const char *function)
{
    return comm_world() ? begin_good(function, NULL) : begin(function);
}

static struct mpi_call begin_without_comm(const char *function, MPI_Comm comm)
{
    struct mpi_call call = begin(function);

    call_fail(&call, MPI_ERR_COMM, "%s",
              comm == MPI_COMM_NULL ? "comm is MPI_COMM_NULL" : "comm is no communicator, or has been freed");
    return call;
}

struct mpi_call call_on(const char *function, MPI_Comm comm)
{
    struct mpi_comm *found = comm_world() ? comm_find(comm) : NULL;

    return found ? begin_good(function, found) : begin_without_comm(function, comm);
}

struct mpi_call call_later(const char *function, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_call call = call_on(function, comm);

    call_output(&call, request, "request");
    call.request = request;
    return call;
}

static struct mpi_call begin_without_window(const char *function, MPI_Win handle)
{
    struct mpi_call call = begin(function);

    call_fail(&call, MPI_ERR_WIN, "%s",
              handle == MPI_WIN_NULL ? "win is MPI_WIN_NULL" : "win is no window, or has been freed");
    return call;
}

struct mpi_call call_on_window(const char *function, MPI_Win handle)
{
    struct mpi_win *found = comm_world() ? window_find(handle) : NULL;

    return found ? (struct mpi_call){function, found->comm, found, NULL, NULL, MPI_SUCCESS}
                 : begin_without_window(function, handle);
}

struct mpi_call call_on_file(const char *function, MPI_File handle)
{
    struct mpi_call call = begin(function);

    if (call.code == MPI_SUCCESS) {
        call.file = file_find(handle);
        call.comm = call.file ? call.file->comm : NULL;
        call.file = call.file ? call.file : file_null();
    }
    if (!call.comm) {
        call_fail(&call, MPI_ERR_FILE, "%s",
                  handle == MPI_FILE_NULL ? "fh is MPI_FILE_NULL" : "fh is no file, or has been closed");
    }
    return call;
}

void call_fail(struct mpi_call *call, int code, const char *format, ...)
{
    va_list args;

    if (call->code == MPI_SUCCESS) {
        call->code = code;
        va_start(args, format);
        vsnprintf(what_is_wrong, sizeof(what_is_wrong), format, args);
        va_end(args);
    }
}

int call_end(struct mpi_call *call)
{
    struct mpi_file *file = call->file;
    struct mpi_win *win = call->win;

    if (call->code == MPI_SUCCESS) {
        return MPI_SUCCESS;
    }
    if (file) {
        return errors_raise_with(file->errhandler, &file->handle, call->code, call->function, what_is_wrong);
    }
    return win ? errors_raise_with(win->errhandler, &win->handle, call->code, call->function, what_is_wrong)
               : errors_raise(call->comm, call->code, call->function, what_is_wrong);
}

/* What went wrong in an operation whose arguments were good. */
static const char *reason(int code)
{
    switch (code) {
    case MPI_ERR_TYPE:
        return "a long does not fit the 4 octets that it has in external32";
    case MPI_ERR_TRUNCATE:
        return "another process sent more than this one has room for";
    case MPI_ERR_OTHER:
        return "memory is used up";
    default:
        return "the operation failed";
    }
}

int call_end_with(struct mpi_call *call, int code)
{
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "%s", reason(code));
    }
    return call_end(call);
}

struct mpi_type *call_any_type(struct mpi_call *call, MPI_Datatype datatype)
{
    struct mpi_type *type = call->code == MPI_SUCCESS ? type_find(datatype) : NULL;

    if (!type) {
        call_fail(call, MPI_ERR_TYPE, "%s",
                  datatype == MPI_DATATYPE_NULL ? "the datatype is MPI_DATATYPE_NULL"
                                                : "the datatype is none, or has been freed");
    }
    return type;
}

struct mpi_type *call_type(struct mpi_call *call, MPI_Datatype datatype)
{
    struct mpi_type *type = call_any_type(call, datatype);

    if (type && !type_is_committed(type)) {
        call_fail(call, MPI_ERR_TYPE, "the datatype is not committed; call MPI_Type_commit");
    } else if (datatype == MPI_LB || datatype == MPI_UB) {
        call_fail(call, MPI_ERR_TYPE, "MPI_LB and MPI_UB are for MPI_Type_struct only");
    }
    return call->code == MPI_SUCCESS ? type : NULL;
}

void call_intra(struct mpi_call *call)
{
    if (call->code == MPI_SUCCESS && call->comm->remote) {
        call_fail(call, MPI_ERR_COMM, "comm is an intercommunicator");
    }
}

void call_inter(struct mpi_call *call)
{
    if (call->code == MPI_SUCCESS && !call->comm->remote) {
        call_fail(call, MPI_ERR_COMM, "comm is no intercommunicator");
    }
}

void call_count(struct mpi_call *call, int count, const char *name)
{
    if (count < 0) {
        call_fail(call, MPI_ERR_COUNT, "%s is %d, less than 0", name, count);
    }
}

void call_output(struct mpi_call *call, const void *output, const char *name)
{
    if (!output) {
        call_fail(call, MPI_ERR_ARG, "%s is NULL", name);
    }
}

void call_octets_fail(struct mpi_call *call, const void *octets, size_t len, enum address_use use)
{
    call_fail(call, MPI_ERR_BUFFER, "the %zu octets of the buffer at %p cannot all be %s", len, octets,
              use == ADDRESS_WRITE ? "written" : "read");
}

void call_buffer(struct mpi_call *call, const void *buffer, int count, const struct mpi_type *type,
                 enum address_use use)
{
    ptrdiff_t from, to;

    if (call->code != MPI_SUCCESS || count <= 0 || type_octets(type, 1, TYPE_NATIVE) == 0) {
        return;
    }
    if (!type_range(type, (size_t)count, &from, &to)) {
        call_fail(call, MPI_ERR_COUNT, "%d elements of the datatype are larger than memory", count);
    } else if (!buffer && from <= 0 && to > 0) {
        call_fail(call, MPI_ERR_BUFFER, "the buffer is NULL");
    } else {
        call_octets(call, (const void *)((uintptr_t)buffer + (uintptr_t)from), (size_t)(to - from), use);
    }
}

void call_root(struct mpi_call *call, int root)
{
    int size = call->code == MPI_SUCCESS ? comm_peers(call->comm)->count : 0;
    bool special = size > 0 && call->comm->remote && (root == MPI_ROOT || root == MPI_PROC_NULL);

    if (size > 0 && !special && (root < 0 || root >= size)) {
        call_fail(call, MPI_ERR_ROOT, "root %d is not in 0 .. %d", root, size - 1);
    }
}

struct mpi_group *call_group(struct mpi_call *call, MPI_Group group)
{
    struct mpi_group *found = call->code == MPI_SUCCESS ? group_find(group) : NULL;

    if (!found) {
        call_fail(call, MPI_ERR_GROUP, "%s",
                  group == MPI_GROUP_NULL ? "the group is MPI_GROUP_NULL" : "the group is none, or has been freed");
    }
    return found;
}

struct mpi_op *call_op(struct mpi_call *call, MPI_Op op, const struct mpi_type *type)
{
    struct mpi_op *found = call->code == MPI_SUCCESS ? op_find(op) : NULL;

    if (!found) {
        call_fail(call, MPI_ERR_OP, "%s",
                  op == MPI_OP_NULL ? "the operation is MPI_OP_NULL" : "the operation is none, or has been freed");
    } else if (!op_takes(found, type)) {
        call_fail(call, MPI_ERR_OP, "the operation has no meaning for the datatype");
    }
    return call->code == MPI_SUCCESS ? found : NULL;
}

void call_info(struct mpi_call *call, MPI_Info info)
{
    if (call->code == MPI_SUCCESS && info != MPI_INFO_NULL && !handle_find(HANDLE_INFO, info)) {
        call_fail(call, MPI_ERR_INFO, "info is none, or freed");
    }
}

void call_name(struct mpi_call *call, struct mpi_comm *comm, MPI_Comm *handle)
{
    MPI_Comm name = comm ? comm_name(comm) : MPI_COMM_NULL;

    if (name == MPI_COMM_NULL) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    } else {
        *handle = name;
    }
}
