/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers, error texts, and what the checks of arguments find, function by function. Chapter 7 of MPI.
 */
#include <stdio.h>

#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

static MPI_Comm told_comm;
static int told_code, told_count;

static void tell(MPI_Comm *comm, int *code, ...)
{
    told_comm = *comm;
    told_code = *code;
    told_count++;
}

static void handlers(void)
{
    MPI_Errhandler mine, got;
    MPI_Comm dup;
    int size;

    MPI_Errhandler_get(MPI_COMM_WORLD, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL, "at first errors are fatal");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Errhandler_create(tell, &mine), MPI_SUCCESS, "MPI_Errhandler_create");
    CHECK_EQ(MPI_Errhandler_set(MPI_COMM_SELF, mine), MPI_SUCCESS, "MPI_Errhandler_set");
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_SELF, &dup), MPI_SUCCESS, "a copy");
    MPI_Errhandler_get(dup, &got);
    CHECK(got == mine, "has the same handler");
    CHECK_EQ(MPI_Errhandler_free(&got), MPI_SUCCESS, "one handle less");
    CHECK_EQ(MPI_Errhandler_free(&mine), MPI_SUCCESS, "and the other");
    CHECK(mine == MPI_ERRHANDLER_NULL, "is null");
    CHECK_EQ(MPI_Comm_size(dup, NULL), MPI_ERR_ARG, "an error on the copy");
    CHECK(told_count == 1 && told_comm == dup && told_code == MPI_ERR_ARG, "is told to the handler");
    CHECK_EQ(MPI_Comm_size(MPI_COMM_NULL, &size), MPI_ERR_COMM, "an error on no communicator");
    CHECK_EQ(told_count, 1, "is the world's");
    MPI_Errhandler_get(dup, &got);
    CHECK(got != MPI_ERRHANDLER_NULL && MPI_Errhandler_set(MPI_COMM_WORLD, got) == MPI_SUCCESS, "it can be had again");
    MPI_Errhandler_free(&got);
    CHECK_EQ(MPI_Comm_rank(MPI_COMM_NULL, &size), MPI_ERR_COMM, "and used for the world");
    CHECK(told_count == 2 && told_comm == MPI_COMM_WORLD, "which is told");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_free(&dup);
    CHECK_EQ(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ARG, "the null handler");
    CHECK_EQ(MPI_Errhandler_create(NULL, &mine), MPI_ERR_ARG, "no function");
    got = MPI_ERRORS_RETURN;
    CHECK_EQ(MPI_Errhandler_free(&got), MPI_SUCCESS, "freeing a predefined one");
    CHECK_EQ(MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN), MPI_SUCCESS, "does not hurt");
}

static void texts(void)
{
    char text[MPI_MAX_ERROR_STRING], before[MPI_MAX_ERROR_STRING] = "";
    int length, class;

    for (int code = MPI_SUCCESS; code <= MPI_ERR_LASTCODE; code++) {
        CHECK(MPI_Error_string(code, text, &length) == MPI_SUCCESS && length > 5 && (int)strlen(text) == length,
              "code %d: %s", code, text);
        CHECK(strcmp(text, before) != 0, "each its own");
        memcpy(before, text, sizeof(before));
        CHECK(MPI_Error_class(code, &class) == MPI_SUCCESS && class == code, "codes are classes");
    }
    CHECK_EQ(MPI_Error_string(MPI_ERR_LASTCODE + 1, text, &length), MPI_ERR_ARG, "no code");
    CHECK_EQ(MPI_Error_class(-1, &class), MPI_ERR_ARG, "none either");
}

static void arguments(void)
{
    int data[4] = {0}, counts[1] = {-1}, displs[1] = {0};
    MPI_Datatype raw;

    MPI_Type_contiguous(2, MPI_INT, &raw);
    CHECK_EQ(MPI_Bcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "a negative count");
    CHECK_EQ(MPI_Bcast(data, 1, raw, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "a type that is not committed");
    CHECK_EQ(MPI_Bcast(data, 1, MPI_UB, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "a marker");
    CHECK_EQ(MPI_Bcast(data, 1, MPI_INT, 1, MPI_COMM_WORLD), MPI_ERR_ROOT, "a root that is no rank");
    CHECK_EQ(MPI_Bcast(data, 1, MPI_INT, -1, MPI_COMM_WORLD), MPI_ERR_ROOT, "nor this");
    CHECK_EQ(MPI_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "no buffer");
    CHECK_EQ(MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS, "none is needed");
    CHECK_EQ(MPI_Gather(data, 1, MPI_INT, NULL, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "no receive buffer");
    CHECK_EQ(MPI_Gatherv(data, 1, MPI_INT, data + 2, counts, displs, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT,
             "a negative count of a block");
    CHECK_EQ(MPI_Scatterv(data, NULL, displs, MPI_INT, data + 2, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_ARG,
             "no counts");
    counts[0] = 1;
    CHECK_EQ(MPI_Allgatherv(data, 1, MPI_INT, data + 2, counts, NULL, MPI_INT, MPI_COMM_WORLD), MPI_ERR_ARG,
             "no places");
    CHECK_EQ(MPI_Allgather(data, 2, MPI_INT, data + 2, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TRUNCATE,
             "too little room");
    CHECK_EQ(MPI_Reduce_scatter(data, data + 2, (int[]){1}, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS,
             "all right");
    CHECK_EQ(MPI_Get_count(NULL, MPI_INT, data), MPI_ERR_ARG, "no status");
    CHECK_EQ(MPI_Group_rank(MPI_GROUP_NULL, data), MPI_ERR_GROUP, "no group");
    CHECK_EQ(MPI_Get_processor_name(NULL, data), MPI_ERR_ARG, "nowhere to store");
    MPI_Type_free(&raw);
}

static void stale_handles(void)
{
    MPI_Group group, old[200];
    int size;

    /* A place in the table is used again, but not its number. */
    for (int i = 0; i < 200; i++) {
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        old[i] = group;
        CHECK_EQ(MPI_Group_free(&group), MPI_SUCCESS, "a group comes and goes");
    }
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    for (int i = 0; i < 200; i++) {
        CHECK(old[i] != group && MPI_Group_size(old[i], &size) == MPI_ERR_GROUP, "and is known to be gone");
    }
    MPI_Group_free(&group);
    CHECK_EQ(MPI_Group_size((MPI_Group)0x7ffffff2, &size), MPI_ERR_GROUP, "a number that never was");
}

static void many_handles(void)
{
    MPI_Group groups[500];
    int size, right = 0;

    for (int i = 0; i < 500; i++) {
        MPI_Comm_group(MPI_COMM_WORLD, &groups[i]);
    }
    for (int i = 0; i < 500; i++) {
        right += MPI_Group_size(groups[i], &size) == MPI_SUCCESS && size == 1;
        right += MPI_Group_free(&groups[i]) == MPI_SUCCESS;
    }
    CHECK_EQ(right, 1000, "500 at once");
}

int main(void)
{
    play_open(0, "0", "0");
    TAP_RUN(handlers);
    TAP_RUN(texts);
    TAP_RUN(arguments);
    TAP_RUN(stale_handles);
    TAP_RUN(many_handles);
    play_close();
    return tap_done();
}
