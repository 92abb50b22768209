/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accesses by the process that asks: see direct.h. Who has the lock has it for some microseconds at most, so the
 * others look again, and give their processor away where it may be the one that is needed.
 */
#include "ref-impl/mpi/windows/direct.h"

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/windows/state.h"

enum { LOOKS = 100 }; /* without giving the processor away */

static void lock(_Atomic uint32_t *taken)
{
    for (int looks = 1; atomic_exchange_explicit(taken, 1, memory_order_acquire) != 0; looks++) {
        while (atomic_load_explicit(taken, memory_order_relaxed) != 0) {
            if (++looks > LOOKS) {
                (void)sched_yield();
            }
        }
    }
}

static void unlock(_Atomic uint32_t *taken)
{
    atomic_store_explicit(taken, 0, memory_order_release);
}

/* Whether a loop may take elements from there: each is aligned as its type needs, whose multiple its size is. */
static bool is_aligned(const void *octets, size_t element)
{
    size_t bound = element & -element;

    return (uintptr_t)octets % (bound < alignof(max_align_t) ? bound : alignof(max_align_t)) == 0;
}

/* The operands, where a loop may take them. */
static const void *aligned(const void *operands, const struct op_row *operation, size_t octets)
{
    static alignas(max_align_t) unsigned char copy[WINDOW_OPERAND_OCTETS];

    return is_aligned(operands, operation->element) ? operands : memcpy(copy, operands, octets);
}

static void combine(unsigned char *at, size_t octets, const struct op_row *operation, const void *operands)
{
    static alignas(max_align_t) unsigned char result[WINDOW_OPERAND_OCTETS];

    if (is_aligned(at, operation->element)) {
        op_apply_row(operation->op, operation->row, octets, operands, at);
        return;
    }
    memcpy(result, at, octets);
    op_apply_row(operation->op, operation->row, octets, operands, result);
    memcpy(at, result, octets);
}

void direct_put(struct direct_place place, const void *octets)
{
    memcpy(place.part->shared + place.offset, octets, place.octets);
}

void direct_get(struct direct_place place, void *octets)
{
    memcpy(octets, place.part->shared + place.offset, place.octets);
}

void direct_operate(struct direct_place place, const struct op_row *operation, const void *operands, void *result)
{
    unsigned char *at = place.part->shared + place.offset;
    const void *in = operands ? aligned(operands, operation, place.octets) : NULL;

    lock(place.part->lock);
    if (result) {
        memcpy(result, at, place.octets);
    }
    if (in) {
        combine(at, place.octets, operation, in);
    }
    unlock(place.part->lock);
}

void direct_swap(struct direct_place place, const void *compare, const void *operands, void *result)
{
    unsigned char *at = place.part->shared + place.offset;

    lock(place.part->lock);
    memcpy(result, at, place.octets);
    if (memcmp(at, compare, place.octets) == 0) {
        memcpy(at, operands, place.octets);
    }
    unlock(place.part->lock);
}
