/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators: section 5.7 of the MPI-1.1 standard, and 2.5 of IMPI 0.0, whose four keys are predefined
 * ones like MPI_TAG_UB.
 */
#include <stdint.h>

#include "verbs.h"

static int read_key(struct call *call)
{
    int key = 0;

    call_object(call, "keyval", KIND_KEYVAL, &key);
    return key;
}

static void run_create(struct call *call)
{
    bool copied = call_is(call, "copy", "dup");
    int key = MPI_KEYVAL_INVALID, code;

    if (command_value(&call->command, "copy") && !copied && !call_is(call, "copy", "null"))
        failure_set(&call->failure, "bad-value", "copy is null or dup");
    call_new(call, "keyval");
    if (call_failed(call))
        return;
    if (copied)
        code = CALLED(call, VENDOR_KEYVAL_CREATE(VENDOR_DUP, VENDOR_NULL_DELETE, &key, NULL));
    else
        code = CALLED(call, VENDOR_KEYVAL_CREATE(VENDOR_NULL_COPY, VENDOR_NULL_DELETE, &key, NULL));
    if (result_code(call, code))
        result_object(call, "keyval", KIND_KEYVAL, &key);
}

static void run_free(struct call *call)
{
    int key = read_key(call);

    if (!call_failed(call) && result_code(call, CALLED(call, VENDOR_KEYVAL_FREE(&key))))
        result_object(call, "keyval", KIND_KEYVAL, &key);
}

static void run_put(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int key = read_key(call);
    void *value = (void *)(uintptr_t)call_bits(call, "attribute_val", sizeof value, NULL, 0);

    if (!call_failed(call))
        result_code(call, CALLED(call, VENDOR_ATTR_PUT(comm, key, value)));
}

static void run_get(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int key = read_key(call), flag = 0;
    void *value = NULL;

    if (call_failed(call) || !result_code(call, CALLED(call, VENDOR_ATTR_GET(comm, key, &value, &flag))))
        return;
    result_bool(call, "flag", flag != 0);
    if (!flag)
        return;
    if (text_is_name(call_value(call, "keyval")))
        line_add(&call->result, " attribute_val=%lld", (long long)(intptr_t)value);
    else if (value) /* of a predefined key: a pointer to an int */
        result_number(call, "attribute_val", NUMBER_RANK, *(const int *)value);
    else
        line_add(&call->result, " attribute_val=null");
}

static void run_delete(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int key = read_key(call);

    if (!call_failed(call))
        result_code(call, CALLED(call, VENDOR_ATTR_DELETE(comm, key)));
}

const struct verb mpi_attributes[] = {
    {"MPI_Keyval_create", "keyval [copy]", run_create, false},     {"MPI_Keyval_free", "keyval", run_free, false},
    {"MPI_Attr_put", "comm keyval attribute_val", run_put, false}, {"MPI_Attr_get", "comm keyval", run_get, false},
    {"MPI_Attr_delete", "comm keyval", run_delete, false},         {NULL, NULL, NULL, false},
};
