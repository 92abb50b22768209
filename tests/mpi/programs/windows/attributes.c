/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of datatypes and windows: what is copied with a type, what delete functions are called with and when, and
 * what every window has. Rank 0 prints.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static char calls[256];

static void called(const char *what, long value)
{
    (void)snprintf(calls + strlen(calls), sizeof(calls) - strlen(calls), " %s%ld", what, value);
}

static void show(const char *name)
{
    if (rank == 0) {
        printf("%s:%s\n", name, calls);
    }
    calls[0] = '\0';
}

static int answer;

static int copy(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)keyval;
    called("copy", (long)(MPI_Aint)in + (long)(MPI_Aint)extra);
    *(void **)out = (char *)in + 1;
    *flag = (MPI_Aint)in % 2 == 0;
    return MPI_SUCCESS;
}

static int type_delete(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type, (void)keyval;
    called("delete", (long)(MPI_Aint)value + (long)(MPI_Aint)extra);
    return answer;
}

static int win_delete(MPI_Win win, int keyval, void *value, void *extra)
{
    (void)win, (void)keyval;
    called("gone", (long)(MPI_Aint)value + (long)(MPI_Aint)extra);
    return answer;
}

static void has(MPI_Datatype type, int keyval)
{
    void *value = NULL;
    int flag = -1;

    MPI_Type_get_attr(type, keyval, (void *)&value, &flag);
    called(flag ? "has" : "none", flag ? (long)(MPI_Aint)value : 0);
}

static void types(void)
{
    int keys[3], kept;
    MPI_Datatype type, twin;

    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_create_keyval(copy, type_delete, &keys[0], (void *)100);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, type_delete, &keys[1], (void *)200);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keys[2], NULL);
    has(type, keys[0]);
    MPI_Type_set_attr(type, keys[0], (void *)2);
    MPI_Type_set_attr(type, keys[1], (void *)4);
    MPI_Type_set_attr(type, keys[2], (void *)6);
    has(type, keys[0]);
    show("set");
    MPI_Type_set_attr(type, keys[0], (void *)8);
    show("replaced");
    MPI_Type_dup(type, &twin);
    show("copied");
    for (int i = 0; i < 3; i++) {
        has(twin, keys[i]);
    }
    show("twin");
    MPI_Type_delete_attr(twin, keys[1]);
    has(twin, keys[1]);
    show("deleted");
    kept = keys[0];
    MPI_Type_free_keyval(&keys[0]);
    called("key", keys[0] == MPI_KEYVAL_INVALID);
    show("freed");
    MPI_Type_free(&twin);
    show("twin gone");
    answer = MPI_ERR_OTHER;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    called("refused", MPI_Type_delete_attr(type, keys[1]) != MPI_SUCCESS);
    has(type, keys[1]);
    answer = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    show("kept");
    MPI_Type_set_attr(MPI_INT, keys[1], (void *)10);
    has(MPI_INT, keys[1]);
    MPI_Type_delete_attr(MPI_INT, keys[1]);
    show("predefined");
    MPI_Type_delete_attr(type, keys[1]);
    calls[0] = '\0';
    MPI_Type_free(&type);
    show("gone");
    MPI_Type_free_keyval(&keys[1]);
    MPI_Type_free_keyval(&keys[2]);
    (void)kept;
}

static void windows(void)
{
    int key, other, flag = 0, there[6], *unit = NULL, *flavor = NULL, *model = NULL;
    MPI_Aint *size = NULL;
    void *value = NULL, *base = NULL;
    MPI_Win win;

    MPI_Win_create(there, sizeof(there), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_delete, &key, (void *)300);
    MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &other, NULL);
    MPI_Win_get_attr(win, key, (void *)&value, &flag);
    called("flag", flag);
    MPI_Win_set_attr(win, key, (void *)5);
    MPI_Win_set_attr(win, other, (void *)6);
    MPI_Win_get_attr(win, key, (void *)&value, &flag);
    called("flag", flag);
    called("value", (long)(MPI_Aint)value);
    MPI_Win_set_attr(win, key, (void *)7);
    MPI_Win_delete_attr(win, key);
    MPI_Win_get_attr(win, key, (void *)&value, &flag);
    called("flag", flag);
    show("window");
    MPI_Win_get_attr(win, MPI_WIN_BASE, (void *)&base, &flag);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, (void *)&size, &flag);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, (void *)&unit, &flag);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, (void *)&flavor, &flag);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, (void *)&model, &flag);
    called("base", base == there);
    called("size", (long)*size);
    called("unit", *unit);
    called("create", *flavor == MPI_WIN_FLAVOR_CREATE);
    called("unified", *model == MPI_WIN_UNIFIED);
    show("predefined");
    MPI_Win_set_attr(win, key, (void *)9);
    MPI_Win_free_keyval(&key);
    MPI_Win_free(&win);
    show("window gone");
    MPI_Win_free_keyval(&other);
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&base, &win);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, (void *)&flavor, &flag);
    called("allocate", *flavor == MPI_WIN_FLAVOR_ALLOCATE);
    show("flavour");
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    types();
    windows();
    MPI_Finalize();
    return 0;
}
