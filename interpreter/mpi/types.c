/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Derived datatypes: section 3.12 of the MPI-1.1 standard.
 */
#include <string.h>

#include "verbs.h"

/* finish_type tells how a constructor went. */
static void finish_type(struct call *call, int code, const MPI_Datatype *type)
{
    if (result_code(call, code))
        result_object(call, "newtype", KIND_TYPE, type);
}

/* read_old reads what all constructors of one old type have. */
static bool read_old(struct call *call, MPI_Datatype *old, MPI_Datatype *new)
{
    memset(new, 0, sizeof *new);
    call_new(call, "newtype");
    *old = call_type(call, "oldtype");
    return !call_failed(call);
}

static void run_contiguous(struct call *call)
{
    int count = call_number(call, "count");
    MPI_Datatype old, new;

    if (read_old(call, &old, &new))
        finish_type(call, CALLED(call, MPI_Type_contiguous(count, old, &new)), &new);
}

static void run_vector(struct call *call)
{
    int count = call_number(call, "count"), length = call_number(call, "blocklength");
    int stride = call_number(call, "stride");
    MPI_Datatype old, new;

    if (read_old(call, &old, &new))
        finish_type(call, CALLED(call, MPI_Type_vector(count, length, stride, old, &new)), &new);
}

static void run_hvector(struct call *call)
{
    int count = call_number(call, "count"), length = call_number(call, "blocklength");
    MPI_Aint stride = call_extent(call, "stride");
    MPI_Datatype old, new;

    if (read_old(call, &old, &new))
        finish_type(call, CALLED(call, VENDOR_TYPE_HVECTOR(count, length, stride, old, &new)), &new);
}

/* struct blocks are the lists of the constructors with different blocks. */
struct blocks {
    int count;
    size_t len;
    int *lengths;
};

/* read_blocks reads the lengths of blocks, of which there are as many as displacements. */
static void read_blocks(struct call *call, size_t displacements, struct blocks *blocks)
{
    blocks->lengths = call_numbers(call, "array_of_blocklengths", &blocks->len);
    if (blocks->len != displacements)
        failure_set(&call->failure, "bad-value", "%u block lengths, but %u displacements", (unsigned)blocks->len,
                    (unsigned)displacements);
    blocks->count = call_length(call, "count", blocks->len);
}

static void run_indexed(struct call *call)
{
    size_t len;
    int *displacements = call_numbers(call, "array_of_displacements", &len);
    MPI_Datatype old, new;
    struct blocks b;

    read_blocks(call, len, &b);
    if (read_old(call, &old, &new))
        finish_type(call, CALLED(call, MPI_Type_indexed(b.count, b.lengths, displacements, old, &new)), &new);
}

static void run_hindexed(struct call *call)
{
    size_t len;
    MPI_Aint *displacements = call_extents(call, "array_of_displacements", &len);
    MPI_Datatype old, new;
    struct blocks b;

    read_blocks(call, len, &b);
    if (read_old(call, &old, &new))
        finish_type(call, CALLED(call, VENDOR_TYPE_HINDEXED(b.count, b.lengths, displacements, old, &new)), &new);
}

static void run_struct(struct call *call)
{
    size_t len;
    MPI_Aint *displacements = call_extents(call, "array_of_displacements", &len);
    struct name_list types;
    MPI_Datatype new;
    struct blocks b;

    memset(&new, 0, sizeof new);
    read_blocks(call, len, &b);
    call_objects(call, "array_of_types", KIND_TYPE, &types);
    if (types.len != len)
        failure_set(&call->failure, "bad-value", "%u types, but %u displacements", (unsigned)types.len, (unsigned)len);
    call_new(call, "newtype");
    if (!call_failed(call))
        finish_type(call, CALLED(call, VENDOR_TYPE_STRUCT(b.count, b.lengths, displacements, types.objects, &new)),
                    &new);
}

static void run_commit(struct call *call)
{
    MPI_Datatype type = call_type(call, "datatype");

    if (call_failed(call))
        return;
    result_code(call, CALLED(call, MPI_Type_commit(&type)));
    call_give(call, call_value(call, "datatype"), KIND_TYPE, &type);
}

static void run_free(struct call *call)
{
    MPI_Datatype type = call_type(call, "datatype");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Type_free(&type))))
        result_object(call, "datatype", KIND_TYPE, &type);
}

static void run_size(struct call *call)
{
    MPI_Datatype type = call_type(call, "datatype");
    int size = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Type_size(type, &size))))
        result_number(call, "size", NUMBER_UNDEFINED, size);
}

/* run_bounds answers for extent, lower and upper bound. */
static void run_bounds(struct call *call)
{
    MPI_Datatype type = call_type(call, "datatype");
    MPI_Aint lower = 0, extent = 0;

    if (call_failed(call) || !result_code(call, CALLED(call, vendor_type_bounds(type, &lower, &extent))))
        return;
    if (strcmp(call->command.verb, "MPI_Type_extent") == 0)
        line_add(&call->result, " extent=%lld", (long long)extent);
    else if (strcmp(call->command.verb, "MPI_Type_lb") == 0)
        line_add(&call->result, " displacement=%lld", (long long)lower);
    else
        line_add(&call->result, " displacement=%lld", (long long)lower + (long long)extent);
}

const struct verb mpi_types[] = {
    {"MPI_Type_contiguous", "count oldtype newtype", run_contiguous, false},
    {"MPI_Type_vector", "count blocklength stride oldtype newtype", run_vector, false},
    {"MPI_Type_hvector", "count blocklength stride oldtype newtype", run_hvector, false},
    {"MPI_Type_indexed", "[count] array_of_blocklengths array_of_displacements oldtype newtype", run_indexed, false},
    {"MPI_Type_hindexed", "[count] array_of_blocklengths array_of_displacements oldtype newtype", run_hindexed, false},
    {"MPI_Type_struct", "[count] array_of_blocklengths array_of_displacements array_of_types newtype", run_struct,
     false},
    {"MPI_Type_commit", "datatype", run_commit, false},
    {"MPI_Type_free", "datatype", run_free, false},
    {"MPI_Type_size", "datatype", run_size, false},
    {"MPI_Type_extent", "datatype", run_bounds, false},
    {"MPI_Type_lb", "datatype", run_bounds, false},
    {"MPI_Type_ub", "datatype", run_bounds, false},
    {NULL, NULL, NULL, false},
};
