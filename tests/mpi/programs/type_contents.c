/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs that store or print data ask of datatypes: how one was made, down to its basic types; the share of a
 * process in a distributed array; sizes in MPI_Count; statuses of their own.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static const struct {
    int combiner;
    const char *name;
} combiners[] = {
    {MPI_COMBINER_DUP, "dup"},
    {MPI_COMBINER_CONTIGUOUS, "contiguous"},
    {MPI_COMBINER_VECTOR, "vector"},
    {MPI_COMBINER_HVECTOR, "hvector"},
    {MPI_COMBINER_INDEXED, "indexed"},
    {MPI_COMBINER_HINDEXED, "hindexed"},
    {MPI_COMBINER_INDEXED_BLOCK, "indexed_block"},
    {MPI_COMBINER_HINDEXED_BLOCK, "hindexed_block"},
    {MPI_COMBINER_STRUCT, "struct"},
    {MPI_COMBINER_SUBARRAY, "subarray"},
    {MPI_COMBINER_DARRAY, "darray"},
    {MPI_COMBINER_RESIZED, "resized"},
    {MPI_COMBINER_F90_REAL, "f90_real"},
    {MPI_COMBINER_F90_COMPLEX, "f90_complex"},
    {MPI_COMBINER_F90_INTEGER, "f90_integer"},
};

static const char *name_of(int combiner)
{
    for (size_t i = 0; i < sizeof(combiners) / sizeof(combiners[0]); i++) {
        if (combiners[i].combiner == combiner) {
            return combiners[i].name;
        }
    }
    return "unknown";
}

/* Numbers whose values each library chooses. */
static void print_int(int combiner, int value)
{
    if ((combiner == MPI_COMBINER_SUBARRAY || combiner == MPI_COMBINER_DARRAY) && value == MPI_ORDER_C) {
        printf(" C");
    } else if ((combiner == MPI_COMBINER_SUBARRAY || combiner == MPI_COMBINER_DARRAY) && value == MPI_ORDER_FORTRAN) {
        printf(" Fortran");
    } else if (combiner == MPI_COMBINER_DARRAY && value == MPI_DISTRIBUTE_BLOCK) {
        printf(" block");
    } else if (combiner == MPI_COMBINER_DARRAY && value == MPI_DISTRIBUTE_CYCLIC) {
        printf(" cyclic");
    } else if (combiner == MPI_COMBINER_DARRAY && value == MPI_DISTRIBUTE_NONE) {
        printf(" none");
    } else if (combiner == MPI_COMBINER_DARRAY && value == MPI_DISTRIBUTE_DFLT_DARG) {
        printf(" default");
    } else {
        printf(" %d", value);
    }
}

/* Prints a type down to its basic types. */
static void print_type(MPI_Datatype type)
{
    int ints[64], num_ints, num_addresses, num_types, combiner, length;
    MPI_Aint addresses[64];
    MPI_Datatype types[64];
    char name[MPI_MAX_OBJECT_NAME];

    MPI_Type_get_envelope(type, &num_ints, &num_addresses, &num_types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) {
        MPI_Type_get_name(type, name, &length);
        printf(" %s", name);
        return;
    }
    MPI_Type_get_contents(type, num_ints, num_addresses, num_types, ints, addresses, types);
    printf(" %s(", name_of(combiner));
    for (int i = 0; i < num_ints; i++) {
        print_int(combiner, ints[i]);
    }
    for (int i = 0; i < num_addresses; i++) {
        printf(" @%ld", (long)addresses[i]);
    }
    for (int i = 0; i < num_types; i++) {
        int n1, n2, n3, inner;

        print_type(types[i]);
        MPI_Type_get_envelope(types[i], &n1, &n2, &n3, &inner);
        if (inner != MPI_COMBINER_NAMED) {
            MPI_Type_free(&types[i]);
        }
    }
    printf(" )");
}

/* Prints a new type at rank 0, and takes it away; its parts have been freed before. */
static void show(const char *what, MPI_Datatype type)
{
    MPI_Count octets, lb, extent;

    MPI_Type_size_x(type, &octets);
    MPI_Type_get_extent_x(type, &lb, &extent);
    if (rank == 0) {
        printf("%s: %lld octets, from %lld, extent %lld:", what, (long long)octets, (long long)lb, (long long)extent);
        print_type(type);
        printf("\n");
    }
    MPI_Type_free(&type);
}

static void constructors(void)
{
    const int lengths[] = {2, 1, 3}, displs[] = {0, 4, 8}, sizes[] = {6, 5}, subsizes[] = {2, 3}, starts[] = {1, 2};
    const MPI_Aint octets[] = {0, 24, 64};
    MPI_Datatype type, inner, parts[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};

    MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    show("contiguous", type);
    MPI_Type_vector(4, 2, 5, MPI_SHORT, &type);
    show("vector", type);
    MPI_Type_create_hvector(4, 2, 56, MPI_LONG_LONG, &type);
    show("hvector", type);
    MPI_Type_indexed(3, lengths, displs, MPI_FLOAT, &type);
    show("indexed", type);
    MPI_Type_create_hindexed(3, lengths, octets, MPI_INT, &type);
    show("hindexed", type);
    MPI_Type_create_indexed_block(3, 2, displs, MPI_INT, &type);
    show("indexed_block", type);
    MPI_Type_create_hindexed_block(3, 2, octets, MPI_INT, &type);
    show("hindexed_block", type);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    show("subarray", type);
    MPI_Type_create_resized(MPI_INT, -4, 16, &type);
    show("resized", type);
    MPI_Type_dup(MPI_CHAR, &type);
    show("dup", type);

    /* A type of types that the program has freed */
    MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
    parts[1] = inner;
    MPI_Type_create_struct(3, lengths, octets, parts, &type);
    MPI_Type_free(&inner);
    MPI_Type_dup(type, &inner);
    MPI_Type_free(&type);
    MPI_Type_create_resized(inner, 0, 128, &type);
    MPI_Type_free(&inner);
    show("nested", type);
}

/* What each process has of an array of 7 x 5 x 4 numbers: those, packed, with their places in the array. */
static void distribute(const char *what, const int *distribs, const int *dargs, const int *psizes, int order)
{
    const int gsizes[3] = {7, 5, 4};
    int array[140], packed[140], all[140], position = 0, octets, counts[16], displs[16];
    MPI_Datatype type;
    MPI_Aint lb, extent;
    MPI_Count true_lb, true_extent;

    for (int i = 0; i < 140; i++) {
        array[i] = i;
    }
    MPI_Type_create_darray(size, rank, 3, gsizes, distribs, dargs, psizes, order, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &octets);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent_x(type, &true_lb, &true_extent);
    MPI_Pack(array, octets > 0 ? 1 : 0, type, packed, (int)sizeof(packed), &position, MPI_COMM_SELF);
    octets /= (int)sizeof(int);
    MPI_Gather(&octets, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        displs[i] = i ? displs[i - 1] + counts[i - 1] : 0;
    }
    MPI_Gatherv(packed, octets, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s, extent %ld, true %lld %lld:", what, (long)extent, (long long)true_lb, (long long)true_extent);
        for (int r = 0; r < size; r++) {
            printf(" |");
            for (int i = 0; i < counts[r]; i++) {
                printf(" %d", all[displs[r] + i]);
            }
        }
        printf("\n");
    }
    show(what, type);
}

static void shares(void)
{
    const int block[3] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK};
    const int cyclic[3] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    const int by_default[3] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    const int twos[3] = {2, 2, MPI_DISTRIBUTE_DFLT_DARG};
    int first[3] = {1, 1, 1}, dims[2] = {0, 0}, both[3] = {1, 1, 1};

    first[0] = size;
    MPI_Dims_create(size, 2, dims);
    both[0] = dims[0];
    both[1] = dims[1];
    distribute("blocks", block, by_default, first, MPI_ORDER_C);
    distribute("blocks, Fortran", block, by_default, first, MPI_ORDER_FORTRAN);
    distribute("cyclic", cyclic, by_default, both, MPI_ORDER_C);
    distribute("cyclic by two", cyclic, twos, both, MPI_ORDER_C);
    distribute("cyclic by two, Fortran", cyclic, twos, both, MPI_ORDER_FORTRAN);
}

static void fortran(void)
{
    MPI_Datatype real, again, complex, integer;
    int octets[3], num_ints, num_addresses, num_types, combiner;
    double mine = rank + 0.5, sum = 0;

    MPI_Type_create_f90_real(15, 300, &real);
    MPI_Type_create_f90_real(15, 300, &again);
    MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &complex);
    MPI_Type_create_f90_integer(9, &integer);
    MPI_Type_size(real, &octets[0]);
    MPI_Type_size(complex, &octets[1]);
    MPI_Type_size(integer, &octets[2]);
    MPI_Allreduce(&mine, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_get_envelope(real, &num_ints, &num_addresses, &num_types, &combiner);
    if (rank == 0) {
        printf("Fortran: %d %d %d octets, %s, %s of %d, sum %g\n", octets[0], octets[1], octets[2],
               real == again ? "same" : "other", name_of(combiner), num_ints, sum);
    }
}

static void statuses(void)
{
    MPI_Datatype pair;
    MPI_Status status;
    MPI_Count many;
    int flag, count, elements, place[4];

    memset(&status, 0, sizeof(status));
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Test_cancelled(&status, &flag);
    for (int i = 0; i < 6; i++) {
        MPI_Status_set_elements(&status, MPI_INT, i);
        MPI_Get_count(&status, pair, &count);
        MPI_Get_elements(&status, pair, &elements);
        if (rank == 0) {
            printf("%d elements: %s, %d\n", i, count == MPI_UNDEFINED ? "no number of pairs" : "pairs", elements);
        }
    }
    MPI_Status_set_elements_x(&status, MPI_INT, (MPI_Count)6000000000);
    MPI_Get_elements_x(&status, pair, &many);
    MPI_Get_elements(&status, pair, &elements);
    if (rank == 0) {
        printf("cancelled %d, many %lld, %s\n", flag, (long long)many,
               elements == MPI_UNDEFINED ? "too many for an int" : "few");
        printf("addresses %ld %d\n",
               (long)MPI_Aint_diff(MPI_Aint_add((MPI_Aint)place, 3 * (MPI_Aint)sizeof(int)), (MPI_Aint)place),
               MPI_Aint_add((MPI_Aint)place, 4) == (MPI_Aint)&place[1]);
    }
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    constructors();
    shares();
    fortran();
    statuses();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
