/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations: what a handle stands for. One counts the puts and gets of which it consists and that have not ended, and
 * is done when there are none left. It travels in the match bits as a number of 24 bits.
 */
#ifndef REF_IMPL_GASNET_TRANSFERS_OPS_H
#define REF_IMPL_GASNET_TRANSFERS_OPS_H

#include <stdbool.h>
#include <stdint.h>

struct gasnet_op {
    uint32_t number;             /* 1 to 2^24-1 */
    _Atomic uint32_t puts, gets; /* in flight */
    _Atomic uint32_t unsent;     /* puts whose memory is still needed here */
    uint64_t value;              /* what a get of a value brings */
    struct gasnet_op *next;      /* of the free ones; of access regions that are open around this one */
};

/* ops_new - one that counts nothing yet.
 * ops_free - it is not needed any more. */
struct gasnet_op *ops_new(void);
void ops_free(struct gasnet_op *op);

/* ops_find - the operation of that number; a number that is none ends the process. */
struct gasnet_op *ops_find(uint32_t number);

/* ops_done - whether all of it has ended. */
bool ops_done(const struct gasnet_op *op);

/* ops_implicit - the operation to which implicit puts and gets of this thread belong.
 * ops_region_begin - gives it a new one for an access region; false when one is open already.
 * ops_region_end - the operation of the region, and the one before it in its place; NULL when none is open. */
struct gasnet_op *ops_implicit(void);
bool ops_region_begin(void);
struct gasnet_op *ops_region_end(void);

#endif
