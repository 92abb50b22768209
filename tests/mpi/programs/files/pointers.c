/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files by the pointer that all processes share, in the order of ranks and in any order, and by collective accesses in
 * two steps. A barrier stands wherever a look at the pointer would depend on who is faster.
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 8, HALF = 4, TURNS = 3 };

static int rank, size, bad;
static char name[64];

/* Prints a number that rank 0 has, and how many surprises there were anywhere. */
static void say(const char *what, long long number)
{
    int all;

    MPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %lld, bad %d\n", what, number, all);
    }
    bad = 0;
}

static void say_pointer(const char *what, MPI_File file)
{
    MPI_Offset place = -1;

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &place);
    MPI_Barrier(MPI_COMM_WORLD);
    say(what, place);
}

static int count_of(const MPI_Status *status)
{
    int count = -1;

    MPI_Get_count(status, MPI_INT, &count);
    return count;
}

/* Rank r writes r + 1 integers in its turn, then three blocks at any time; all are found again. */
static void write_and_read(MPI_File file, const int *mine)
{
    int got[2 * BLOCK], seen[BLOCK * 100] = {0}, all[BLOCK * 100];
    MPI_Status status;

    MPI_File_write_ordered(file, mine, rank % HALF + 1, MPI_INT, &status);
    bad += count_of(&status) != rank % HALF + 1;
    say_pointer("in order", file);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_File_write_shared(file, mine, HALF, MPI_INT, &status);
        bad += count_of(&status) != HALF;
    }
    say_pointer("in any order", file);
    MPI_File_sync(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, got, rank % HALF + 1, MPI_INT, &status);
    for (int i = 0; i <= rank % HALF; i++) {
        bad += got[i] != mine[i];
    }
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_File_read_shared(file, got, HALF, MPI_INT, &status);
        for (int i = 0; i < HALF; i++) {
            bad += got[i] / 100 >= size || got[i] % 100 != i;
        }
        seen[got[0] / 100]++;
    }
    MPI_Allreduce(seen, all, BLOCK * 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        bad += all[i] != TURNS;
    }
    MPI_File_read_shared(file, got, HALF, MPI_INT, &status);
    say("behind the end", count_of(&status));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void begun(MPI_File file)
{
    int one = rank, sum;
    MPI_Request request;

    MPI_File_seek_shared(file, -4, MPI_SEEK_END);
    say_pointer("before the end", file);
    MPI_File_iwrite_shared(file, &one, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_seek_shared(file, -size, MPI_SEEK_CUR);
    MPI_File_iread_shared(file, &one, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    say("ranks", sum);
}

/* Each process sees every size'th pair of integers. */
static void two_steps(MPI_File file, const int *mine)
{
    int got[BLOCK];
    MPI_Datatype pairs;
    MPI_Offset place;
    MPI_Status status;

    MPI_Type_vector(HALF, 2, 2 * size, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    MPI_File_set_view(file, 64 + (MPI_Offset)rank * 8, MPI_INT, pairs, "native", MPI_INFO_NULL);
    MPI_Type_free(&pairs);
    MPI_File_write_all_begin(file, mine, BLOCK, MPI_INT);
    MPI_File_write_all_end(file, mine, &status);
    MPI_File_get_position(file, &place);
    bad += count_of(&status) != BLOCK || place != BLOCK;
    MPI_File_seek(file, 2, MPI_SEEK_SET);
    memset(got, 0, sizeof(got));
    MPI_File_read_all_begin(file, got, BLOCK - 2, MPI_INT);
    MPI_File_read_all_end(file, got, &status);
    bad += memcmp(got, mine + 2, (BLOCK - 2) * sizeof(got[0])) != 0;
    MPI_File_write_at_all_begin(file, 2, mine, HALF, MPI_INT);
    MPI_File_write_at_all_end(file, mine, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, got, BLOCK, MPI_INT);
    MPI_File_read_at_all_end(file, got, MPI_STATUS_IGNORE);
    bad += got[1] != mine[1] || got[2] != mine[0] || got[5] != mine[3] || got[6] != mine[6];
    say("in two steps", place);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A new view has the pointer at its begin. */
static void in_order_in_two_steps(MPI_File file, const int *mine)
{
    int got[2];
    MPI_Status status;

    MPI_File_set_view(file, 0, MPI_BYTE, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_ordered_begin(file, mine, 2, MPI_INT);
    MPI_File_write_ordered_end(file, mine, &status);
    bad += count_of(&status) != 2;
    say_pointer("octets", file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, got, 2, MPI_INT);
    MPI_File_read_ordered_end(file, got, &status);
    bad += count_of(&status) != 2 || memcmp(got, mine, sizeof(got)) != 0;
    say("again", got[1]);
}

/* Who only appends begins at the end, whoever is first. */
static void appended(const int *mine)
{
    MPI_File file;
    MPI_Offset octets;

    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &file);
    say_pointer("end", file);
    MPI_File_write_shared(file, mine, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &octets);
    MPI_File_close(&file);
    say("appended", octets);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    bad += MPI_File_write_shared(file, mine, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    MPI_File_close(&file);
    say("sequential", 0);
}

int main(int argc, char **argv)
{
    int mine[BLOCK];
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof(name), "/tmp/pointers.%ld", (long)getpid());
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK; i++) {
        mine[i] = rank * 100 + i;
    }
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    write_and_read(file, mine);
    begun(file);
    two_steps(file, mine);
    in_order_in_two_steps(file, mine);
    MPI_File_close(&file);
    appended(mine);
    MPI_Finalize();
    return 0;
}
