/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Addresses, packing and unpacking: sections 3.12.2 and 3.13 of the MPI-1.1 standard.
 */
#include "verbs.h"

static void run_address(struct call *call)
{
    void *location = call_buffer(call, "location");
    MPI_Aint address = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, VENDOR_ADDRESS(location, &address))))
        line_add(&call->result, " address=%lld", (long long)address);
}

static void run_pack(struct call *call)
{
    void *in = call_buffer(call, "inbuf"), *out = call_buffer(call, "outbuf");
    int count = call_number(call, "incount"), size = call_number(call, "outsize");
    int position = call_number(call, "position");
    MPI_Datatype type = call_type(call, "datatype");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Pack(in, count, type, out, size, &position, comm))))
        line_add(&call->result, " position=%d", position);
}

static void run_unpack(struct call *call)
{
    void *in = call_buffer(call, "inbuf"), *out = call_buffer(call, "outbuf");
    int size = call_number(call, "insize"), count = call_number(call, "outcount");
    int position = call_number(call, "position");
    MPI_Datatype type = call_type(call, "datatype");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Unpack(in, size, &position, out, count, type, comm))))
        line_add(&call->result, " position=%d", position);
}

static void run_pack_size(struct call *call)
{
    int count = call_number(call, "incount"), size = 0;
    MPI_Datatype type = call_type(call, "datatype");
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Pack_size(count, type, comm, &size))))
        line_add(&call->result, " size=%d", size);
}

const struct verb mpi_packing[] = {
    {"MPI_Address", "location", run_address, false},
    {"MPI_Pack", "inbuf incount datatype outbuf outsize position comm", run_pack, false},
    {"MPI_Unpack", "inbuf insize position outbuf outcount datatype comm", run_unpack, false},
    {"MPI_Pack_size", "incount datatype comm", run_pack_size, false},
    {NULL, NULL, NULL, false},
};
