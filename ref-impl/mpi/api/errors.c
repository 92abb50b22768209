/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers and the texts of errors, as programs use them: chapters 7.2 and 7.3 of MPI.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/files/file.h"
#include "ref-impl/mpi/windows/window.h"

/* Makes a handler of a function of the program's. */
static int create(struct mpi_call *call, MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    struct mpi_errhandler *handler;

    call_output(call, errhandler, "errhandler");
    if (!function) {
        call_fail(call, MPI_ERR_ARG, "function is NULL");
    }
    if (call->code != MPI_SUCCESS) {
        return call_end(call);
    }
    handler = malloc(sizeof(*handler));
    if (handler) {
        *handler = (struct mpi_errhandler){ERRORS_CALL, function, handle_new(HANDLE_ERRHANDLER, handler), 1, 1};
    }
    if (!handler || !handler->handle) {
        free(handler);
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    *errhandler = handler->handle;
    return MPI_SUCCESS;
}

API int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_without("MPI_Errhandler_create");

    return create(&call, function, errhandler);
}

/* What it is called with is the address of a handle either way (errors_raise.h). */
API int MPI_Win_create_errhandler(MPI_Win_errhandler_fn *function, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_without("MPI_Win_create_errhandler");

    return create(&call, (MPI_Handler_function *)(void (*)(void))function, errhandler);
}

API int MPI_File_create_errhandler(MPI_File_errhandler_fn *function, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_without("MPI_File_create_errhandler");

    return create(&call, (MPI_Handler_function *)(void (*)(void))function, errhandler);
}

/* A call on a file, or on MPI_FILE_NULL, whose handler new files get. */
static struct mpi_call on_file(const char *function, MPI_File fh)
{
    struct mpi_call call = fh == MPI_FILE_NULL ? call_without(function) : call_on_file(function, fh);

    if (fh == MPI_FILE_NULL && call.code == MPI_SUCCESS) {
        call.file = file_null();
    }
    return call;
}

/* The handler of a handle, or a failed call. */
static struct mpi_errhandler *find(struct mpi_call *call, MPI_Errhandler handle)
{
    struct mpi_errhandler *handler = errors_find(handle);

    if (call->code == MPI_SUCCESS && !handler) {
        call_fail(call, MPI_ERR_ARG, "%s",
                  handle == MPI_ERRHANDLER_NULL ? "errhandler is MPI_ERRHANDLER_NULL"
                                                : "errhandler is no error handler");
    }
    return call->code == MPI_SUCCESS ? handler : NULL;
}

API int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    struct mpi_call call = call_on("MPI_Errhandler_set", comm);
    struct mpi_errhandler *handler = find(&call, errhandler);

    if (handler) {
        errors_hold(handler);
        errors_release(call.comm->errhandler);
        call.comm->errhandler = handler;
    }
    return call_end(&call);
}

API int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    struct mpi_call call = call_on_window("MPI_Win_set_errhandler", win);
    struct mpi_errhandler *handler = find(&call, errhandler);

    if (handler) {
        errors_hold(handler);
        errors_release(call.win->errhandler);
        call.win->errhandler = handler;
    }
    return call_end(&call);
}

API int MPI_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler)
{
    struct mpi_call call = on_file("MPI_File_set_errhandler", fh);
    struct mpi_errhandler *handler = find(&call, errhandler);

    if (call.code == MPI_SUCCESS) {
        errors_hold(handler);
        errors_release(call.file->errhandler);
        call.file->errhandler = handler;
    }
    return call_end(&call);
}

/* Gives the program the handle of a handler, once more. */
static int name(struct mpi_call *call, struct mpi_errhandler *handler, MPI_Errhandler *errhandler)
{
    if (handler->names == 0 && handler->reaction == ERRORS_CALL) {
        handler->handle = handle_new(HANDLE_ERRHANDLER, handler);
    }
    if (!handler->handle) {
        handler->handle = MPI_ERRHANDLER_NULL;
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    if (handler->reaction == ERRORS_CALL) {
        handler->names++;
        errors_hold(handler);
    }
    *errhandler = handler->handle;
    return MPI_SUCCESS;
}

API int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_on("MPI_Errhandler_get", comm);

    call_output(&call, errhandler, "errhandler");
    return call.code == MPI_SUCCESS ? name(&call, call.comm->errhandler, errhandler) : call_end(&call);
}

API int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_on_window("MPI_Win_get_errhandler", win);

    call_output(&call, errhandler, "errhandler");
    return call.code == MPI_SUCCESS ? name(&call, call.win->errhandler, errhandler) : call_end(&call);
}

API int MPI_File_get_errhandler(MPI_File fh, MPI_Errhandler *errhandler)
{
    struct mpi_call call = on_file("MPI_File_get_errhandler", fh);

    call_output(&call, errhandler, "errhandler");
    return call.code == MPI_SUCCESS ? name(&call, call.file->errhandler, errhandler) : call_end(&call);
}

API int MPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_without("MPI_Errhandler_free");
    struct mpi_errhandler *handler;

    call_output(&call, errhandler, "errhandler");
    handler = call.code == MPI_SUCCESS ? find(&call, *errhandler) : NULL;
    if (!handler) {
        return call_end(&call);
    }
    if (handler->reaction == ERRORS_CALL) {
        if (--handler->names == 0) {
            handle_free(HANDLE_ERRHANDLER, *errhandler);
            handler->handle = MPI_ERRHANDLER_NULL;
        }
        errors_release(handler);
    }
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

API int MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    struct mpi_call call = call_without("MPI_Error_string");
    const char *text = errors_text(errorcode);

    call_output(&call, string, "string");
    call_output(&call, resultlen, "resultlen");
    if (!text) {
        call_fail(&call, MPI_ERR_ARG, "errorcode %d is no error code", errorcode);
    }
    if (call.code == MPI_SUCCESS) {
        *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "%s", text);
    }
    return call_end(&call);
}

API int MPI_Error_class(int errorcode, int *errorclass)
{
    struct mpi_call call = call_without("MPI_Error_class");

    call_output(&call, errorclass, "errorclass");
    if (!errors_text(errorcode)) {
        call_fail(&call, MPI_ERR_ARG, "errorcode %d is no error code", errorcode);
    }
    if (call.code == MPI_SUCCESS) {
        *errorclass = errors_class(errorcode);
    }
    return call_end(&call);
}

/* Calls the error handler of the call's object, as if this error had been found. */
static int call_handler(struct mpi_call *call, int errorcode)
{
    if (!errors_text(errorcode)) {
        call_fail(call, MPI_ERR_ARG, "errorcode %d is no error code", errorcode);
    }
    if (call->code != MPI_SUCCESS) {
        return call_end(call);
    }
    (void)call_end_with(call, errorcode);
    return MPI_SUCCESS;
}

API int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    struct mpi_call call = call_on("MPI_Comm_call_errhandler", comm);

    return call_handler(&call, errorcode);
}

API int MPI_Win_call_errhandler(MPI_Win win, int errorcode)
{
    struct mpi_call call = call_on_window("MPI_Win_call_errhandler", win);

    return call_handler(&call, errorcode);
}

API int MPI_File_call_errhandler(MPI_File fh, int errorcode)
{
    struct mpi_call call = on_file("MPI_File_call_errhandler", fh);

    return call_handler(&call, errorcode);
}

/* ---- codes of the program ---- */

/* Adds a code and stores it. */
static int add(struct mpi_call *call, int class, int *code)
{
    int made = call->code == MPI_SUCCESS ? errors_add(class) : -1;

    if (made < 0) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    *code = made;
    return MPI_SUCCESS;
}

API int MPI_Add_error_class(int *errorclass)
{
    struct mpi_call call = call_without("MPI_Add_error_class");

    call_output(&call, errorclass, "errorclass");
    return add(&call, -1, errorclass);
}

API int MPI_Add_error_code(int errorclass, int *errorcode)
{
    struct mpi_call call = call_without("MPI_Add_error_code");

    call_output(&call, errorcode, "errorcode");
    if (!errors_text(errorclass) || errors_class(errorclass) != errorclass) {
        call_fail(&call, MPI_ERR_ARG, "errorclass %d is no error class", errorclass);
    }
    return add(&call, errorclass, errorcode);
}

API int MPI_Add_error_string(int errorcode, const char *string)
{
    struct mpi_call call = call_without("MPI_Add_error_string");

    call_output(&call, string, "string");
    if (errorcode <= MPI_ERR_LASTCODE || !errors_text(errorcode)) {
        call_fail(&call, MPI_ERR_ARG, "errorcode %d is none that the program has added", errorcode);
    }
    if (call.code == MPI_SUCCESS && !errors_set_text(errorcode, string)) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    }
    return call_end(&call);
}

RENAMED(MPI_Comm_create_errhandler, MPI_Errhandler_create);
RENAMED(MPI_Comm_set_errhandler, MPI_Errhandler_set);
RENAMED(MPI_Comm_get_errhandler, MPI_Errhandler_get);
