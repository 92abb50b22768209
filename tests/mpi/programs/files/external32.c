/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files whose data are in external32: what their octets are, whatever the machine, and what comes back from them.
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, size;
static char name[64];

static MPI_File open_file(void)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    return file;
}

/* Prints the octets that are in the file, and closes it. */
static void show(const char *what, MPI_File file)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *stream = fopen(name, "rb");

        printf("%s:", what);
        for (int octet = getc(stream), i = 0; octet != EOF; octet = getc(stream), i++) {
            printf("%s%02x", i % 4 == 0 ? " " : "", (unsigned)octet);
        }
        printf("\n");
        fclose(stream);
        unlink(name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Blocks of numbers, one process behind the other, read by the next one. */
static void blocks(void)
{
    int out[2] = {0x01020304 + rank, -2 - rank}, in[3] = {0, 0, 0}, count, wrong, any;
    int from = (rank + 1) % size;
    MPI_File file = open_file();
    MPI_Status status;

    MPI_File_set_view(file, 1, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 2 * rank, out, 2, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, 2 * from, in, 2, MPI_INT, MPI_STATUS_IGNORE);
    wrong = count != 2 || in[0] != 0x01020304 + from || in[1] != -2 - from;
    MPI_File_read_at(file, 2 * size - 1, in, 3, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    wrong = wrong || count != 1 || in[0] != -1 - size;
    MPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("blocks are wrong: %d\n", any);
    }
    show("blocks", file);
}

/* Every so many doubles are of one process, which has them in the columns of a matrix. */
static void interleaved(void)
{
    double out[3][2] = {{1.5 + rank, 9}, {-2 - rank, 9}, {0.5, 9}}, in[3] = {0, 0, 0};
    MPI_File file = open_file();
    MPI_Datatype column, share;
    int wrong, any, subsize = 1, start = rank;

    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Type_create_subarray(1, &size, &subsize, &start, MPI_ORDER_C, MPI_DOUBLE, &share);
    MPI_Type_commit(&share);
    MPI_File_set_view(file, 0, MPI_DOUBLE, share, "external32", MPI_INFO_NULL);
    MPI_File_write_all(file, out, 1, column, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, in, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
    wrong = in[0] != 1.5 + rank || in[1] != -2 - rank || in[2] != 0.5;
    MPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("interleaved are wrong: %d\n", any);
    }
    MPI_Type_free(&column);
    MPI_Type_free(&share);
    show("interleaved", file);
}

/* What programs are told of the representation. */
static void asked(void)
{
    char text[MPI_MAX_DATAREP_STRING];
    MPI_File file = open_file();
    MPI_Datatype element, file_type;
    MPI_Aint extent;
    MPI_Offset begin;

    MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
    MPI_File_get_view(file, &begin, &element, &file_type, text);
    MPI_File_get_type_extent(file, MPI_SHORT, &extent);
    if (rank == 0) {
        printf("asked: %s from %ld on, %ld\n", text, (long)begin, (long)extent);
    }
    show("asked", file);
}

int main(int argc, char **argv)
{
    int number = getpid();

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof(name), "/tmp/external32.%d", number);
    blocks();
    interleaved();
    asked();
    MPI_Finalize();
    return 0;
}
