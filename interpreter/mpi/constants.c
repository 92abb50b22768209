/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The standard's names, filled in when the program starts: MPI-1 does not promise that its handles are constants in the
 * sense of C. What a header may lack without being a bad one is asked for by probe.sh.
 */
#include "constants.h"

#include <string.h>

#include "vendor.h"

enum { CONSTANTS_MOST = 128, HANDLE_OCTETS = 64 };

struct constant {
    int group;
    const char *name;
    int number;                          /* of what is no object */
    unsigned char object[HANDLE_OCTETS]; /* of an object, kind_octets of them */
};

static struct constant constants[CONSTANTS_MOST];
static size_t constants_count;

/* What the header does not have; ended by NULL. */
static const char *const lacking[] = {
#ifdef NO_MPI_SIGNED_CHAR
    "MPI_SIGNED_CHAR",
#endif
#ifdef NO_MPI_LONG_LONG_INT
    "MPI_LONG_LONG_INT",
#endif
#ifdef NO_MPI_LONG_LONG
    "MPI_LONG_LONG",
#endif
#ifdef NO_MPI_UNSIGNED_LONG_LONG
    "MPI_UNSIGNED_LONG_LONG",
#endif
#ifdef NO_MPI_UB
    "MPI_UB",
#endif
#ifdef NO_MPI_LB
    "MPI_LB",
#endif
#ifdef NO_MPI_COMPLEX
    "MPI_COMPLEX",
#endif
#ifdef NO_MPI_DOUBLE_COMPLEX
    "MPI_DOUBLE_COMPLEX",
#endif
#ifdef NO_MPI_2REAL
    "MPI_2REAL",
#endif
#ifdef NO_MPI_2DOUBLE_PRECISION
    "MPI_2DOUBLE_PRECISION",
#endif
#ifdef NO_MPI_TAG_UB
    "MPI_TAG_UB",
#endif
#ifdef NO_MPI_HOST
    "MPI_HOST",
#endif
#ifdef NO_MPI_IO
    "MPI_IO",
#endif
#ifdef NO_MPI_WTIME_IS_GLOBAL
    "MPI_WTIME_IS_GLOBAL",
#endif
#ifdef NO_IMPI_CLIENT_SIZE
    "IMPI_CLIENT_SIZE",
#endif
#ifdef NO_IMPI_CLIENT_COLOR
    "IMPI_CLIENT_COLOR",
#endif
#ifdef NO_IMPI_HOST_SIZE
    "IMPI_HOST_SIZE",
#endif
#ifdef NO_IMPI_HOST_COLOR
    "IMPI_HOST_COLOR",
#endif
    NULL};

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

/* ENTRY is a name and its constant. */
#define ENTRY(constant)                                                                                                \
    {                                                                                                                  \
#constant, constant                                                                                            \
    }

static void add_types(void)
{
    const struct {
        const char *name;
        MPI_Datatype type;
    } all[] = {
        ENTRY(MPI_CHAR),
        ENTRY(MPI_UNSIGNED_CHAR),
        ENTRY(MPI_BYTE),
        ENTRY(MPI_SHORT),
        ENTRY(MPI_UNSIGNED_SHORT),
        ENTRY(MPI_INT),
        ENTRY(MPI_UNSIGNED),
        ENTRY(MPI_LONG),
        ENTRY(MPI_UNSIGNED_LONG),
        ENTRY(MPI_FLOAT),
        ENTRY(MPI_DOUBLE),
        ENTRY(MPI_LONG_DOUBLE),
        ENTRY(MPI_PACKED),
        ENTRY(MPI_FLOAT_INT),
        ENTRY(MPI_DOUBLE_INT),
        ENTRY(MPI_LONG_INT),
        ENTRY(MPI_2INT),
        ENTRY(MPI_SHORT_INT),
        ENTRY(MPI_LONG_DOUBLE_INT),
        ENTRY(MPI_DATATYPE_NULL),
#ifndef NO_MPI_SIGNED_CHAR
        ENTRY(MPI_SIGNED_CHAR),
#endif
#ifndef NO_MPI_LONG_LONG_INT
        ENTRY(MPI_LONG_LONG_INT),
#endif
#ifndef NO_MPI_LONG_LONG
        ENTRY(MPI_LONG_LONG),
#endif
#ifndef NO_MPI_UNSIGNED_LONG_LONG
        ENTRY(MPI_UNSIGNED_LONG_LONG),
#endif
#ifndef NO_MPI_UB
        ENTRY(MPI_UB),
#endif
#ifndef NO_MPI_LB
        ENTRY(MPI_LB),
#endif
#ifndef NO_MPI_COMPLEX
        ENTRY(MPI_COMPLEX),
#endif
#ifndef NO_MPI_DOUBLE_COMPLEX
        ENTRY(MPI_DOUBLE_COMPLEX),
#endif
#ifndef NO_MPI_2REAL
        ENTRY(MPI_2REAL),
#endif
#ifndef NO_MPI_2DOUBLE_PRECISION
        ENTRY(MPI_2DOUBLE_PRECISION),
#endif
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add_object(KIND_TYPE, all[i].name, &all[i].type, sizeof all[i].type);
}

static void add_operations(void)
{
    const struct {
        const char *name;
        MPI_Op op;
    } all[] = {
        ENTRY(MPI_MAX),    ENTRY(MPI_MIN),  ENTRY(MPI_SUM),     ENTRY(MPI_PROD), ENTRY(MPI_MAXLOC),
        ENTRY(MPI_MINLOC), ENTRY(MPI_BAND), ENTRY(MPI_BOR),     ENTRY(MPI_BXOR), ENTRY(MPI_LAND),
        ENTRY(MPI_LOR),    ENTRY(MPI_LXOR), ENTRY(MPI_OP_NULL),
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add_object(KIND_OP, all[i].name, &all[i].op, sizeof all[i].op);
}

static void add_keys(void)
{
    const struct {
        const char *name;
        int key;
    } all[] = {
        ENTRY(MPI_KEYVAL_INVALID),
#ifndef NO_MPI_TAG_UB
        ENTRY(MPI_TAG_UB),
#endif
#ifndef NO_MPI_HOST
        ENTRY(MPI_HOST),
#endif
#ifndef NO_MPI_IO
        ENTRY(MPI_IO),
#endif
#ifndef NO_MPI_WTIME_IS_GLOBAL
        ENTRY(MPI_WTIME_IS_GLOBAL),
#endif
#ifndef NO_IMPI_CLIENT_SIZE
        ENTRY(IMPI_CLIENT_SIZE),
#endif
#ifndef NO_IMPI_CLIENT_COLOR
        ENTRY(IMPI_CLIENT_COLOR),
#endif
#ifndef NO_IMPI_HOST_SIZE
        ENTRY(IMPI_HOST_SIZE),
#endif
#ifndef NO_IMPI_HOST_COLOR
        ENTRY(IMPI_HOST_COLOR),
#endif
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add_object(KIND_KEYVAL, all[i].name, &all[i].key, sizeof all[i].key);
}

static void add_numbers(void)
{
    const struct {
        int group;
        const char *name;
        int number;
    } all[] = {
        {NUMBER_CLASS, "MPI_SUCCESS", MPI_SUCCESS},
        {NUMBER_CLASS, "MPI_ERR_BUFFER", MPI_ERR_BUFFER},
        {NUMBER_CLASS, "MPI_ERR_COUNT", MPI_ERR_COUNT},
        {NUMBER_CLASS, "MPI_ERR_TYPE", MPI_ERR_TYPE},
        {NUMBER_CLASS, "MPI_ERR_TAG", MPI_ERR_TAG},
        {NUMBER_CLASS, "MPI_ERR_COMM", MPI_ERR_COMM},
        {NUMBER_CLASS, "MPI_ERR_RANK", MPI_ERR_RANK},
        {NUMBER_CLASS, "MPI_ERR_REQUEST", MPI_ERR_REQUEST},
        {NUMBER_CLASS, "MPI_ERR_ROOT", MPI_ERR_ROOT},
        {NUMBER_CLASS, "MPI_ERR_GROUP", MPI_ERR_GROUP},
        {NUMBER_CLASS, "MPI_ERR_OP", MPI_ERR_OP},
        {NUMBER_CLASS, "MPI_ERR_TOPOLOGY", MPI_ERR_TOPOLOGY},
        {NUMBER_CLASS, "MPI_ERR_DIMS", MPI_ERR_DIMS},
        {NUMBER_CLASS, "MPI_ERR_ARG", MPI_ERR_ARG},
        {NUMBER_CLASS, "MPI_ERR_UNKNOWN", MPI_ERR_UNKNOWN},
        {NUMBER_CLASS, "MPI_ERR_TRUNCATE", MPI_ERR_TRUNCATE},
        {NUMBER_CLASS, "MPI_ERR_OTHER", MPI_ERR_OTHER},
        {NUMBER_CLASS, "MPI_ERR_INTERN", MPI_ERR_INTERN},
        {NUMBER_CLASS, "MPI_ERR_IN_STATUS", MPI_ERR_IN_STATUS},
        {NUMBER_CLASS, "MPI_ERR_PENDING", MPI_ERR_PENDING},
        {NUMBER_RANK, "MPI_ANY_SOURCE", MPI_ANY_SOURCE},
        {NUMBER_RANK, "MPI_PROC_NULL", MPI_PROC_NULL},
        {NUMBER_TAG, "MPI_ANY_TAG", MPI_ANY_TAG},
        {NUMBER_UNDEFINED, "MPI_UNDEFINED", MPI_UNDEFINED},
        {NUMBER_COMPARISON, "MPI_IDENT", MPI_IDENT},
        {NUMBER_COMPARISON, "MPI_CONGRUENT", MPI_CONGRUENT},
        {NUMBER_COMPARISON, "MPI_SIMILAR", MPI_SIMILAR},
        {NUMBER_COMPARISON, "MPI_UNEQUAL", MPI_UNEQUAL},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add_number(all[i].group, all[i].name, all[i].number);
}

static void add_others(void)
{
    const MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL};
    const MPI_Group groups[] = {MPI_GROUP_EMPTY, MPI_GROUP_NULL};
    const MPI_Errhandler handlers[] = {MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL, MPI_ERRHANDLER_NULL};
    const MPI_Request none = MPI_REQUEST_NULL;

    add_object(KIND_COMM, "MPI_COMM_WORLD", &comms[0], sizeof comms[0]);
    add_object(KIND_COMM, "MPI_COMM_SELF", &comms[1], sizeof comms[1]);
    add_object(KIND_COMM, "MPI_COMM_NULL", &comms[2], sizeof comms[2]);
    add_object(KIND_GROUP, "MPI_GROUP_EMPTY", &groups[0], sizeof groups[0]);
    add_object(KIND_GROUP, "MPI_GROUP_NULL", &groups[1], sizeof groups[1]);
    add_object(KIND_ERRHANDLER, "MPI_ERRORS_RETURN", &handlers[0], sizeof handlers[0]);
    add_object(KIND_ERRHANDLER, "MPI_ERRORS_ARE_FATAL", &handlers[1], sizeof handlers[1]);
    add_object(KIND_ERRHANDLER, "MPI_ERRHANDLER_NULL", &handlers[2], sizeof handlers[2]);
    add_object(KIND_REQUEST, "MPI_REQUEST_NULL", &none, sizeof none);
}

void constants_open(void)
{
    add_types();
    add_operations();
    add_keys();
    add_numbers();
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
    for (size_t i = 0; lacking[i]; i++)
        line_add(line, "%s%s", i ? "," : "", lacking[i]);
}
