/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors: the PtlMD functions.
 */
#include "ref-impl/api3/md.h"

#include <revision.h>

#include "ref-impl/core/md.h"

int api3_md_attach(ptl_handle_me_t entry, const ptl_md_t *md, struct api3_unlink unlink, ptl_handle_md_t *handle)
{
    struct core_md value = revision_md_in(md);
    enum core_status status;
    uint64_t made;
    int code = api3_ready(handle, handle ? sizeof(*handle) : 0);

    if (code != PTL_OK) {
        return code;
    }
    if (!api3_has_memory(md)) {
        return api3_code(CORE_ILLEGAL);
    }
    value.unlinks_unfit = unlink.unfit;
    status = md_attach_only(entry, &value, unlink.exhausted, &made);
    if (status == CORE_OK && handle) {
        *handle = made;
    }
    return api3_code(status);
}

int api3_md_bind(ptl_handle_ni_t interface, const ptl_md_t *md, struct api3_unlink unlink, ptl_handle_md_t *handle)
{
    struct core_md value = revision_md_in(md);
    int code = api3_ready(handle, sizeof(*handle));

    if (code != PTL_OK) {
        return code;
    }
    if (!api3_has_memory(md)) {
        return api3_code(CORE_ILLEGAL);
    }
    value.unlinks_bound = unlink.exhausted;
    return api3_code(md_bind(interface, &value, handle));
}

API int PtlMDUnlink(ptl_handle_md_t md_handle)
{
    enum core_status status;
    int code = api3_ready(NULL, 0);

    if (code != PTL_OK) {
        return code;
    }
    status = md_unlink(md_handle);
    return status == CORE_IN_USE ? REVISION_MD_IN_USE : api3_code(status);
}

API int PtlMDUpdate(ptl_handle_md_t md_handle, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq)
{
    struct core_md before, value;
    enum core_status status;
    int code = api3_ready(old_md, old_md ? sizeof(*old_md) : 0);

    if (code != PTL_OK) {
        return code;
    }
    if (new_md && !address_is_good(new_md, sizeof(*new_md), ADDRESS_READ)) {
        return PTL_SEGV;
    }
    if (new_md) {
        if (!api3_has_memory(new_md)) {
            return api3_code(CORE_ILLEGAL);
        }
        value = revision_md_in(new_md);
    }
    status = md_update(md_handle, &before, new_md ? &value : NULL, testq);
    if (old_md && (status == CORE_OK || (status == CORE_NOT_EMPTY && REVISION_POLICY.refused_update_tells))) {
        *old_md = revision_md_out(&before);
    }
    return api3_code(status);
}
