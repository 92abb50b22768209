/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packing by hand and counting what came: chapters 3.2.5, 3.12.5 and 3.13 of MPI, and what 4.1 of IMPI demands of both
 * on communicators of several clients. On top of types/pack.c.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "ref-impl/mpi/api/call.h"

/* Packed data of a communicator must mean the same to all of its processes. */
static enum type_form form_of(const struct mpi_comm *comm)
{
    return comm->native ? TYPE_NATIVE : TYPE_EXTERNAL; //= IMPI-181
}

/* A place in a packed buffer of `size` octets. */
static void check_position(struct mpi_call *call, int size, const int *position)
{
    call_output(call, position, "position");
    if (size < 0) {
        call_fail(call, MPI_ERR_ARG, "the packed buffer's size is %d, less than 0", size);
    } else if (call->code == MPI_SUCCESS && (*position < 0 || *position > size)) {
        call_fail(call, MPI_ERR_ARG, "position %d is not in 0 .. %d", *position, size);
    }
}

/* MPI_PACKED octets are what a call of MPI_Pack made: they are not packed again in another form. */
API int MPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
                 MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Pack", comm);
    struct mpi_type *type = call_type(&call, datatype);
    enum type_form form;
    size_t octets;
    int code;

    call_count(&call, incount, "incount");
    call_buffer(&call, inbuf, incount, type, ADDRESS_READ);
    check_position(&call, outsize, position);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    form = form_of(call.comm);
    octets = type_octets(type, (size_t)incount, form);
    if (octets > (size_t)(outsize - *position)) {
        call_fail(&call, MPI_ERR_BUFFER, "outbuf has room for %d octets more, not for %zu", outsize - *position,
                  octets);
        return call_end(&call);
    }
    if (octets > 0) {
        call_output(&call, outbuf, "outbuf");
        call_octets(&call, (char *)outbuf + *position, octets, ADDRESS_WRITE);
    }
    if (call.code == MPI_SUCCESS) {
        code = type_pack(type, (size_t)incount, form, inbuf, (char *)outbuf + *position, octets);
        if (code == MPI_SUCCESS) {
            *position += (int)octets;
        } else {
            call_fail(&call, code, "a number in inbuf does not fit the octets that it has in external32");
        }
    }
    return call_end(&call);
}

API int MPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
                   MPI_Comm comm)
{
    struct mpi_call call = call_on("MPI_Unpack", comm);
    struct mpi_type *type = call_type(&call, datatype);
    enum type_form form;
    size_t octets;
    int code;

    call_count(&call, outcount, "outcount");
    call_buffer(&call, outbuf, outcount, type, ADDRESS_WRITE);
    check_position(&call, insize, position);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    form = form_of(call.comm);
    octets = type_octets(type, (size_t)outcount, form);
    if (octets > (size_t)(insize - *position)) {
        call_fail(&call, MPI_ERR_TRUNCATE, "inbuf has %d octets more, not %zu", insize - *position, octets);
        return call_end(&call);
    }
    if (octets > 0) {
        call_output(&call, inbuf, "inbuf");
        call_octets(&call, (const char *)inbuf + *position, octets, ADDRESS_READ);
    }
    if (call.code == MPI_SUCCESS) {
        code = type_unpack(type, (size_t)outcount, form, (const char *)inbuf + *position, octets, outbuf);
        if (code == MPI_SUCCESS) {
            *position += (int)octets;
        } else {
            call_fail(&call, code, "a number in inbuf is too large for its type in memory");
        }
    }
    return call_end(&call);
}

API int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    struct mpi_call call = call_on("MPI_Pack_size", comm);
    struct mpi_type *type = call_type(&call, datatype);
    size_t octets;

    call_count(&call, incount, "incount");
    call_output(&call, size, "size");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    octets = type_octets(type, (size_t)incount, form_of(call.comm)); //= IMPI-181
    if (octets > INT_MAX) {
        call_fail(&call, MPI_ERR_ARG, "%d elements of the datatype take more octets than an int can count", incount);
        return call_end(&call);
    }
    *size = (int)octets;
    return MPI_SUCCESS;
}

/* ---- external32 without a communicator, of MPI-2 ---- */

/* What is packed is one of `count` elements; NULL: the call has failed. */
static struct mpi_type *check_external(struct mpi_call *call, const char *datarep, int count, MPI_Datatype datatype)
{
    struct mpi_type *type = call_type(call, datatype);

    call_output(call, datarep, "datarep");
    if (call->code == MPI_SUCCESS && strcmp(datarep, "external32") != 0) {
        call_fail(call, MPI_ERR_ARG, "datarep is '%.32s'; external32 is the one that there is", datarep);
    }
    call_count(call, count, "the count");
    return call->code == MPI_SUCCESS ? type : NULL;
}

/* The place of so many octets in a buffer, behind those that are there; fails the call where it has no room. */
static char *place_in(struct mpi_call *call, const void *buffer, MPI_Aint size, const MPI_Aint *position, size_t octets)
{
    call_output(call, position, "position");
    if (call->code == MPI_SUCCESS && (*position < 0 || *position > size || octets > (size_t)(size - *position))) {
        call_fail(call, MPI_ERR_TRUNCATE, "from position %td on, %td octets have no room for %zu", *position, size,
                  octets);
    }
    return call->code == MPI_SUCCESS ? (char *)(uintptr_t)buffer + *position : NULL;
}

/* The end of both: moves the position behind what was moved. */
static int end_external(struct mpi_call *call, int code, size_t octets, MPI_Aint *position)
{
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "a number does not fit in its other form");
        return call_end(call);
    }
    *position += (MPI_Aint)octets;
    return MPI_SUCCESS;
}

API int MPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
                          MPI_Aint outsize, MPI_Aint *position)
{
    struct mpi_call call = call_without("MPI_Pack_external");
    struct mpi_type *type = check_external(&call, datarep, incount, datatype);
    size_t octets = type ? type_octets(type, (size_t)incount, TYPE_EXTERNAL) : 0;
    char *to = place_in(&call, outbuf, outsize, position, octets);

    call_buffer(&call, inbuf, incount, type, ADDRESS_READ);
    call_octets(&call, to, octets, ADDRESS_WRITE);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    return end_external(&call, type_pack(type, (size_t)incount, TYPE_EXTERNAL, inbuf, to, octets), octets, position);
}

API int MPI_Unpack_external(const char *datarep, const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
                            int outcount, MPI_Datatype datatype)
{
    struct mpi_call call = call_without("MPI_Unpack_external");
    struct mpi_type *type = check_external(&call, datarep, outcount, datatype);
    size_t octets = type ? type_octets(type, (size_t)outcount, TYPE_EXTERNAL) : 0;
    const char *from = place_in(&call, inbuf, insize, position, octets);

    call_buffer(&call, outbuf, outcount, type, ADDRESS_WRITE);
    call_octets(&call, from, octets, ADDRESS_READ);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    return end_external(&call, type_unpack(type, (size_t)outcount, TYPE_EXTERNAL, from, octets, outbuf), octets,
                        position);
}

API int MPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size)
{
    struct mpi_call call = call_without("MPI_Pack_external_size");
    struct mpi_type *type = check_external(&call, datarep, incount, datatype);

    call_output(&call, size, "size");
    if (call.code == MPI_SUCCESS) {
        *size = (MPI_Aint)type_octets(type, (size_t)incount, TYPE_EXTERNAL);
    }
    return call_end(&call);
}

/* ---- what came ---- */

static enum type_form form_received(const MPI_Status *status)
{
    return status->assay_external ? TYPE_EXTERNAL : TYPE_NATIVE;
}

API int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    struct mpi_call call = call_without("MPI_Get_count");
    const struct mpi_type *type = call_type(&call, datatype);

    call_output(&call, status, "status");
    call_output(&call, count, "count");
    if (call.code == MPI_SUCCESS) {
        *count = type_count(type, form_received(status), status->assay_octets);
    }
    return call_end(&call);
}

API int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    struct mpi_call call = call_without("MPI_Get_elements");
    const struct mpi_type *type = call_type(&call, datatype);
    MPI_Count elements;

    call_output(&call, status, "status");
    call_output(&call, count, "count");
    if (call.code == MPI_SUCCESS) {
        elements = type_elements(type, form_received(status), status->assay_octets);
        *count = elements <= INT_MAX ? (int)elements : MPI_UNDEFINED;
    }
    return call_end(&call);
}

API int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    struct mpi_call call = call_without("MPI_Get_elements_x");
    const struct mpi_type *type = call_type(&call, datatype);

    call_output(&call, status, "status");
    call_output(&call, count, "count");
    if (call.code == MPI_SUCCESS) {
        *count = type_elements(type, form_received(status), status->assay_octets);
    }
    return call_end(&call);
}

/* ---- what a program says that came ---- */

API int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    struct mpi_call call = call_without("MPI_Status_set_elements_x");
    const struct mpi_type *type = call_type(&call, datatype);

    call_output(&call, status, "status");
    if (count < 0) {
        call_fail(&call, MPI_ERR_COUNT, "count is %lld, less than 0", count);
    }
    if (call.code == MPI_SUCCESS) {
        status->assay_external = 0;
        status->assay_octets = type_elements_octets(type, (size_t)count);
    }
    return call_end(&call);
}

API int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
    return MPI_Status_set_elements_x(status, datatype, count);
}

API int MPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    struct mpi_call call = call_without("MPI_Status_set_cancelled");

    call_output(&call, status, "status");
    if (call.code == MPI_SUCCESS) {
        status->assay_cancelled = flag != 0;
    }
    return call_end(&call);
}
