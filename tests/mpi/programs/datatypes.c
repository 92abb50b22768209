/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Columns, triangles and structs go from rank 0 to the last rank as datatypes and packed by hand, and come back.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 8, PEOPLE = 3 };

struct person {
    char name[10];
    double height;
    short year;
    long number;
};

static int matrix[SIDE][SIDE], other[SIDE][SIDE];

static MPI_Datatype make_column(void)
{
    MPI_Datatype column;

    MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&column);
    return column;
}

static MPI_Datatype make_triangle(void)
{
    MPI_Datatype triangle;
    int lengths[SIDE], displacements[SIDE];

    for (int i = 0; i < SIDE; i++) {
        lengths[i] = SIDE - i;
        displacements[i] = i * SIDE + i;
    }
    MPI_Type_indexed(SIDE, lengths, displacements, MPI_INT, &triangle);
    MPI_Type_commit(&triangle);
    return triangle;
}

/* The whole matrix, column after column. */
static MPI_Datatype make_transposed(void)
{
    MPI_Datatype column = make_column(), transposed;

    MPI_Type_hvector(SIDE, 1, sizeof(int), column, &transposed);
    MPI_Type_commit(&transposed);
    MPI_Type_free(&column);
    return transposed;
}

static MPI_Datatype make_person(struct person *person)
{
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_LONG, MPI_UB}, type;
    int lengths[] = {10, 1, 1, 1, 1};
    MPI_Aint places[5], start;

    MPI_Address(person, &start);
    MPI_Address(person->name, &places[0]);
    MPI_Address(&person->height, &places[1]);
    MPI_Address(&person->year, &places[2]);
    MPI_Address(&person->number, &places[3]);
    MPI_Address(person + 1, &places[4]);
    for (int i = 0; i < 5; i++) {
        places[i] -= start;
    }
    MPI_Type_struct(5, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void describe(const char *name, MPI_Datatype type)
{
    MPI_Aint extent, lb, ub;
    int size;

    MPI_Type_size(type, &size);
    MPI_Type_extent(type, &extent);
    MPI_Type_lb(type, &lb);
    MPI_Type_ub(type, &ub);
    printf("%s: size %d, extent %ld, from %ld to %ld\n", name, size, (long)extent, (long)lb, (long)ub);
}

/* Sends an element of the type, and receives it back as plain ints. */
static void send_matrix(const char *name, MPI_Datatype type, int to)
{
    MPI_Status status;
    int got[SIDE * SIDE], count;

    describe(name, type);
    MPI_Send(matrix, 1, type, to, 1, MPI_COMM_WORLD);
    MPI_Recv(got, SIDE * SIDE, MPI_INT, to, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    printf("%s:", name);
    for (int i = 0; i < count; i++) {
        printf(" %d", got[i]);
    }
    printf("\n");
}

/* Receives an element of the type, and sends back what of the matrix is not 0, counted by elements. */
static void return_matrix(MPI_Datatype type)
{
    MPI_Status status;
    int elements, count, found[SIDE * SIDE + 2], n = 2;

    memset(other, 0, sizeof(other));
    MPI_Recv(other, 1, type, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, type, &elements);
    MPI_Get_count(&status, type, &count);
    found[0] = elements;
    found[1] = count;
    for (int i = 0; i < SIDE * SIDE; i++) {
        if ((&other[0][0])[i] && n < SIDE * SIDE) {
            found[n++] = (&other[0][0])[i];
        }
    }
    MPI_Send(found, n, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

static void trade_people(int rank, int last)
{
    struct person people[PEOPLE] = {{"Ada", 1.65, 1815, 1000000}, {"Grace", 1.68, 1906, -7}, {"Edsger", 1.8, 1930, 42}};
    MPI_Datatype type = make_person(people);
    MPI_Status status;

    if (rank == 0) {
        describe("person", type);
        MPI_Send(people, PEOPLE, type, last, 3, MPI_COMM_WORLD);
        memset(people, 0, sizeof(people));
        MPI_Recv(people, PEOPLE, type, last, 4, MPI_COMM_WORLD, &status);
        for (int i = 0; i < PEOPLE; i++) {
            printf("%s %.2f %d %ld\n", people[i].name, people[i].height, people[i].year, people[i].number);
        }
    } else if (rank == last) {
        memset(people, 0, sizeof(people));
        MPI_Recv(people, PEOPLE, type, 0, 3, MPI_COMM_WORLD, &status);
        people[1].number *= 6;
        MPI_Send(people, PEOPLE, type, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Type_free(&type);
}

static void trade_packed(int rank, int last)
{
    char packed[200], text[6] = "hello";
    double number = 2.5;
    int count = 5, position = 0;
    MPI_Status status;

    if (rank == 0) {
        MPI_Pack(&count, 1, MPI_INT, packed, sizeof(packed), &position, MPI_COMM_WORLD);
        MPI_Pack(text, count, MPI_CHAR, packed, sizeof(packed), &position, MPI_COMM_WORLD);
        MPI_Pack(&number, 1, MPI_DOUBLE, packed, sizeof(packed), &position, MPI_COMM_WORLD);
        MPI_Send(packed, position, MPI_PACKED, last, 5, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_DOUBLE, last, 6, MPI_COMM_WORLD, &status);
        printf("unpacked: %.3f\n", number);
    } else if (rank == last) {
        memset(text, 0, sizeof(text));
        MPI_Recv(packed, sizeof(packed), MPI_PACKED, 0, 5, MPI_COMM_WORLD, &status);
        MPI_Unpack(packed, sizeof(packed), &position, &count, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(packed, sizeof(packed), &position, text, count, MPI_CHAR, MPI_COMM_WORLD);
        MPI_Unpack(packed, sizeof(packed), &position, &number, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        number += strcmp(text, "hello") == 0 ? count : 0;
        MPI_Send(&number, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD);
    }
}

//= PUMA-078
int main(int argc, char **argv)
{
    static const char *const names[] = {"column", "triangle", "transposed"};
    MPI_Datatype types[3];
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < SIDE * SIDE; i++) {
        (&matrix[0][0])[i] = i + 1;
    }
    types[0] = make_column();
    types[1] = make_triangle();
    types[2] = make_transposed();
    for (int i = 0; i < 3; i++) {
        if (rank == 0) {
            send_matrix(names[i], types[i], size - 1);
        } else if (rank == size - 1) {
            return_matrix(types[i]);
        }
        MPI_Type_free(&types[i]);
    }
    trade_people(rank, size - 1);
    trade_packed(rank, size - 1);
    MPI_Finalize();
    return 0;
}
