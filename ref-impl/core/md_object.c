/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finding and holding memory descriptors: see md_object.h. Chapter 3.7.
 */
#include "ref-impl/core/md_object.h"

#include <stdlib.h>

#include "ref-impl/core/ni.h"

struct md *md_find(const struct ni *ni, uint64_t handle)
{
    return handle_find(&ni->objects, HANDLE_DESCRIPTOR, handle);
}

struct md *md_enter(uint64_t handle, struct ni **ni)
{
    struct md *md;

    *ni = ni_enter(handle);
    if (!*ni) {
        return NULL;
    }
    md = md_find(*ni, handle);
    if (!md) {
        ni_leave(*ni);
    }
    return md;
}

bool md_is_busy(const struct md *md)
{
    return md->references > 1; /* the first is its handle's */
}

void md_hold(struct md *md)
{
    md->references++;
}

void md_release(struct ni *ni, struct md *md)
{
    if (--md->references == 0) {
        if (md->exhausted) {
            list_insert_before(&ni->unlinked, &md->link); /* that is to be logged */
            return;
        }
        md_free(md);
    }
}

void md_free(struct md *md)
{
    free(md->region);
    free(md);
}
