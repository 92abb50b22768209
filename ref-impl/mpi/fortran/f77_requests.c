/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Requests that a program in Fortran completes, and the functions of its own that MPI calls for them. Chapter 8.2 of
 * MPI-2.
 */
#include "ref-impl/mpi/fortran/f77.h"

typedef void f77_query(MPI_Aint *extra, MPI_Fint *status, MPI_Fint *ierror);
typedef void f77_release(MPI_Aint *extra, MPI_Fint *ierror);
typedef void f77_cancel(MPI_Aint *extra, const MPI_Fint *complete, MPI_Fint *ierror);

/* The functions of a request, and their argument. */
struct own {
    f77_query *query;
    f77_release *release;
    f77_cancel *cancel;
    MPI_Aint extra;
};

static int query_call(void *extra, MPI_Status *status)
{
    struct own *own = extra;
    MPI_Fint numbers[sizeof(MPI_Status) / sizeof(MPI_Fint)], code = MPI_SUCCESS;

    (void)MPI_Status_c2f(status, numbers);
    own->query(&own->extra, numbers, &code);
    (void)MPI_Status_f2c(numbers, status);
    return code;
}

static int release_call(void *extra)
{
    struct own *own = extra;
    MPI_Fint code = MPI_SUCCESS;

    own->release(&own->extra, &code);
    free(own);
    return code;
}

static int cancel_call(void *extra, int complete)
{
    struct own *own = extra;
    MPI_Fint code = MPI_SUCCESS;

    own->cancel(&own->extra, &complete, &code);
    return code;
}

API void pmpi_grequest_start_(f77_query *query_fn, f77_release *free_fn, f77_cancel *cancel_fn,
                              const MPI_Aint *extra_state, MPI_Fint *request, MPI_Fint *ierror)
{
    struct own *own = f77_room(1, sizeof(*own));
    MPI_Request made = MPI_REQUEST_NULL;

    *own = (struct own){query_fn, free_fn, cancel_fn, *extra_state};
    *ierror = MPI_Grequest_start(query_call, release_call, cancel_call, own, &made);
    if (*ierror != MPI_SUCCESS) {
        free(own);
    }
    *request = MPI_Request_c2f(made);
}
F77_SECOND_NAME(mpi_grequest_start_, pmpi_grequest_start_,
                (f77_query * query_fn, f77_release *free_fn, f77_cancel *cancel_fn, const MPI_Aint *extra_state,
                 MPI_Fint *request, MPI_Fint *ierror))
