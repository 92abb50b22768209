/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An interface's beginning and end as an object, and its drop counter: see ni_object.h.
 */
#include "ref-impl/core/ni_object.h"

#include <assert.h>

void ni_init(struct ni *ni, uint32_t number)
{
    *ni = (struct ni){.number = number, .state = NI_CLOSED, .objects = {.interface = number}};
    lock_init(&ni->lock);
    pthread_cond_init(&ni->left, NULL);
    gate_init(&ni->barrier.arrived, &ni->lock, &ni->nal);
    list_init(&ni->operations);
    list_init(&ni->unlinked);
}

void ni_fini(struct ni *ni)
{
    assert(ni->state == NI_CLOSED);
    gate_destroy(&ni->barrier.arrived);
    pthread_cond_destroy(&ni->left);
    lock_destroy(&ni->lock);
}

void ni_drop(struct ni *ni)
{
    //= P30-321
    ni->dropped++;
}
