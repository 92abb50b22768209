/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of datatypes and windows as programs use them, and those that every window has. Chapters 6.7 and 11.2.6 of
 * MPI-3.
 */
#include "ref-impl/mpi/api/attr.h"
#include "ref-impl/mpi/types/tree.h"
#include "ref-impl/mpi/windows/window.h"

/* ---- datatypes --------------------------------------------------------------------------------------------------- */

struct attr_owner attributes_of_type(struct mpi_type *type)
{
    return type ? (struct attr_owner){ATTR_TYPE, {.type = type->handle}, &type->attributes}
                : (struct attr_owner){.kind = ATTR_TYPE};
}

API int MPI_Type_dup_fn(MPI_Datatype oldtype, int keyval, void *extra_state, void *attribute_val_in,
                        void *attribute_val_out, int *flag)
{
    (void)oldtype;
    return MPI_Dup_fn(MPI_COMM_NULL, keyval, extra_state, attribute_val_in, attribute_val_out, flag);
}

API int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn, MPI_Type_delete_attr_function *delete_fn,
                               int *keyval, void *extra_state)
{
    struct mpi_call call = call_without("MPI_Type_create_keyval");
    const struct attr_key key = {
        .kind = ATTR_TYPE, .copy.type = copy_fn, .remove.type = delete_fn, .extra = extra_state};

    return attr_create(&call, key, keyval);
}

API int MPI_Type_free_keyval(int *keyval)
{
    struct mpi_call call = call_without("MPI_Type_free_keyval");

    return attr_forget(&call, ATTR_TYPE, keyval);
}

API int MPI_Type_set_attr(MPI_Datatype datatype, int keyval, void *attribute_val)
{
    struct mpi_call call = call_without("MPI_Type_set_attr");
    struct attr_owner owner = attributes_of_type(call_any_type(&call, datatype));

    return attr_put(&call, &owner, keyval, attribute_val);
}

API int MPI_Type_get_attr(MPI_Datatype datatype, int keyval, void *attribute_val, int *flag)
{
    struct mpi_call call = call_without("MPI_Type_get_attr");
    struct attr_owner owner = attributes_of_type(call_any_type(&call, datatype));

    return attr_get(&call, &owner, keyval, attribute_val, flag);
}

API int MPI_Type_delete_attr(MPI_Datatype datatype, int keyval)
{
    struct mpi_call call = call_without("MPI_Type_delete_attr");
    struct attr_owner owner = attributes_of_type(call_any_type(&call, datatype));

    return attr_delete(&call, &owner, keyval);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

struct attr_owner attributes_of_win(struct mpi_win *win)
{
    return win ? (struct attr_owner){ATTR_WIN, {.win = win->handle}, &win->attributes}
               : (struct attr_owner){.kind = ATTR_WIN};
}

API int MPI_Win_dup_fn(MPI_Win oldwin, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                       int *flag)
{
    (void)oldwin;
    return MPI_Dup_fn(MPI_COMM_NULL, keyval, extra_state, attribute_val_in, attribute_val_out, flag);
}

API int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy_fn, MPI_Win_delete_attr_function *delete_fn, int *keyval,
                              void *extra_state)
{
    struct mpi_call call = call_without("MPI_Win_create_keyval");
    const struct attr_key key = {.kind = ATTR_WIN, .copy.win = copy_fn, .remove.win = delete_fn, .extra = extra_state};

    return attr_create(&call, key, keyval);
}

API int MPI_Win_free_keyval(int *keyval)
{
    struct mpi_call call = call_without("MPI_Win_free_keyval");

    return attr_forget(&call, ATTR_WIN, keyval);
}

API int MPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val)
{
    struct mpi_call call = call_on_window("MPI_Win_set_attr", win);
    struct attr_owner owner = attributes_of_win(call.win);

    return attr_put(&call, &owner, win_keyval, attribute_val);
}

/* What every window has, or NULL: the base itself, the address of everything else. */
static void *predefined(struct mpi_win *win, int keyval)
{
    switch (keyval) {
    case MPI_WIN_SIZE:
        return &win->size;
    case MPI_WIN_DISP_UNIT:
        return &win->disp_unit;
    case MPI_WIN_CREATE_FLAVOR:
        return &win->flavor;
    case MPI_WIN_MODEL:
        return &win->model;
    default:
        return NULL;
    }
}

API int MPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    struct mpi_call call = call_on_window("MPI_Win_get_attr", win);
    struct attr_owner owner = attributes_of_win(call.win);
    void *value = NULL;

    if (call.code == MPI_SUCCESS && attribute_val && flag) {
        value = predefined(call.win, win_keyval);
    }
    if (!value && (win_keyval != MPI_WIN_BASE || call.code != MPI_SUCCESS || !attribute_val || !flag)) {
        return attr_get(&call, &owner, win_keyval, attribute_val, flag);
    }
    *flag = 1;
    *(void **)attribute_val = win_keyval == MPI_WIN_BASE ? call.win->base : value;
    return MPI_SUCCESS;
}

API int MPI_Win_delete_attr(MPI_Win win, int win_keyval)
{
    struct mpi_call call = call_on_window("MPI_Win_delete_attr", win);
    struct attr_owner owner = attributes_of_win(call.win);

    return attr_delete(&call, &owner, win_keyval);
}
