/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations: the predefined ones, whose loops are in op_loops.c, and those of programs. Chapter 4.9 of MPI.
 */
#include "ref-impl/mpi/collectives/op.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/collectives/op_loops.h"
#include "ref-impl/mpi/common/callback.h"
#include "ref-impl/mpi/common/handle.h"

struct mpi_op {
    enum op_kind kind;           /* of a predefined one */
    MPI_User_function *function; /* of a program's own; else NULL */
    bool commutes;
    unsigned holders; /* of a program's own */
};

static struct mpi_op predefined[] = {
    {OP_MAX, NULL, true, 1},      {OP_MIN, NULL, true, 1},   {OP_SUM, NULL, true, 1},    {OP_PROD, NULL, true, 1},
    {OP_LAND, NULL, true, 1},     {OP_BAND, NULL, true, 1},  {OP_LOR, NULL, true, 1},    {OP_BOR, NULL, true, 1},
    {OP_LXOR, NULL, true, 1},     {OP_BXOR, NULL, true, 1},  {OP_MAXLOC, NULL, true, 1}, {OP_MINLOC, NULL, true, 1},
    {OP_REPLACE, NULL, false, 1}, {OP_NONE, NULL, false, 1},
};

static const MPI_Op handles[] = {
    MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
    MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP,
};

bool op_open(void)
{
    bool good = true;

    for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++) {
        good = good && handle_set(HANDLE_OP, handles[i], &predefined[i]);
    }
    return good;
}

void op_close(void)
{
    struct mpi_op *op;
    size_t place = 0;

    while ((op = handle_next(HANDLE_OP, &place))) {
        if (op->function) {
            free(op);
        }
    }
    handle_close(HANDLE_OP);
}

struct mpi_op *op_find(MPI_Op handle)
{
    return handle_find(HANDLE_OP, handle);
}

bool op_commutes(const struct mpi_op *op)
{
    return op->commutes;
}

bool op_takes(const struct mpi_op *op, const struct mpi_type *type)
{
    return op->function || op_loops_at(op->kind, op_loops_row(type));
}

void op_apply(const struct mpi_op *op, const struct mpi_type *type, int count, void *in, void *inout)
{
    MPI_Datatype handle = type_handle(type);

    if (op->function) {
        callback_begin();
        op->function(in, inout, &count, &handle);
        callback_end();
    } else {
        op_loops_at(op->kind, op_loops_row(type))((size_t)count, in, inout);
    }
}

bool op_row(const struct mpi_op *op, const struct mpi_type *type, struct op_row *row)
{
    int number = op_loops_row(type);

    if (op->function || number < 0 || (op->kind < OP_REPLACE && !op_loops_at(op->kind, number))) {
        return false;
    }
    *row = (struct op_row){(uint32_t)op->kind, (uint32_t)number, op_loops_element(number)};
    return true;
}

void op_apply_row(uint32_t op, uint32_t row, size_t octets, const void *in, void *inout)
{
    op_loop *loop = op < OP_REPLACE && row <= INT_MAX ? op_loops_at((enum op_kind)op, (int)row) : NULL;

    if (op == OP_REPLACE) {
        memcpy(inout, in, octets);
    } else if (loop) {
        loop(octets / op_loops_element((int)row), in, inout);
    }
}

void op_hold(struct mpi_op *op)
{
    op->holders++;
}

void op_release(struct mpi_op *op)
{
    if (--op->holders == 0 && op->function) {
        free(op);
    }
}

MPI_Op op_new(MPI_User_function *function, bool commutes)
{
    struct mpi_op *made = malloc(sizeof(*made));
    MPI_Op handle = made ? handle_new(HANDLE_OP, made) : NULL;

    if (!handle) {
        free(made);
        return NULL;
    }
    *made = (struct mpi_op){.function = function, .commutes = commutes};
    made->holders = 1;
    return handle;
}

bool op_is_predefined(const struct mpi_op *op)
{
    return !op->function;
}

void op_free(MPI_Op handle)
{
    struct mpi_op *op = op_find(handle);

    handle_free(HANDLE_OP, handle);
    op_release(op);
}
