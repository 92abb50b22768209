/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The extended API: puts and gets that block, those with handles, values. Memory of this node itself is copied.
 */
#include <gasnet.h>
#include <stdbool.h>
#include <string.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/extended.h"
#include "ref-impl/gasnet/transfers/ops.h"

/* ---- handles ----------------------------------------------------------------------------------------------------- */

/* True when it has ended; then the handle is freed. */
static bool sync_one(gasnet_handle_t handle) //= GASN-099
{
    if (handle != GASNET_INVALID_HANDLE) {
        if (!ops_done(handle)) {
            return false;
        }
        ops_free(handle);
    }
    return true;
}

void gasnet_wait_syncnb(gasnet_handle_t handle) //= GASN-100
{
    while (!sync_one(handle)) {
        poll_wait();
    }
}

int gasnet_try_syncnb(gasnet_handle_t handle)
{
    (void)poll_once();
    return sync_one(handle) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

/* Frees those that have ended; how many had, and how many are still in flight. */
static void sync_many(gasnet_handle_t *handles, size_t count, size_t *ended, size_t *left)
{
    *ended = *left = 0;
    for (size_t i = 0; i < count; i++) {
        if (handles[i] == GASNET_INVALID_HANDLE) {
            continue;
        }
        if (sync_one(handles[i])) {
            handles[i] = GASNET_INVALID_HANDLE;
            ++*ended;
        } else {
            ++*left;
        }
    }
}

int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t count)
{
    size_t ended, left;

    (void)poll_once();
    sync_many(handles, count, &ended, &left);
    return left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t count)
{
    size_t ended, left;

    (void)poll_once();
    sync_many(handles, count, &ended, &left);
    return ended > 0 || left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gasnet_wait_syncnb(handles[i]);
        handles[i] = GASNET_INVALID_HANDLE;
    }
}

void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t count)
{
    size_t ended, left;

    for (sync_many(handles, count, &ended, &left); ended == 0 && left > 0; sync_many(handles, count, &ended, &left)) {
        poll_wait();
    }
}

/* ---- with handles ------------------------------------------------------------------------------------------------ */

gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *destination, void *source, size_t octets)
{
    struct gasnet_op *op = ops_new();

    extended_put(op, node, destination, source, octets, true);
    return extended_handle(op);
}

gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void *destination, void *source, size_t octets)
{
    struct gasnet_op *op = ops_new();

    extended_put(op, node, destination, source, octets, false);
    return extended_handle(op);
}

gasnet_handle_t gasnet_get_nb_bulk(void *destination, gasnet_node_t node, void *source, size_t octets)
{
    struct gasnet_op *op = ops_new();

    extended_get(op, destination, node, source, octets);
    return extended_handle(op);
}

gasnet_handle_t gasnet_get_nb(void *destination, gasnet_node_t node, void *source, size_t octets)
{
    return gasnet_get_nb_bulk(destination, node, source, octets);
}

gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *destination, int value, size_t octets)
{
    struct gasnet_op *op = ops_new();

    extended_memset(op, node, destination, value, octets);
    return extended_handle(op);
}

/* ---- that block -------------------------------------------------------------------------------------------------- */

void gasnet_put_bulk(gasnet_node_t node, void *destination, void *source, size_t octets)
{
    gasnet_wait_syncnb(gasnet_put_nb_bulk(node, destination, source, octets));
}

void gasnet_put(gasnet_node_t node, void *destination, void *source, size_t octets)
{
    gasnet_put_bulk(node, destination, source, octets);
}

void gasnet_get_bulk(void *destination, gasnet_node_t node, void *source, size_t octets)
{
    gasnet_wait_syncnb(gasnet_get_nb_bulk(destination, node, source, octets));
}

void gasnet_get(void *destination, gasnet_node_t node, void *source, size_t octets)
{
    gasnet_get_bulk(destination, node, source, octets);
}

void gasnet_memset(gasnet_node_t node, void *destination, int value, size_t octets)
{
    gasnet_wait_syncnb(gasnet_memset_nb(node, destination, value, octets));
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void *destination, gasnet_register_value_t value, size_t octets)
{
    struct gasnet_op *op = ops_new();

    extended_put_value(op, node, destination, value, octets);
    return extended_handle(op);
}

void gasnet_put_val(gasnet_node_t node, void *destination, gasnet_register_value_t value, size_t octets)
{
    gasnet_wait_syncnb(gasnet_put_nb_val(node, destination, value, octets));
}

gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *source, size_t octets)
{
    struct gasnet_op *op = ops_new();

    if (octets < 1 || octets > sizeof(op->value)) {
        fatal_end("a value of %zu octets is got", octets);
    }
    extended_get(op, extended_low_octets(&op->value, octets), node, source, octets);
    return op;
}

gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle)
{
    gasnet_register_value_t value;

    while (!ops_done(handle)) {
        poll_wait();
    }
    value = handle->value;
    ops_free(handle);
    return value;
}

gasnet_register_value_t gasnet_get_val(gasnet_node_t node, void *source, size_t octets)
{
    return gasnet_wait_syncnb_valget(gasnet_get_nb_val(node, source, octets));
}
