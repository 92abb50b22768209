/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files of all processes: blocks, interleaved elements, a matrix of which each process has some columns, positions,
 * ends, sizes, and what is refused.
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, ROWS = 12, COLUMNS = 3 };

static int rank, size;
static char name[64];

static void say(const char *what, long a, long b, long c)
{
    long mine[3] = {a, b, c}, *all = malloc(3 * (size_t)size * sizeof(*all));

    MPI_Gather(mine, 3, MPI_LONG, all, 3, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) {
        printf("%s %d: %ld %ld %ld\n", what, i, all[3 * i], all[3 * i + 1], all[3 * i + 2]);
    }
    free(all);
}

static int class_of(int code)
{
    int class;

    MPI_Error_class(code, &class);
    return class;
}

static void blocks(void)
{
    int *block = malloc(BLOCK * sizeof(*block)), count, partial;
    long sum = 0;
    MPI_File file;
    MPI_Offset octets, at = (MPI_Offset)rank * BLOCK * (MPI_Offset)sizeof(*block);
    MPI_Status status;

    for (int i = 0; i < BLOCK; i++) {
        block[i] = rank * 7 + i;
    }
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, at, block, BLOCK, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &octets);
    at = (MPI_Offset)((rank + 1) % size) * BLOCK * (MPI_Offset)sizeof(*block);
    MPI_File_read_at(file, at, block, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < BLOCK; i++) {
        sum += (long)block[i] * (i % 13);
    }
    MPI_File_read_at(file, octets - 10, block, BLOCK, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &partial);
    say("blocks", octets, sum, count);
    MPI_File_read_at(file, octets, block, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("at the end", partial, count, file == MPI_FILE_NULL);
    MPI_File_close(&file);
    say("closed", file == MPI_FILE_NULL, 0, 0);
    free(block);
}

/* Each process sees every size'th pair of ints, behind a head of 8 octets. */
static void interleaved(void)
{
    int pairs[40], whole[5], count;
    long sum = 0;
    MPI_Datatype pair, spaced;
    MPI_File file;
    MPI_Offset here, byte, end;
    MPI_Status status;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 8L * size, &spaced);
    MPI_Type_commit(&spaced);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 8 + 8L * rank, MPI_INT, spaced, "native", MPI_INFO_NULL);
    MPI_Type_free(&spaced);
    MPI_Type_free(&pair);
    for (int i = 0; i < 40; i++) {
        pairs[i] = rank * 100 + i;
    }
    MPI_File_write_all(file, pairs, 25, MPI_INT, &status);
    MPI_File_write_all(file, pairs + 25, 15, MPI_INT, &status);
    MPI_File_get_position(file, &here);
    MPI_File_get_byte_offset(file, 3, &byte);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, -3, MPI_SEEK_CUR);
    memset(whole, 0, sizeof(whole));
    MPI_File_read(file, whole, 3, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("interleaved", here, byte, whole[0] + whole[1] * 3 + whole[2] * 5);
    MPI_File_seek(file, 5, MPI_SEEK_SET);
    MPI_File_read_at(file, 7, whole, 5, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position(file, &here);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_File_get_position(file, &end);
    say("positions", here, end, whole[0] + whole[4] * 3 + count);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    for (int i = 2; i < 2 + 40 * size; i++) {
        MPI_File_read_at(file, i, whole, 1, MPI_INT, MPI_STATUS_IGNORE);
        sum = (sum * 31 + whole[0]) % 1000003;
    }
    say("whole", sum, 0, 0);
    MPI_File_close(&file);
}

/* Some columns of a matrix each, from memory in which there is a frame around them, and back without one. */
static void columns(void)
{
    int sizes[2] = {ROWS, COLUMNS * size}, part[2] = {ROWS, COLUMNS}, start[2] = {0, COLUMNS * rank};
    int framed[2] = {ROWS + 2, COLUMNS + 2}, inner[2] = {1, 1}, amode, kinds[4], count, wrong = 0;
    double memory[ROWS + 2][COLUMNS + 2], back[ROWS][COLUMNS], one;
    MPI_Datatype in_file, in_memory, element, type;
    MPI_File file;
    MPI_Offset disp;
    MPI_Request request;
    MPI_Status status;
    char datarep[MPI_MAX_DATAREP_STRING];

    for (int i = 0; i < ROWS + 2; i++) {
        for (int j = 0; j < COLUMNS + 2; j++) {
            memory[i][j] = rank * 1000 + i * 10 + j;
        }
    }
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &in_file);
    MPI_Type_create_subarray(2, framed, part, inner, MPI_ORDER_C, MPI_DOUBLE, &in_memory);
    MPI_Type_commit(&in_file);
    MPI_Type_commit(&in_memory);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_atomicity(file, 1);
    MPI_File_set_view(file, 16, MPI_DOUBLE, in_file, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, memory, 1, in_memory, &status);
    MPI_Get_count(&status, in_memory, &count);
    MPI_File_get_view(file, &disp, &element, &type, datarep);
    MPI_Type_get_envelope(element, &kinds[0], &kinds[1], &kinds[2], &kinds[3]);
    MPI_Type_size(type, &kinds[0]);
    MPI_Type_free(&type);
    say("view", disp, kinds[3] == MPI_COMBINER_NAMED, kinds[0] + strcmp(datarep, "native"));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iread_at(file, 0, back, ROWS * COLUMNS, MPI_DOUBLE, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &kinds[1]);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        wrong += back[i / COLUMNS][i % COLUMNS] != memory[i / COLUMNS + 1][i % COLUMNS + 1];
    }
    say("columns", count, kinds[1], wrong);
    MPI_File_set_view(file, 16, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 5L * COLUMNS * size + COLUMNS * ((rank + 1) % size), &one, 1, MPI_DOUBLE, &status);
    MPI_File_get_amode(file, &amode);
    say("neighbour", (long)one, amode == MPI_MODE_RDWR, 0);
    MPI_Type_free(&in_file);
    MPI_Type_free(&in_memory);
    MPI_File_close(&file);
}

static void refused(void)
{
    int number = 0, codes[3];
    MPI_File file = MPI_FILE_NULL;
    MPI_Errhandler handler;
    MPI_Offset octets, more;
    FILE *left;

    MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
    codes[0] = MPI_File_open(MPI_COMM_WORLD, "/no/such/folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    codes[1] =
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    codes[2] = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    say("not opened", class_of(codes[0]) == MPI_ERR_NO_SUCH_FILE, class_of(codes[1]) == MPI_ERR_FILE_EXISTS,
        class_of(codes[2]) == MPI_ERR_AMODE);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    codes[0] = MPI_File_read_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    codes[1] = MPI_File_seek(file, -1, MPI_SEEK_SET);
    codes[2] = MPI_File_write_at(file, -1, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("not done", class_of(codes[0]) == MPI_ERR_ACCESS, class_of(codes[1]) == MPI_ERR_ARG,
        class_of(codes[2]) == MPI_ERR_ARG);
    MPI_File_get_position(file, &octets);
    MPI_File_preallocate(file, 20000);
    MPI_File_get_size(file, &more);
    say("appended", octets, more, handler == MPI_ERRORS_RETURN);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    left = fopen(name, "r");
    say("deleted", left == NULL, class_of(MPI_File_delete(name, MPI_INFO_NULL)) == MPI_ERR_NO_SUCH_FILE, 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        snprintf(name, sizeof(name), "/tmp/assay-mpi-files-XXXXXX");
        if (!mkdtemp(name)) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        strcat(name, "/file");
    }
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
    blocks();
    interleaved();
    columns();
    refused();
    if (rank == 0) {
        *strrchr(name, '/') = '\0';
        remove(name);
    }
    MPI_Finalize();
    return 0;
}
