/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The extended API: puts and gets without handles, and access regions.
 */
#include <gasnet.h>
#include <stdbool.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/extended.h"
#include "ref-impl/gasnet/transfers/ops.h"

void gasnet_put_nbi(gasnet_node_t node, void *destination, void *source, size_t octets)
{
    extended_put(ops_implicit(), node, destination, source, octets, true);
}

void gasnet_put_nbi_bulk(gasnet_node_t node, void *destination, void *source, size_t octets)
{
    extended_put(ops_implicit(), node, destination, source, octets, false);
}

void gasnet_get_nbi(void *destination, gasnet_node_t node, void *source, size_t octets)
{
    extended_get(ops_implicit(), destination, node, source, octets);
}

void gasnet_get_nbi_bulk(void *destination, gasnet_node_t node, void *source, size_t octets)
{
    extended_get(ops_implicit(), destination, node, source, octets);
}

void gasnet_memset_nbi(gasnet_node_t node, void *destination, int value, size_t octets)
{
    extended_memset(ops_implicit(), node, destination, value, octets);
}

void gasnet_put_nbi_val(gasnet_node_t node, void *destination, gasnet_register_value_t value, size_t octets)
{
    extended_put_value(ops_implicit(), node, destination, value, octets);
}

/* Whether the puts, or the gets, of this thread have ended. */
static bool ended(bool puts, bool gets)
{
    const struct gasnet_op *op = ops_implicit();

    if (op->next) {
        fatal_end("implicit operations are waited for within an access region");
    }
    return (!puts || op->puts == 0) && (!gets || op->gets == 0);
}

static void wait_for(bool puts, bool gets)
{
    while (!ended(puts, gets)) {
        poll_wait();
    }
}

static int try_for(bool puts, bool gets)
{
    (void)poll_once();
    return ended(puts, gets) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void gasnet_wait_syncnbi_puts(void)
{
    wait_for(true, false);
}

void gasnet_wait_syncnbi_gets(void)
{
    wait_for(false, true);
}

void gasnet_wait_syncnbi_all(void)
{
    wait_for(true, true);
}

int gasnet_try_syncnbi_puts(void)
{
    return try_for(true, false);
}

int gasnet_try_syncnbi_gets(void)
{
    return try_for(false, true);
}

int gasnet_try_syncnbi_all(void)
{
    return try_for(true, true);
}

void gasnet_begin_nbi_accessregion(void)
{
    if (!ops_region_begin()) {
        fatal_end("an access region begins within another");
    }
}

gasnet_handle_t gasnet_end_nbi_accessregion(void)
{
    struct gasnet_op *op = ops_region_end();

    if (!op) {
        fatal_end("an access region ends that has not begun");
    }
    return extended_handle(op);
}
