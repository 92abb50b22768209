/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The part of the Fortran 77 binding that no rule of binding.py makes: addresses, lists, and what the subroutines
 * have in common (f77.h). Attributes are in f77_attributes.c.
 */
#include "ref-impl/mpi/fortran/f77.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* As strictly aligned as any compiler aligns a COMMON block, or ld warns about it in every program. */
MPI_Fint mpi_assay_bottom_ __attribute__((aligned(32)));
MPI_Fint mpi_assay_place_ __attribute__((aligned(32)));
MPI_Fint mpi_assay_ignore_[16] __attribute__((aligned(32)));

/* An error that the library cannot know: fatal, unless the program wants errors returned. */
static int fail(const char *function, int code, const char *what)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

    (void)MPI_Errhandler_get(MPI_COMM_WORLD, &handler);
    if (handler == MPI_ERRORS_ARE_FATAL) {
        fprintf(stderr, "%s: %s\n", function, what);
        (void)MPI_Abort(MPI_COMM_WORLD, code);
    }
    return code;
}

void *f77_room(int count, size_t octets)
{
    void *room = calloc(count > 0 ? (size_t)count : 1, octets);

    if (!room) {
        fputs("mpif77: memory is used up\n", stderr);
        (void)MPI_Abort(MPI_COMM_WORLD, MPI_ERR_OTHER);
    }
    return room;
}

int f77_integer(const char *function, int code, MPI_Aint value, MPI_Fint *to)
{
    if (code != MPI_SUCCESS) {
        return code;
    }
    if (value < INT_MIN || value > INT_MAX) {
        return fail(function, MPI_ERR_ARG, "the number of octets is larger than an INTEGER can be");
    }
    *to = (MPI_Fint)value;
    return code;
}

void *f77_place(const void *buffer)
{
    return buffer == &mpi_assay_place_ ? MPI_IN_PLACE : (void *)(uintptr_t)buffer;
}

void f77_text(const char *from, char *to, size_t octets)
{
    size_t len = strlen(from);

    memset(to, ' ', octets);
    memcpy(to, from, len < octets ? len : octets);
}

char *f77_string(const char *from, size_t octets)
{
    char *text;

    while (octets > 0 && from[octets - 1] == ' ') {
        octets--;
    }
    while (octets > 0 && *from == ' ') {
        from++;
        octets--;
    }
    text = f77_room((int)octets + 1, 1);
    return memcpy(text, from, octets);
}

static bool is_wanted(const MPI_Fint *status)
{
    return status != mpi_assay_ignore_ && status != mpi_assay_ignore_ + sizeof(MPI_Status) / sizeof(*status);
}

MPI_Fint *f77_status_at(MPI_Fint *statuses, int i)
{
    return is_wanted(statuses) ? statuses + (size_t)i * (sizeof(MPI_Status) / sizeof(*statuses)) : statuses;
}

void f77_status_end(const MPI_Status *from, int count, MPI_Fint *to)
{
    for (int i = 0; is_wanted(to) && i < count; i++) {
        (void)MPI_Status_c2f(&from[i], f77_status_at(to, i));
    }
}

/* ---- without rule ---- */

API void pmpi_init_(MPI_Fint *ierror)
{
    *ierror = MPI_Init(NULL, NULL);
}
F77_SECOND_NAME(mpi_init_, pmpi_init_, (MPI_Fint * ierror))

API void pmpi_init_thread_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    *ierror = MPI_Init_thread(NULL, NULL, *required, provided);
}
F77_SECOND_NAME(mpi_init_thread_, pmpi_init_thread_, (const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror))

API double pmpi_wtime_(void)
{
    return MPI_Wtime();
}
API double mpi_wtime_(void) __attribute__((weak, alias("pmpi_wtime_")));

API double pmpi_wtick_(void)
{
    return MPI_Wtick();
}
API double mpi_wtick_(void) __attribute__((weak, alias("pmpi_wtick_")));

API void pmpi_pcontrol_(const MPI_Fint *level)
{
    (void)MPI_Pcontrol(*level);
}
F77_SECOND_NAME(mpi_pcontrol_, pmpi_pcontrol_, (const MPI_Fint *level))

/* The program knows its buffer; its address is not given back. */
API void pmpi_buffer_detach_(void *buffer, MPI_Fint *size, MPI_Fint *ierror)
{
    void *address = NULL;

    (void)buffer;
    *ierror = MPI_Buffer_detach(&address, size);
}
F77_SECOND_NAME(mpi_buffer_detach_, pmpi_buffer_detach_, (void *buffer, MPI_Fint *size, MPI_Fint *ierror))

/* Addresses are relative to the COMMON block of MPI_BOTTOM, so that those of variables that are not on a stack fit. */
API void pmpi_address_(const void *location, MPI_Fint *address, MPI_Fint *ierror)
{
    MPI_Aint at = 0;
    MPI_Aint bottom = 0;
    int code = MPI_Address(location, &at);

    if (code == MPI_SUCCESS) {
        code = MPI_Address(&mpi_assay_bottom_, &bottom);
    }
    *ierror = f77_integer("MPI_ADDRESS", code, at - bottom, address);
}
F77_SECOND_NAME(mpi_address_, pmpi_address_, (const void *location, MPI_Fint *address, MPI_Fint *ierror))

/* All addresses fit here; they are relative all the same, for MPI_BOTTOM is the base of both. */
API void pmpi_get_address_(const void *location, MPI_Aint *address, MPI_Fint *ierror)
{
    MPI_Aint at = 0;
    MPI_Aint bottom = 0;
    int code = MPI_Get_address(location, &at);

    if (code == MPI_SUCCESS) {
        code = MPI_Get_address(&mpi_assay_bottom_, &bottom);
    }
    if (code == MPI_SUCCESS) {
        *address = at - bottom;
    }
    *ierror = code;
}
F77_SECOND_NAME(mpi_get_address_, pmpi_get_address_, (const void *location, MPI_Aint *address, MPI_Fint *ierror))

/* No more characters are stored than the program asks for, whatever its CHARACTER has room for. */
API void pmpi_info_get_(const MPI_Fint *info, const char *key, const MPI_Fint *valuelen, char *value, MPI_Fint *flag,
                        MPI_Fint *ierror, size_t key_octets, size_t value_octets)
{
    char *c_key = f77_string(key, key_octets);
    char c_value[MPI_MAX_INFO_VAL + 1] = "";
    int most = *valuelen < MPI_MAX_INFO_VAL ? *valuelen : MPI_MAX_INFO_VAL;

    *ierror = MPI_Info_get(MPI_Info_f2c(*info), c_key, most, c_value, flag);
    if (*ierror == MPI_SUCCESS && *flag) {
        f77_text(c_value, value, value_octets);
    }
    free(c_key);
}
F77_SECOND_NAME(mpi_info_get_, pmpi_info_get_,
                (const MPI_Fint *info, const char *key, const MPI_Fint *valuelen, char *value, MPI_Fint *flag,
                 MPI_Fint *ierror, size_t key_octets, size_t value_octets))

MPI_Datatype *f77_types(const MPI_Fint *types, int count)
{
    MPI_Datatype *made = f77_room(count, sizeof(*made));

    for (int i = 0; made && i < count; i++) {
        made[i] = MPI_Type_f2c(types[i]);
    }
    return made;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API void pmpi_ialltoallw_(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Fint *sendtypes,
                          void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Fint *recvtypes,
                          const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Comm c_comm = MPI_Comm_f2c(*comm);
    bool in_place = sendbuf == &mpi_assay_place_;
    MPI_Request c_request = MPI_REQUEST_NULL;
    MPI_Datatype *in, *out;
    int size = 0;

    *ierror = MPI_Comm_size(c_comm, &size);
    if (*ierror != MPI_SUCCESS) {
        return;
    }
    out = f77_types(sendtypes, in_place ? 0 : size);
    in = f77_types(recvtypes, size);
    *ierror =
        request ? MPI_Ialltoallw(f77_place(sendbuf), sendcounts, sdispls, out, recvbuf, recvcounts, rdispls, in, c_comm,
                                 &c_request)
                : MPI_Alltoallw(f77_place(sendbuf), sendcounts, sdispls, out, recvbuf, recvcounts, rdispls, in, c_comm);
    if (request) {
        *request = MPI_Request_c2f(c_request);
    }
    free(out);
    free(in);
}
F77_SECOND_NAME(mpi_ialltoallw_, pmpi_ialltoallw_,
                (const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Fint *sendtypes,
                 void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Fint *recvtypes,
                 const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror))

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API void pmpi_alltoallw_(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Fint *sendtypes,
                         void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Fint *recvtypes,
                         const MPI_Fint *comm, MPI_Fint *ierror)
{
    pmpi_ialltoallw_(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, NULL,
                     ierror);
}
F77_SECOND_NAME(mpi_alltoallw_, pmpi_alltoallw_,
                (const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Fint *sendtypes,
                 void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Fint *recvtypes,
                 const MPI_Fint *comm, MPI_Fint *ierror))

/* ---- one-sided communication ---- */

API void pmpi_alloc_mem_(const MPI_Aint *size, const MPI_Fint *info, MPI_Aint *baseptr, MPI_Fint *ierror)
{
    void *memory = NULL;

    *ierror = MPI_Alloc_mem(*size, MPI_Info_f2c(*info), &memory);
    if (*ierror == MPI_SUCCESS) {
        *baseptr = (MPI_Aint)(intptr_t)memory;
    }
}
F77_SECOND_NAME(mpi_alloc_mem_, pmpi_alloc_mem_,
                (const MPI_Aint *size, const MPI_Fint *info, MPI_Aint *baseptr, MPI_Fint *ierror))

/* ---- datatypes of MPI-2 and MPI-3 ---- */

API MPI_Aint pmpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp)
{
    return MPI_Aint_add(*base, *disp);
}
API MPI_Aint mpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp) __attribute__((weak, alias("pmpi_aint_add_")));

API MPI_Aint pmpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2)
{
    return MPI_Aint_diff(*addr1, *addr2);
}
API MPI_Aint mpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2)
    __attribute__((weak, alias("pmpi_aint_diff_")));

API void pmpi_type_get_contents_(const MPI_Fint *datatype, const MPI_Fint *max_integers, const MPI_Fint *max_addresses,
                                 const MPI_Fint *max_datatypes, MPI_Fint *integers, MPI_Aint *addresses,
                                 MPI_Fint *datatypes, MPI_Fint *ierror)
{
    MPI_Datatype *types = f77_room(*max_datatypes, sizeof(MPI_Datatype));
    int num_integers, num_addresses, num_datatypes = 0, combiner;

    *ierror = MPI_Type_get_contents(MPI_Type_f2c(*datatype), *max_integers, *max_addresses, *max_datatypes, integers,
                                    addresses, types);
    if (*ierror == MPI_SUCCESS) {
        (void)MPI_Type_get_envelope(MPI_Type_f2c(*datatype), &num_integers, &num_addresses, &num_datatypes, &combiner);
    }
    for (int i = 0; i < num_datatypes; i++) {
        datatypes[i] = MPI_Type_c2f(types[i]);
    }
    free(types);
}
F77_SECOND_NAME(mpi_type_get_contents_, pmpi_type_get_contents_,
                (const MPI_Fint *datatype, const MPI_Fint *max_integers, const MPI_Fint *max_addresses,
                 const MPI_Fint *max_datatypes, MPI_Fint *integers, MPI_Aint *addresses, MPI_Fint *datatypes,
                 MPI_Fint *ierror))

API void pmpi_win_allocate_(const MPI_Aint *size, const MPI_Fint *disp_unit, const MPI_Fint *info, const MPI_Fint *comm,
                            MPI_Aint *baseptr, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Win made = MPI_WIN_NULL;
    void *memory = NULL;

    *ierror = MPI_Win_allocate(*size, *disp_unit, MPI_Info_f2c(*info), MPI_Comm_f2c(*comm), (void *)&memory, &made);
    *baseptr = (MPI_Aint)memory;
    *win = MPI_Win_c2f(made);
}
F77_SECOND_NAME(mpi_win_allocate_, pmpi_win_allocate_,
                (const MPI_Aint *size, const MPI_Fint *disp_unit, const MPI_Fint *info, const MPI_Fint *comm,
                 MPI_Aint *baseptr, MPI_Fint *win, MPI_Fint *ierror))
