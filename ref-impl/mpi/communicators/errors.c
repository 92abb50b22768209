/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers: who is told of an error, and in which words. Chapter 7.2 and 7.3 of MPI; call.c finds most errors.
 */
#include "ref-impl/mpi/communicators/errors.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"

/* What is done with an error. */
enum reaction { ABORT, RETURN, CALL };

struct mpi_errhandler {
    enum reaction reaction;
    MPI_Handler_function *function; /* of CALL */
    MPI_Errhandler handle;          /* MPI_ERRHANDLER_NULL: the program has freed it as often as it got it */
    unsigned names;                 /* how often the program got it */
    unsigned holders;               /* those, and communicators */
};

static struct mpi_errhandler fatal = {ABORT, NULL, MPI_ERRORS_ARE_FATAL, 0, 1};
static struct mpi_errhandler returning = {RETURN, NULL, MPI_ERRORS_RETURN, 0, 1};

static const char *const texts[MPI_ERR_LASTCODE + 1] = {
    [MPI_SUCCESS] = "no error",
    [MPI_ERR_BUFFER] = "invalid buffer, or too small a buffer",
    [MPI_ERR_COUNT] = "invalid count",
    [MPI_ERR_TYPE] = "invalid datatype, or a value that cannot be represented",
    [MPI_ERR_TAG] = "invalid tag",
    [MPI_ERR_COMM] = "invalid communicator",
    [MPI_ERR_RANK] = "invalid rank",
    [MPI_ERR_REQUEST] = "invalid request",
    [MPI_ERR_ROOT] = "invalid root",
    [MPI_ERR_GROUP] = "invalid group",
    [MPI_ERR_OP] = "invalid operation",
    [MPI_ERR_TOPOLOGY] = "invalid topology",
    [MPI_ERR_DIMS] = "invalid dimensions",
    [MPI_ERR_ARG] = "invalid argument",
    [MPI_ERR_UNKNOWN] = "unknown error",
    [MPI_ERR_TRUNCATE] = "message truncated: it is longer than the receive buffer",
    [MPI_ERR_OTHER] = "a resource is used up",
    [MPI_ERR_INTERN] = "internal error of the MPI library",
    [MPI_ERR_IN_STATUS] = "the statuses have the errors",
    [MPI_ERR_PENDING] = "the request is pending",
};

bool errors_open(void)
{
    return handle_set(HANDLE_ERRHANDLER, MPI_ERRORS_ARE_FATAL, &fatal) &&
           handle_set(HANDLE_ERRHANDLER, MPI_ERRORS_RETURN, &returning);
}

void errors_close(void)
{
    struct mpi_errhandler *handler;
    size_t place = 0;

    while ((handler = handle_next(HANDLE_ERRHANDLER, &place))) {
        if (handler->names > 0) {
            handler->holders -= handler->names - 1;
            errors_release(handler);
        }
    }
    handle_close(HANDLE_ERRHANDLER);
}

struct mpi_errhandler *errors_find(MPI_Errhandler handle)
{
    return handle_find(HANDLE_ERRHANDLER, handle);
}

void errors_hold(struct mpi_errhandler *handler)
{
    handler->holders++;
}

void errors_release(struct mpi_errhandler *handler)
{
    if (handler && --handler->holders == 0 && handler->reaction == CALL) {
        free(handler);
    }
}

const char *errors_text(int code)
{
    return code >= 0 && code <= MPI_ERR_LASTCODE ? texts[code] : NULL;
}

_Noreturn static void die(int code, const char *function, const char *what)
{
    char why[512];
    const char *text = errors_text(code);

    snprintf(why, sizeof(why), "%s: %s (%s)", function, what, text ? text : "no error code of MPI");
    world_abort(code, why);
}

int errors_raise(struct mpi_comm *comm, int code, const char *function, const char *what)
{
    struct mpi_comm *raised_on = comm ? comm : comm_world();
    struct mpi_errhandler *handler = raised_on ? raised_on->errhandler : &fatal;

    switch (handler->reaction) {
    case ABORT:
        die(code, function, what);
    case RETURN:
        break;
    case CALL:
        handler->function(&raised_on->handle, &code);
        break;
    }
    return code;
}

API int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_without("MPI_Errhandler_create");
    struct mpi_errhandler *handler;

    call_output(&call, errhandler, "errhandler");
    if (!function) {
        call_fail(&call, MPI_ERR_ARG, "function is NULL");
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    handler = malloc(sizeof(*handler));
    if (handler) {
        *handler = (struct mpi_errhandler){CALL, function, handle_new(HANDLE_ERRHANDLER, handler), 1, 1};
    }
    if (!handler || !handler->handle) {
        free(handler);
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    *errhandler = handler->handle;
    return MPI_SUCCESS;
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

API int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    struct mpi_call call = call_on("MPI_Errhandler_get", comm);
    struct mpi_errhandler *handler;

    call_output(&call, errhandler, "errhandler");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    handler = call.comm->errhandler;
    if (handler->names == 0 && handler->reaction == CALL) {
        handler->handle = handle_new(HANDLE_ERRHANDLER, handler);
    }
    if (!handler->handle) {
        handler->handle = MPI_ERRHANDLER_NULL;
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    if (handler->reaction == CALL) {
        handler->names++;
        errors_hold(handler);
    }
    *errhandler = handler->handle;
    return MPI_SUCCESS;
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
    if (handler->reaction == CALL) {
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
        *errorclass = errorcode;
    }
    return call_end(&call);
}
