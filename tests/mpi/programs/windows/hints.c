/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs say of their windows is told again: what a window is at first, what is said when it is made and later,
 * what is no hint, and that one window's hints are not another's. Rank 0 prints how much is wrong on all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, wrong;

/* What a window says of a key is this, or nothing (NULL). */
static void says(MPI_Win win, const char *key, const char *expected)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info;
    int flag = -1;

    MPI_Win_get_info(win, &info);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (expected ? !flag || strcmp(value, expected) != 0 : flag) {
        printf("rank %d: %s is %s, not %s\n", rank, key, flag ? value : "not there", expected ? expected : "so");
        wrong++;
    }
    MPI_Info_set(info, "no_locks", "true"); /* a copy, which is not the window's */
    MPI_Info_free(&info);
}

static void say(MPI_Win win, const char *key, const char *value)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    MPI_Win_set_info(win, info);
    MPI_Info_set(info, key, "forgotten");
    MPI_Info_free(&info);
}

static void at_first(void)
{
    int memory = 0;
    MPI_Win win;

    MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    says(win, "no_locks", "false");
    says(win, "accumulate_ordering", "rar,raw,war,waw");
    says(win, "accumulate_ops", "same_op_no_op");
    says(win, "alloc_shared_noncontig", NULL);
    says(win, "colour", NULL);
    MPI_Win_free(&win);
}

static void from_the_making(void)
{
    MPI_Win win, other;
    MPI_Info info;
    void *memory;

    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_set(info, "same_size", "true");
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Win_allocate(8, 1, info, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    says(win, "no_locks", "true");
    says(win, "same_size", "true");
    says(win, "accumulate_ordering", "none");
    says(win, "accumulate_ops", "same_op_no_op");
    says(other, "no_locks", "false");
    MPI_Info_free(&info);
    MPI_Win_free(&other);
    MPI_Win_free(&win);
}

static void later(void)
{
    MPI_Win win;
    void *memory;

    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    say(win, "accumulate_ordering", "rar,waw");
    says(win, "accumulate_ordering", "rar,waw");
    say(win, "accumulate_ops", "same_op");
    says(win, "accumulate_ops", "same_op");
    says(win, "accumulate_ordering", "rar,waw");
    say(win, "same_disp_unit", "true");
    says(win, "same_disp_unit", "true");
    say(win, "no_locks", "true");
    say(win, "no_locks", "false");
    says(win, "no_locks", "false");
    say(win, "colour", "red");
    says(win, "colour", NULL);

    says(win, "accumulate_ops", "same_op");
    MPI_Win_free(&win);
}

/* What is no value of a hint leaves it as it is. */
static void nonsense(void)
{
    static const char *const ordering = "rar,raw,war,waw", *const ops = "same_op_no_op";
    const char *const said[][3] = {
        {"no_locks", "perhaps", "false"},
        {"no_locks", "true,true", "false"},
        {"same_size", "True", "false"},
        {"accumulate_ordering", "rar,", ordering},
        {"accumulate_ordering", ",rar", ordering},
        {"accumulate_ordering", "rar,wow", ordering},
        {"accumulate_ordering", "rarraw", ordering},
        {"accumulate_ops", "same", ops},
        {"accumulate_ops", "same_op_no_op_", ops},
    };
    int memory = 0;
    MPI_Win win;

    MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        say(win, said[i][0], said[i][1]);
        says(win, said[i][0], said[i][2]);
    }
    MPI_Win_free(&win);
}

static void shared(void)
{
    MPI_Info info;
    MPI_Comm near;
    MPI_Win win;
    void *memory;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Win_allocate_shared(8, 1, info, near, &memory, &win);
    says(win, "alloc_shared_noncontig", "true");
    MPI_Info_free(&info);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, near, &memory, &win);
    says(win, "alloc_shared_noncontig", "false");
    MPI_Win_free(&win);
    MPI_Comm_free(&near);
}

int main(int argc, char **argv)
{
    int all = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    at_first();
    from_the_making();
    later();
    shared();
    nonsense();
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("hints: %d wrong\n", all);
    }
    MPI_Finalize();
    return 0;
}
