/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The standard's names, filled in when the program starts: MPI-1 does not promise that its handles are constants in the
 * sense of C. What a header may lack without being a bad one is asked for by probe.sh.
 */
#include "mpi_constants.h"

#include <string.h>

#include "mpi_vendor.h"

enum { CONSTANTS_MOST = 128, LACKING_MOST = 16, HANDLE_OCTETS = 64 };

struct constant {
    int group;
    const char *name;
    int number;                          /* of what is no object */
    unsigned char object[HANDLE_OCTETS]; /* of an object, kind_octets of them */
};

static struct constant constants[CONSTANTS_MOST];
static const char *lacking[LACKING_MOST];
static size_t constants_count, lacking_count;

static void add_object(int kind, const char *name, const void *object, size_t octets)
{
    struct constant *constant = &constants[constants_count];

    if (constants_count == CONSTANTS_MOST || octets > sizeof constant->object)
        return;
    constants_count++;
    constant->group = kind;
    constant->name = name;
    memcpy(constant->object, object, octets);
}

static void add_number(int group, const char *name, int number)
{
    if (constants_count == CONSTANTS_MOST)
        return;
    constants[constants_count].group = group;
    constants[constants_count].name = name;
    constants[constants_count++].number = number;
}

/* OBJECT adds a constant of a handle type. Names stand beside constants: a macro that is passed on arrives expanded. */
#define OBJECT(kind, type, name, constant)                                                                             \
    do {                                                                                                               \
        type object = constant;                                                                                        \
        add_object(kind, name, &object, sizeof object);                                                                \
    } while (0)
#define TYPE(constant)    OBJECT(KIND_TYPE, MPI_Datatype, #constant, constant)
#define OP(constant)      OBJECT(KIND_OP, MPI_Op, #constant, constant)
#define KEY(constant)     OBJECT(KIND_KEYVAL, int, #constant, constant)
#define CLASS(constant)   add_number(NUMBER_CLASS, #constant, constant)
#define LACKING(constant) (lacking[lacking_count++] = #constant)

static void add_types(void)
{
    TYPE(MPI_CHAR);
    TYPE(MPI_UNSIGNED_CHAR);
    TYPE(MPI_BYTE);
    TYPE(MPI_SHORT);
    TYPE(MPI_UNSIGNED_SHORT);
    TYPE(MPI_INT);
    TYPE(MPI_UNSIGNED);
    TYPE(MPI_LONG);
    TYPE(MPI_UNSIGNED_LONG);
    TYPE(MPI_FLOAT);
    TYPE(MPI_DOUBLE);
    TYPE(MPI_LONG_DOUBLE);
    TYPE(MPI_PACKED);
    TYPE(MPI_FLOAT_INT);
    TYPE(MPI_DOUBLE_INT);
    TYPE(MPI_LONG_INT);
    TYPE(MPI_2INT);
    TYPE(MPI_SHORT_INT);
    TYPE(MPI_LONG_DOUBLE_INT);
    TYPE(MPI_DATATYPE_NULL);
#ifndef NO_MPI_SIGNED_CHAR
    TYPE(MPI_SIGNED_CHAR);
#else
    LACKING(MPI_SIGNED_CHAR);
#endif
#ifndef NO_MPI_LONG_LONG_INT
    TYPE(MPI_LONG_LONG_INT);
#else
    LACKING(MPI_LONG_LONG_INT);
#endif
#ifndef NO_MPI_LONG_LONG
    TYPE(MPI_LONG_LONG);
#else
    LACKING(MPI_LONG_LONG);
#endif
#ifndef NO_MPI_UNSIGNED_LONG_LONG
    TYPE(MPI_UNSIGNED_LONG_LONG);
#else
    LACKING(MPI_UNSIGNED_LONG_LONG);
#endif
#ifndef NO_MPI_UB
    TYPE(MPI_UB);
#else
    LACKING(MPI_UB);
#endif
#ifndef NO_MPI_LB
    TYPE(MPI_LB);
#else
    LACKING(MPI_LB);
#endif
}

static void add_operations(void)
{
    OP(MPI_MAX);
    OP(MPI_MIN);
    OP(MPI_SUM);
    OP(MPI_PROD);
    OP(MPI_MAXLOC);
    OP(MPI_MINLOC);
    OP(MPI_BAND);
    OP(MPI_BOR);
    OP(MPI_BXOR);
    OP(MPI_LAND);
    OP(MPI_LOR);
    OP(MPI_LXOR);
    OP(MPI_OP_NULL);
}

static void add_keys(void)
{
#ifndef NO_MPI_TAG_UB
    KEY(MPI_TAG_UB);
#else
    LACKING(MPI_TAG_UB);
#endif
#ifndef NO_MPI_HOST
    KEY(MPI_HOST);
#else
    LACKING(MPI_HOST);
#endif
#ifndef NO_MPI_IO
    KEY(MPI_IO);
#else
    LACKING(MPI_IO);
#endif
#ifndef NO_MPI_WTIME_IS_GLOBAL
    KEY(MPI_WTIME_IS_GLOBAL);
#else
    LACKING(MPI_WTIME_IS_GLOBAL);
#endif
#ifndef NO_IMPI_CLIENT_SIZE
    KEY(IMPI_CLIENT_SIZE);
#else
    LACKING(IMPI_CLIENT_SIZE);
#endif
#ifndef NO_IMPI_CLIENT_COLOR
    KEY(IMPI_CLIENT_COLOR);
#else
    LACKING(IMPI_CLIENT_COLOR);
#endif
#ifndef NO_IMPI_HOST_SIZE
    KEY(IMPI_HOST_SIZE);
#else
    LACKING(IMPI_HOST_SIZE);
#endif
#ifndef NO_IMPI_HOST_COLOR
    KEY(IMPI_HOST_COLOR);
#else
    LACKING(IMPI_HOST_COLOR);
#endif
}

static void add_classes(void)
{
    CLASS(MPI_SUCCESS);
    CLASS(MPI_ERR_BUFFER);
    CLASS(MPI_ERR_COUNT);
    CLASS(MPI_ERR_TYPE);
    CLASS(MPI_ERR_TAG);
    CLASS(MPI_ERR_COMM);
    CLASS(MPI_ERR_RANK);
    CLASS(MPI_ERR_REQUEST);
    CLASS(MPI_ERR_ROOT);
    CLASS(MPI_ERR_GROUP);
    CLASS(MPI_ERR_OP);
    CLASS(MPI_ERR_TOPOLOGY);
    CLASS(MPI_ERR_DIMS);
    CLASS(MPI_ERR_ARG);
    CLASS(MPI_ERR_UNKNOWN);
    CLASS(MPI_ERR_TRUNCATE);
    CLASS(MPI_ERR_OTHER);
    CLASS(MPI_ERR_INTERN);
    CLASS(MPI_ERR_IN_STATUS);
    CLASS(MPI_ERR_PENDING);
}

static void add_others(void)
{
    OBJECT(KIND_COMM, MPI_Comm, "MPI_COMM_WORLD", MPI_COMM_WORLD);
    OBJECT(KIND_COMM, MPI_Comm, "MPI_COMM_SELF", MPI_COMM_SELF);
    OBJECT(KIND_COMM, MPI_Comm, "MPI_COMM_NULL", MPI_COMM_NULL);
    OBJECT(KIND_GROUP, MPI_Group, "MPI_GROUP_EMPTY", MPI_GROUP_EMPTY);
    OBJECT(KIND_GROUP, MPI_Group, "MPI_GROUP_NULL", MPI_GROUP_NULL);
    OBJECT(KIND_REQUEST, MPI_Request, "MPI_REQUEST_NULL", MPI_REQUEST_NULL);
    OBJECT(KIND_ERRHANDLER, MPI_Errhandler, "MPI_ERRORS_RETURN", MPI_ERRORS_RETURN);
    OBJECT(KIND_ERRHANDLER, MPI_Errhandler, "MPI_ERRORS_ARE_FATAL", MPI_ERRORS_ARE_FATAL);
    OBJECT(KIND_ERRHANDLER, MPI_Errhandler, "MPI_ERRHANDLER_NULL", MPI_ERRHANDLER_NULL);
    OBJECT(KIND_KEYVAL, int, "MPI_KEYVAL_INVALID", MPI_KEYVAL_INVALID);
    add_number(NUMBER_RANK, "MPI_ANY_SOURCE", MPI_ANY_SOURCE);
    add_number(NUMBER_RANK, "MPI_PROC_NULL", MPI_PROC_NULL);
    add_number(NUMBER_TAG, "MPI_ANY_TAG", MPI_ANY_TAG);
    add_number(NUMBER_UNDEFINED, "MPI_UNDEFINED", MPI_UNDEFINED);
    add_number(NUMBER_COMPARISON, "MPI_IDENT", MPI_IDENT);
    add_number(NUMBER_COMPARISON, "MPI_CONGRUENT", MPI_CONGRUENT);
    add_number(NUMBER_COMPARISON, "MPI_SIMILAR", MPI_SIMILAR);
    add_number(NUMBER_COMPARISON, "MPI_UNEQUAL", MPI_UNEQUAL);
}

void constants_open(void)
{
    add_types();
    add_operations();
    add_keys();
    add_classes();
    add_others();
}

bool constant_object(int kind, const char *name, void *object)
{
    for (size_t i = 0; i < constants_count; i++) {
        if (constants[i].group == kind && strcmp(constants[i].name, name) == 0) {
            memcpy(object, constants[i].object, kind_octets(kind));
            return true;
        }
    }
    return false;
}

const char *constant_object_name(int kind, const void *object)
{
    for (size_t i = 0; i < constants_count; i++)
        if (constants[i].group == kind && memcmp(constants[i].object, object, kind_octets(kind)) == 0)
            return constants[i].name;
    return NULL;
}

bool constant_number(const char *name, int *number)
{
    for (size_t i = 0; i < constants_count; i++) {
        int group = constants[i].group;
        if ((group == NUMBER_RANK || group == NUMBER_TAG || group == NUMBER_UNDEFINED) &&
            strcmp(constants[i].name, name) == 0) {
            *number = constants[i].number;
            return true;
        }
    }
    return false;
}

const char *constant_number_name(int group, int number)
{
    for (size_t i = 0; i < constants_count; i++)
        if (constants[i].group == group && constants[i].number == number)
            return constants[i].name;
    return NULL;
}

void constants_add_lacking(struct line *line)
{
    for (size_t i = 0; i < lacking_count; i++)
        line_add(line, "%s%s", i ? "," : "", lacking[i]);
}
