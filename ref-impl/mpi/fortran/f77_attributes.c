/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes in Fortran, and the functions of the program's that MPI calls for them: those of MPI-1,
 * whose values are INTEGERs, and those of MPI-2, whose values have the size of an address. Chapters 5.7 of MPI-1 and
 * 4.12.7 of MPI-2.
 */
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/fortran/f77.h"

typedef void f77_copy(const MPI_Fint *comm, const MPI_Fint *keyval, const void *extra, const void *in, void *out,
                      MPI_Fint *flag, MPI_Fint *ierror);
typedef void f77_delete(const MPI_Fint *comm, const MPI_Fint *keyval, const void *value, const void *extra,
                        MPI_Fint *ierror);

/* A value as a function of the program's finds it: one or the other, by its key. */
union value {
    MPI_Fint integer;
    MPI_Aint address;
};

/* The functions of a key. They are kept, for attributes may outlive their key. */
static struct key {
    f77_copy *copy;
    f77_delete *remove;
    union value extra;
    bool wide; /* of MPI-2 */
    struct key *next;
} * keys;

/* Between what C keeps and the value. */
static union value value_of(const struct key *key, void *kept)
{
    union value value = {.address = (intptr_t)kept};

    if (!key->wide) {
        value.integer = (MPI_Fint)(intptr_t)kept;
    }
    return value;
}

static void *kept_of(const struct key *key, const union value *value)
{
    return (void *)(intptr_t)(key->wide ? value->address : value->integer);
}

static int copy_value(const struct key *key, MPI_Fint number, int keyval, void *in, void *out, int *flag)
{
    union value value = value_of(key, in);
    union value copied = {.address = 0};
    MPI_Fint code = MPI_SUCCESS;

    key->copy(&number, &keyval, &key->extra, &value, &copied, flag, &code);
    *(void **)out = kept_of(key, &copied);
    return code;
}

static int take_value(const struct key *key, MPI_Fint number, int keyval, void *kept)
{
    union value value = value_of(key, kept);
    MPI_Fint code = MPI_SUCCESS;

    key->remove(&number, &keyval, &value, &key->extra, &code);
    return code;
}

/* What MPI calls for each kind of object. */
#define CALLED(kind, handle)                                                                                           \
    static int kind##_copy(handle from, int keyval, void *extra, void *in, void *out, int *flag)                       \
    {                                                                                                                  \
        return copy_value(extra, MPI_##kind##_c2f(from), keyval, in, out, flag);                                       \
    }                                                                                                                  \
    static int kind##_delete(handle of, int keyval, void *kept, void *extra)                                           \
    {                                                                                                                  \
        return take_value(extra, MPI_##kind##_c2f(of), keyval, kept);                                                  \
    }

CALLED(Comm, MPI_Comm)
CALLED(Type, MPI_Datatype)
CALLED(Win, MPI_Win)

/* ---- functions that MPI has for programs ---- */

API void mpi_null_copy_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const void *extra, const void *in, void *out,
                           MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
    *flag = 0;
    *ierror = MPI_SUCCESS;
}

API f77_copy mpi_comm_null_copy_fn_ __attribute__((alias("mpi_null_copy_fn_")));
API f77_copy mpi_type_null_copy_fn_ __attribute__((alias("mpi_null_copy_fn_")));
API f77_copy mpi_win_null_copy_fn_ __attribute__((alias("mpi_null_copy_fn_")));

API void mpi_dup_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const void *extra, const void *in, void *out,
                     MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra;
    *(MPI_Fint *)out = *(const MPI_Fint *)in;
    *flag = 1;
    *ierror = MPI_SUCCESS;
}

API void mpi_comm_dup_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const void *extra, const void *in, void *out,
                          MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra;
    *(MPI_Aint *)out = *(const MPI_Aint *)in;
    *flag = 1;
    *ierror = MPI_SUCCESS;
}

API f77_copy mpi_type_dup_fn_ __attribute__((alias("mpi_comm_dup_fn_")));
API f77_copy mpi_win_dup_fn_ __attribute__((alias("mpi_comm_dup_fn_")));

API void mpi_null_delete_fn_(const MPI_Fint *comm, const MPI_Fint *keyval, const void *value, const void *extra,
                             MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    *ierror = MPI_SUCCESS;
}

API f77_delete mpi_comm_null_delete_fn_ __attribute__((alias("mpi_null_delete_fn_")));
API f77_delete mpi_type_null_delete_fn_ __attribute__((alias("mpi_null_delete_fn_")));
API f77_delete mpi_win_null_delete_fn_ __attribute__((alias("mpi_null_delete_fn_")));

/* ---- keys and attributes ---- */

static struct key *new_key(f77_copy *copy, f77_delete *remove, bool wide, union value extra)
{
    struct key *key = f77_room(1, sizeof *key);

    *key = (struct key){copy, remove, extra, wide, keys};
    keys = key;
    return key;
}

API void pmpi_keyval_create_(f77_copy *copy, f77_delete *remove, MPI_Fint *keyval, const MPI_Fint *extra,
                             MPI_Fint *ierror)
{
    *ierror = MPI_Comm_create_keyval(Comm_copy, Comm_delete, keyval,
                                     new_key(copy, remove, false, (union value){.integer = *extra}));
}
F77_SECOND_NAME(mpi_keyval_create_, pmpi_keyval_create_,
                (f77_copy * copy, f77_delete *remove, MPI_Fint *keyval, const MPI_Fint *extra, MPI_Fint *ierror))

/* Those of MPI-2, for each kind of object. */
#define CREATE(name, kind)                                                                                             \
    API void p##name(f77_copy *copy, f77_delete *remove, MPI_Fint *keyval, const MPI_Aint *extra, MPI_Fint *ierror)    \
    {                                                                                                                  \
        *ierror = MPI_##kind##_create_keyval(kind##_copy, kind##_delete, keyval,                                       \
                                             new_key(copy, remove, true, (union value){.address = *extra}));           \
    }                                                                                                                  \
    F77_SECOND_NAME(                                                                                                   \
        name, p##name,                                                                                                 \
        (f77_copy * copy, f77_delete * remove, MPI_Fint * keyval, const MPI_Aint *extra, MPI_Fint *ierror))

CREATE(mpi_comm_create_keyval_, Comm)
CREATE(mpi_type_create_keyval_, Type)
CREATE(mpi_win_create_keyval_, Win)

API void pmpi_attr_put_(const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, MPI_Fint *ierror)
{
    *ierror = MPI_Attr_put(MPI_Comm_f2c(*comm), *keyval, (void *)(intptr_t)*value);
}
F77_SECOND_NAME(mpi_attr_put_, pmpi_attr_put_,
                (const MPI_Fint *comm, const MPI_Fint *keyval, const MPI_Fint *value, MPI_Fint *ierror))

#define SET(name, kind)                                                                                                \
    API void p##name(const MPI_Fint *of, const MPI_Fint *keyval, const MPI_Aint *value, MPI_Fint *ierror)              \
    {                                                                                                                  \
        *ierror = MPI_##kind##_set_attr(MPI_##kind##_f2c(*of), *keyval, (void *)(intptr_t)*value);                     \
    }                                                                                                                  \
    F77_SECOND_NAME(name, p##name,                                                                                     \
                    (const MPI_Fint *of, const MPI_Fint *keyval, const MPI_Aint *value, MPI_Fint *ierror))

SET(mpi_comm_set_attr_, Comm)
SET(mpi_type_set_attr_, Type)
SET(mpi_win_set_attr_, Win)

/* Of a predefined attribute C gets the address of the value, Fortran the value. */
static int get(MPI_Fint comm, MPI_Fint keyval, MPI_Aint *value, MPI_Fint *flag)
{
    void *found = NULL;
    int code = MPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, &found, flag);

    if (code == MPI_SUCCESS && *flag) {
        *value = keyval <= MPI_LASTUSEDCODE ? *(const int *)found : (MPI_Aint)(intptr_t)found;
    }
    return code;
}

API void pmpi_attr_get_(const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror)
{
    MPI_Aint found = 0;

    *ierror = get(*comm, *keyval, &found, flag);
    if (*ierror == MPI_SUCCESS && *flag) {
        *value = (MPI_Fint)found;
    }
}
F77_SECOND_NAME(mpi_attr_get_, pmpi_attr_get_,
                (const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror))

API void pmpi_comm_get_attr_(const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,
                             MPI_Fint *ierror)
{
    *ierror = get(*comm, *keyval, value, flag);
}
F77_SECOND_NAME(mpi_comm_get_attr_, pmpi_comm_get_attr_,
                (const MPI_Fint *comm, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror))

API void pmpi_type_get_attr_(const MPI_Fint *datatype, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,
                             MPI_Fint *ierror)
{
    void *found = NULL;

    *ierror = MPI_Type_get_attr(MPI_Type_f2c(*datatype), *keyval, &found, flag);
    if (*ierror == MPI_SUCCESS && *flag) {
        *value = (MPI_Aint)(intptr_t)found;
    }
}
F77_SECOND_NAME(mpi_type_get_attr_, pmpi_type_get_attr_,
                (const MPI_Fint *datatype, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror))

/* C gets the address of size, unit, flavour and model, Fortran the values; both the base as an address. */
API void pmpi_win_get_attr_(const MPI_Fint *win, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,
                            MPI_Fint *ierror)
{
    void *found = NULL;

    *ierror = MPI_Win_get_attr(MPI_Win_f2c(*win), *keyval, &found, flag);
    if (*ierror != MPI_SUCCESS || !*flag) {
        return;
    }
    if (*keyval == MPI_WIN_SIZE) {
        *value = *(const MPI_Aint *)found;
    } else if (*keyval > MPI_WIN_SIZE && *keyval <= MPI_WIN_MODEL) {
        *value = *(const int *)found;
    } else {
        *value = (MPI_Aint)(intptr_t)found;
    }
}
F77_SECOND_NAME(mpi_win_get_attr_, pmpi_win_get_attr_,
                (const MPI_Fint *win, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror))
