/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Telling the program of an error: see errors_raise.h. api/call.c finds most errors.
 */
#include "ref-impl/mpi/communicators/errors_raise.h"

#include <stdio.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/communicators/errors.h"

_Noreturn static void die(int code, const char *function, const char *what)
{
    char why[512];
    const char *text = errors_text(code);

    snprintf(why, sizeof(why), "%s: %s (%s)", function, what, text ? text : "no error code of MPI");
    world_abort(code, why);
}

int errors_raise_with(const struct mpi_errhandler *handler, void *object, int code, const char *function,
                      const char *what)
{
    switch (handler ? handler->reaction : ERRORS_ABORT) {
    case ERRORS_ABORT:
        die(code, function, what);
    case ERRORS_RETURN:
        break;
    case ERRORS_CALL:
        handler->function(object, &code);
        break;
    }
    return code;
}

int errors_raise(struct mpi_comm *comm, int code, const char *function, const char *what)
{
    struct mpi_comm *raised_on = comm ? comm : comm_world();

    return errors_raise_with(raised_on ? raised_on->errhandler : NULL, raised_on ? &raised_on->handle : NULL, code,
                             function, what);
}
