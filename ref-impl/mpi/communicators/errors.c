/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers: who is told of an error, and in which words. Chapter 7.2 and 7.3 of MPI; call.c finds most errors.
 */
#include "ref-impl/mpi/communicators/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/handle.h"

static struct mpi_errhandler fatal = {ERRORS_ABORT, NULL, MPI_ERRORS_ARE_FATAL, 0, 1};
static struct mpi_errhandler returning = {ERRORS_RETURN, NULL, MPI_ERRORS_RETURN, 0, 1};

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
    [MPI_ERR_INFO] = "invalid info",
    [MPI_ERR_INFO_KEY] = "invalid key of an info",
    [MPI_ERR_INFO_VALUE] = "invalid value of an info",
    [MPI_ERR_INFO_NOKEY] = "the info has no such key",
    [MPI_ERR_WIN] = "invalid window",
    [MPI_ERR_SIZE] = "invalid size",
    [MPI_ERR_DISP] = "invalid displacement, or one outside the window",
    [MPI_ERR_LOCKTYPE] = "invalid kind of lock",
    [MPI_ERR_ASSERT] = "invalid assertion",
    [MPI_ERR_RMA_SYNC] = "wrong order of synchronisation of a window",
    [MPI_ERR_NO_MEM] = "no memory",
    [MPI_ERR_RMA_RANGE] = "nothing is attached at an address of a window",
    [MPI_ERR_RMA_ATTACH] = "memory cannot be attached to a window, or is not",
    [MPI_ERR_RMA_SHARED] = "processes share no memory",
    [MPI_ERR_RMA_FLAVOR] = "wrong kind of window",
    [MPI_ERR_RMA_CONFLICT] = "conflicting accesses to a window",
    [MPI_ERR_KEYVAL] = "invalid key of an attribute",
    [MPI_ERR_FILE] = "invalid file",
    [MPI_ERR_NOT_SAME] = "processes disagree",
    [MPI_ERR_AMODE] = "invalid access mode",
    [MPI_ERR_UNSUPPORTED_DATAREP] = "unsupported data representation",
    [MPI_ERR_UNSUPPORTED_OPERATION] = "unsupported operation",
    [MPI_ERR_NO_SUCH_FILE] = "no such file",
    [MPI_ERR_FILE_EXISTS] = "file exists",
    [MPI_ERR_BAD_FILE] = "invalid file name",
    [MPI_ERR_ACCESS] = "permission denied",
    [MPI_ERR_NO_SPACE] = "no space",
    [MPI_ERR_QUOTA] = "quota exceeded",
    [MPI_ERR_READ_ONLY] = "read-only file or file system",
    [MPI_ERR_FILE_IN_USE] = "file in use",
    [MPI_ERR_DUP_DATAREP] = "data representation exists",
    [MPI_ERR_CONVERSION] = "conversion failed",
    [MPI_ERR_IO] = "input or output failed",
    [MPI_ERR_SPAWN] = "processes cannot be started",
    [MPI_ERR_PORT] = "invalid port",
    [MPI_ERR_SERVICE] = "invalid name of a service",
    [MPI_ERR_NAME] = "nothing published under the name",
    [MPI_ERR_BASE] = "invalid base of memory",
    [MPI_T_ERR_MEMORY] = "memory is used up",
    [MPI_T_ERR_NOT_INITIALIZED] = "tool interface not initialized",
    [MPI_T_ERR_CANNOT_INIT] = "tool interface cannot be initialized",
    [MPI_T_ERR_INVALID_INDEX] = "invalid index of the tool interface",
    [MPI_T_ERR_INVALID_ITEM] = "invalid item of an enumeration",
    [MPI_T_ERR_INVALID_HANDLE] = "invalid handle of the tool interface",
    [MPI_T_ERR_OUT_OF_HANDLES] = "no more handles of the tool interface",
    [MPI_T_ERR_OUT_OF_SESSIONS] = "no more sessions of the tool interface",
    [MPI_T_ERR_INVALID_SESSION] = "invalid session of the tool interface",
    [MPI_T_ERR_CVAR_SET_NOT_NOW] = "control variable cannot be set now",
    [MPI_T_ERR_CVAR_SET_NEVER] = "control variable cannot be set",
    [MPI_T_ERR_PVAR_NO_STARTSTOP] = "performance variable is never started or stopped",
    [MPI_T_ERR_PVAR_NO_WRITE] = "performance variable cannot be written",
    [MPI_T_ERR_PVAR_NO_ATOMIC] = "performance variable is not read and reset at once",
    [MPI_T_ERR_INVALID_NAME] = "unknown name of the tool interface",
    [MPI_T_ERR_INVALID] = "invalid argument of the tool interface",
};

/* Codes that the program has added: that of added[i] is MPI_ERR_LASTCODE + 1 + i. */
static struct added_code {
    int class;
    char *text; /* NULL: none yet */
} * added;
static int added_count;

static struct added_code *added_at(int code)
{
    return code > MPI_ERR_LASTCODE && code - MPI_ERR_LASTCODE <= added_count ? &added[code - MPI_ERR_LASTCODE - 1]
                                                                             : NULL;
}

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
    while (added_count > 0) {
        free(added[--added_count].text);
    }
    free(added);
    added = NULL;
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
    if (handler && --handler->holders == 0 && handler->reaction == ERRORS_CALL) {
        free(handler);
    }
}

const char *errors_text(int code)
{
    const struct added_code *own = added_at(code);

    if (own) {
        return own->text ? own->text : "";
    }
    return code >= 0 && code <= MPI_ERR_LASTCODE ? texts[code] : NULL;
}

int errors_class(int code)
{
    const struct added_code *own = added_at(code);

    return own ? own->class : code;
}

int errors_last(void)
{
    return MPI_ERR_LASTCODE + added_count;
}

int errors_add(int class)
{
    struct added_code *more = realloc(added, ((size_t)added_count + 1) * sizeof(*more));
    int code = errors_last() + 1;

    if (!more) {
        return -1;
    }
    added = more;
    added[added_count++] = (struct added_code){class < 0 ? code : class, NULL};
    return code;
}

bool errors_set_text(int code, const char *text)
{
    struct added_code *own = added_at(code);
    char *copy = own ? strndup(text, MPI_MAX_ERROR_STRING - 1) : NULL;

    if (copy) {
        free(own->text);
        own->text = copy;
    }
    return copy != NULL;
}
