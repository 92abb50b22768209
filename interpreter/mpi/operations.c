/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * User-defined operations: section 4.9.4 of the MPI-1.1 standard. The functions are here, since a manager can send no
 * code; specs/interpreter.md, section 7.2, says what they compute.
 */
#include <string.h>

#include "vendor.h"
#include "verbs.h"

enum { MODULUS = 65521 };

static void sum_int(void *in, void *inout, int *len, MPI_Datatype *type)
{
    const int *left = in;
    int *right = inout;

    (void)type;
    for (int i = 0; i < *len; i++)
        right[i] = left[i] + right[i];
}

static void left(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int size = 0;

    if (MPI_Type_size(*type, &size) == MPI_SUCCESS && size > 0 && *len > 0)
        memcpy(inout, in, (size_t)*len * (size_t)size);
}

/* affine composes x -> a*x + b, the left one first. */
static void affine(void *in, void *inout, int *len, MPI_Datatype *type)
{
    const int *first = in;
    int *second = inout;

    (void)type;
    for (int i = 0; i < *len; i++, first += 2, second += 2) {
        long long a = first[0], b = first[1], c = second[0], d = second[1];
        second[0] = (int)(a * c % MODULUS);
        second[1] = (int)((b * c + d) % MODULUS);
    }
}

/* sum_last adds the int that ends each element, where the datatype says that it is. */
static void sum_last(void *in, void *inout, int *len, MPI_Datatype *type)
{
    MPI_Aint lower, extent;

    if (vendor_type_bounds(*type, &lower, &extent) != MPI_SUCCESS)
        return;
    for (int i = 0; i < *len; i++) {
        MPI_Aint end = i * extent + lower + extent - (MPI_Aint)sizeof(int);
        int a, b;

        memcpy(&a, (char *)in + end, sizeof a);
        memcpy(&b, (char *)inout + end, sizeof b);
        b += a;
        memcpy((char *)inout + end, &b, sizeof b);
    }
}

static const struct {
    const char *name;
    MPI_User_function *function;
} functions[] = {{"sum-int", sum_int}, {"left", left}, {"affine", affine}, {"sum-last", sum_last}};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

void operations_describe(struct line *line)
{
    line_add(line, " functions=");
    for (int i = 0; i < FUNCTIONS; i++)
        line_add(line, "%s%s", i ? "," : "", functions[i].name);
}

static void run_create(struct call *call)
{
    MPI_User_function *function = NULL;
    int commute = call_flag(call, "commute");
    MPI_Op op = MPI_OP_NULL;

    for (int i = 0; i < FUNCTIONS; i++)
        if (call_is(call, "function", functions[i].name))
            function = functions[i].function;
    if (!function)
        failure_set(&call->failure, "bad-value", "function is sum-int, left, affine or sum-last");
    call_new(call, "op");
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Op_create(function, commute, &op))))
        result_object(call, "op", KIND_OP, &op);
}

static void run_free(struct call *call)
{
    MPI_Op op = call_op(call, "op");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Op_free(&op))))
        result_object(call, "op", KIND_OP, &op);
}

const struct verb mpi_operations[] = {
    {"MPI_Op_create", "function commute op", run_create, false},
    {"MPI_Op_free", "op", run_free, false},
    {NULL, NULL, NULL, false},
};
