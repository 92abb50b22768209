/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Many datatypes made at random, of each other: their sizes and bounds, and what packing, sending and unpacking makes
 * of memory filled with a pattern. The same numbers every time: the generator is the program's own.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 120, PARTS = 4, ROOM = 1 << 16 };

static unsigned state = 20000101;

/* A number from low to high. */
static int pick(int low, int high)
{
    state = state * 1664525u + 1013904223u;
    return low + (int)((state >> 8) % (unsigned)(high - low + 1));
}

static MPI_Datatype types[TYPES];
static int made;

/* Libraries differ in how they round what has been rounded, and in markers within markers. So structs are not parts of
 * structs, and those with markers are parts of nothing. */
static int has_struct[TYPES], marked, with_struct;

/* One of the types so far. Some have long long or double, so strides are in multiples of 16. */
static MPI_Datatype any(void)
{
    int chosen = pick(0, made - 1);

    with_struct |= has_struct[chosen];
    return types[chosen];
}

/* One without a struct in it. */
static MPI_Datatype plain(void)
{
    int chosen = pick(0, made - 1);

    while (has_struct[chosen]) {
        chosen = pick(0, made - 1);
    }
    return types[chosen];
}

static MPI_Datatype make_struct(int parts)
{
    MPI_Datatype type, of[PARTS + 2];
    int lengths[PARTS + 2];
    MPI_Aint places[PARTS + 2];

    for (int i = 0; i < parts; i++) {
        of[i] = plain();
        lengths[i] = pick(1, 2);
        places[i] = 16 * pick(-4, 12);
    }
    marked = pick(0, 3) == 0;
    of[parts] = MPI_LB;
    of[parts + 1] = MPI_UB;
    lengths[parts] = lengths[parts + 1] = 1;
    places[parts] = -5 * pick(0, 30);
    places[parts + 1] = 7 * pick(1, 60);
    with_struct = 1;
    MPI_Type_struct(marked ? parts + 2 : parts, lengths, places, of, &type);
    return type;
}

static MPI_Datatype make_indexed(int parts, int by_octets)
{
    MPI_Datatype type;
    int lengths[PARTS], displacements[PARTS];
    MPI_Aint places[PARTS];

    for (int i = 0; i < parts; i++) {
        lengths[i] = pick(1, 3);
        displacements[i] = pick(-3, 9);
        places[i] = 16 * displacements[i];
    }
    if (by_octets) {
        MPI_Type_hindexed(parts, lengths, places, any(), &type);
    } else {
        MPI_Type_indexed(parts, lengths, displacements, any(), &type);
    }
    return type;
}

static MPI_Datatype make(void)
{
    MPI_Datatype type;

    marked = with_struct = 0;
    switch (pick(0, 5)) {
    case 0:
        MPI_Type_contiguous(pick(1, 3), any(), &type);
        break;
    case 1:
        MPI_Type_vector(pick(1, 3), pick(1, 3), pick(-4, 5), any(), &type);
        break;
    case 2:
        MPI_Type_hvector(pick(1, 3), pick(1, 2), 16 * pick(-3, 8), any(), &type);
        break;
    case 3:
        type = make_indexed(pick(1, PARTS), 0);
        break;
    case 4:
        type = make_indexed(pick(1, PARTS), 1);
        break;
    default:
        type = make_struct(pick(1, PARTS));
        break;
    }
    return type;
}

static unsigned sum_of(const unsigned char *octets, int count)
{
    unsigned sum = 1;

    for (int i = 0; i < count; i++) {
        sum = sum * 31 + octets[i];
    }
    return sum;
}

/* Packs two elements and unpacks them elsewhere, then sends them to this process as they are. */
static void move(MPI_Datatype type, int size)
{
    static unsigned char from[2 * ROOM], to[2 * ROOM], packed[ROOM];
    int position = 0, back = 0, count;
    MPI_Status status;
    MPI_Request request;

    for (int i = 0; i < 2 * ROOM; i++) {
        from[i] = (unsigned char)(i * 7 + i / 256);
    }
    MPI_Pack(from + ROOM, 2, type, packed, ROOM, &position, MPI_COMM_SELF);
    printf(" packed %d %08x", position, sum_of(packed, 2 * size));
    memset(to, 0, sizeof(to));
    MPI_Unpack(packed, position, &back, to + ROOM, 2, type, MPI_COMM_SELF);
    printf(" unpacked %08x", sum_of(to, 2 * ROOM));
    memset(to, 0, sizeof(to));
    MPI_Irecv(to + ROOM, 3, type, 0, 1, MPI_COMM_SELF, &request);
    MPI_Send(from + ROOM, 2, type, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, type, &count);
    printf(" received %d %08x\n", count, sum_of(to, 2 * ROOM));
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Aint extent, lb, ub;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    types[made++] = MPI_CHAR;
    types[made++] = MPI_SHORT;
    types[made++] = MPI_INT;
    types[made++] = MPI_LONG_LONG;
    types[made++] = MPI_DOUBLE;
    types[made++] = MPI_FLOAT;
    while (rank == 0 && made < TYPES) {
        MPI_Datatype type = make();

        MPI_Type_size(type, &size);
        MPI_Type_lb(type, &lb);
        MPI_Type_ub(type, &ub);
        MPI_Type_extent(type, &extent);
        if (size == 0 || size > 2000 || labs((long)extent) > 4000 || labs((long)lb) > 4000) {
            MPI_Type_free(&type);
            continue;
        }
        printf("%d: size %d extent %ld from %ld to %ld", made, size, (long)extent, (long)lb, (long)ub);
        MPI_Type_commit(&type);
        move(type, size);
        types[made] = type;
        if (marked) {
            MPI_Type_free(&types[made]);
        } else {
            has_struct[made++] = with_struct;
        }
    }
    while (made > 6) {
        if (rank == 0) {
            MPI_Type_free(&types[made - 1]);
        }
        made--;
    }
    MPI_Finalize();
    return 0;
}
