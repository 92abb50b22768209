/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The types that mpi.h names: each has its own name and handle, its octets in memory and, of the table of MPI-2's
 * chapter 9.5.2 with what MPI-3 added, in external32; and the operations of its class, and no others.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define NAMED(type)                                                                                                    \
    {                                                                                                                  \
        type, #type                                                                                                    \
    }

static const struct {
    MPI_Datatype type;
    const char *name;
} types[] = {
    NAMED(MPI_PACKED),
    NAMED(MPI_BYTE),
    NAMED(MPI_CHAR),
    NAMED(MPI_UNSIGNED_CHAR),
    NAMED(MPI_SIGNED_CHAR),
    NAMED(MPI_WCHAR),
    NAMED(MPI_SHORT),
    NAMED(MPI_UNSIGNED_SHORT),
    NAMED(MPI_INT),
    NAMED(MPI_UNSIGNED),
    NAMED(MPI_LONG),
    NAMED(MPI_UNSIGNED_LONG),
    NAMED(MPI_LONG_LONG_INT),
    NAMED(MPI_UNSIGNED_LONG_LONG),
    NAMED(MPI_FLOAT),
    NAMED(MPI_DOUBLE),
    NAMED(MPI_LONG_DOUBLE),
    NAMED(MPI_C_BOOL),
    NAMED(MPI_INT8_T),
    NAMED(MPI_INT16_T),
    NAMED(MPI_INT32_T),
    NAMED(MPI_INT64_T),
    NAMED(MPI_UINT8_T),
    NAMED(MPI_UINT16_T),
    NAMED(MPI_UINT32_T),
    NAMED(MPI_UINT64_T),
    NAMED(MPI_AINT),
    NAMED(MPI_COUNT),
    NAMED(MPI_OFFSET),
    NAMED(MPI_C_COMPLEX),
    NAMED(MPI_C_DOUBLE_COMPLEX),
    NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
    NAMED(MPI_CHARACTER),
    NAMED(MPI_LOGICAL),
    NAMED(MPI_INTEGER),
    NAMED(MPI_REAL),
    NAMED(MPI_DOUBLE_PRECISION),
    NAMED(MPI_COMPLEX),
    NAMED(MPI_DOUBLE_COMPLEX),
    NAMED(MPI_INTEGER1),
    NAMED(MPI_INTEGER2),
    NAMED(MPI_INTEGER4),
    NAMED(MPI_INTEGER8),
    NAMED(MPI_REAL4),
    NAMED(MPI_REAL8),
    NAMED(MPI_COMPLEX8),
    NAMED(MPI_COMPLEX16),
    NAMED(MPI_CXX_BOOL),
    NAMED(MPI_CXX_FLOAT_COMPLEX),
    NAMED(MPI_CXX_DOUBLE_COMPLEX),
    NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

/* Whether MPI_Allreduce takes an operation for a type: one that is not of its class is an error of class MPI_ERR_OP. */
static char takes(MPI_Op op, MPI_Datatype type)
{
    char in[32] = {0}, out[32] = {0};
    int class, code = MPI_Allreduce(in, out, 1, type, op, MPI_COMM_SELF);

    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS ? 'y' : class == MPI_ERR_OP ? '-' : '?';
}

static void table(void)
{
    char external32[] = "external32", name[MPI_MAX_OBJECT_NAME];

    for (int i = 0; i < TYPES; i++) {
        MPI_Aint there;
        int here, length, alike = 0;

        MPI_Type_size(types[i].type, &here);
        MPI_Pack_external_size(external32, 1, types[i].type, &there);
        MPI_Type_get_name(types[i].type, name, &length);
        for (int j = 0; j < TYPES; j++) {
            alike += types[j].type == types[i].type;
        }
        printf("%s: named %s, %d here, %d in external32, %d with this handle;", types[i].name, name, here, (int)there,
               alike);
        if (types[i].type == MPI_CHAR || types[i].type == MPI_CHARACTER) { /* which some take in all operations */
            printf("\n");
            continue;
        }
        printf(" max %c sum %c bor %c maxloc %c", takes(MPI_MAX, types[i].type), takes(MPI_SUM, types[i].type),
               takes(MPI_BOR, types[i].type), takes(MPI_MAXLOC, types[i].type));
        if (!strstr(name, "FLOAT") && !strstr(name, "DOUBLE") && !strstr(name, "REAL")) { /* the same */
            printf(" lor %c", takes(MPI_LOR, types[i].type));
        }
        printf("\n");
    }
}

/* Wide characters and truths travel, and are reduced, as what they are. */
static void values(int rank, int size)
{
    wchar_t word[4] = {L'A', 0x20ac, (wchar_t)(0x100 + rank), 0}, got[4] = {0};
    bool mine = rank == size - 1, any = false, all = true;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Sendrecv(word, 4, MPI_WCHAR, right, 5, got, 4, MPI_WCHAR, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&mine, &any, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("got %x %x %x %x, any %d, all %d\n", (unsigned)got[0], (unsigned)got[1], (unsigned)got[2],
               (unsigned)got[3], any, all);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (rank == 0) {
        table();
    }
    values(rank, size);
    MPI_Finalize();
    return 0;
}
