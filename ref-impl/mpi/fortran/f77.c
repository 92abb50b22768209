/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The part of the Fortran 77 binding that no rule of binding.py makes: functions of the program's that MPI calls,
 * addresses, and what the subroutines have in common (f77.h).
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

/* ---- attributes ---- */

typedef void f77_copy(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *extra, const MPI_Fint *in,
                      MPI_Fint *out, MPI_Fint *flag, MPI_Fint *ierror);
typedef void f77_delete(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, const MPI_Fint *extra,
                        MPI_Fint *ierror);

/* The functions of a key. They are kept, for attributes may outlive their key. */
static struct key {
    f77_copy *copy;
    f77_delete *remove;
    MPI_Fint extra;
    struct key *next;
} * keys;

static int copy_call(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    const struct key *key = extra;
    MPI_Fint number = MPI_Comm_c2f(comm);
    MPI_Fint value = (MPI_Fint)(intptr_t)in;
    MPI_Fint copied = 0;
    MPI_Fint code = MPI_SUCCESS;

    key->copy(&number, &keyval, &key->extra, &value, &copied, flag, &code);
    *(void **)out = (void *)(intptr_t)copied;
    return code;
}

static int delete_call(MPI_Comm comm, int keyval, void *value, void *extra)
{
    const struct key *key = extra;
    MPI_Fint number = MPI_Comm_c2f(comm);
    MPI_Fint old = (MPI_Fint)(intptr_t)value;
    MPI_Fint code = MPI_SUCCESS;

    key->remove(&number, &keyval, &old, &key->extra, &code);
    return code;
}

API void mpi_null_copy_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *extra, const MPI_Fint *in,
                           MPI_Fint *out, MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
    *flag = 0;
    *ierror = MPI_SUCCESS;
}

API void mpi_dup_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *extra, const MPI_Fint *in,
                     MPI_Fint *out, MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra;
    *out = *in;
    *flag = 1;
    *ierror = MPI_SUCCESS;
}

API void mpi_null_delete_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, const MPI_Fint *extra,
                             MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    *ierror = MPI_SUCCESS;
}

API void pmpi_keyval_create_(f77_copy *copy, f77_delete *remove, MPI_Fint *keyval, const MPI_Fint *extra,
                             MPI_Fint *ierror)
{
    struct key *key = f77_room(1, sizeof *key);

    *key = (struct key){copy, remove, *extra, keys};
    keys = key;
    *ierror = MPI_Keyval_create(copy_call, delete_call, keyval, key);
}
F77_SECOND_NAME(mpi_keyval_create_, pmpi_keyval_create_,
                (f77_copy * copy, f77_delete *remove, MPI_Fint *keyval, const MPI_Fint *extra, MPI_Fint *ierror))

API void pmpi_attr_put_(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, MPI_Fint *ierror)
{
    *ierror = MPI_Attr_put(MPI_Comm_f2c(*comm), *keyval, (void *)(intptr_t)*value);
}
F77_SECOND_NAME(mpi_attr_put_, pmpi_attr_put_,
                (const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, MPI_Fint *ierror))

/* Of a predefined attribute C gets the address of the value, Fortran the value. */
API void pmpi_attr_get_(const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror)
{
    void *found = NULL;

    *ierror = MPI_Attr_get(MPI_Comm_f2c(*comm), *keyval, &found, flag);
    if (*ierror == MPI_SUCCESS && *flag) {
        *value = *keyval <= IMPI_HOST_COLOR ? *(const int *)found : (MPI_Fint)(intptr_t)found;
    }
}
F77_SECOND_NAME(mpi_attr_get_, pmpi_attr_get_,
                (const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror))

/* ---- one-sided communication ---- */

/* C gets the address of size and unit, Fortran the values; both the base as an address. */
API void pmpi_win_get_attr_(const MPI_Fint *win, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,
                            MPI_Fint *ierror)
{
    void *found = NULL;

    *ierror = MPI_Win_get_attr(MPI_Win_f2c(*win), *keyval, &found, flag);
    if (*ierror == MPI_SUCCESS && *flag) {
        *value = *keyval == MPI_WIN_BASE   ? (MPI_Aint)(intptr_t)found
                 : *keyval == MPI_WIN_SIZE ? *(const MPI_Aint *)found
                                           : *(const int *)found;
    }
}
F77_SECOND_NAME(mpi_win_get_attr_, pmpi_win_get_attr_,
                (const MPI_Fint *win, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror))

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
