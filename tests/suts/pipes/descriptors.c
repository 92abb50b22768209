/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Descriptors in no list, and changes of any: sections 3.7.4 and 3.7.6 of the document.
 */
#include "tests/suts/pipes/library.h"

int PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle)
{
    int code = PTL_OK;

    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!handle || !memory_is_there(handle, sizeof *handle)) {
        code = PTL_SEGV;
    } else if (!ni) {
        code = PTL_INV_NI;
    } else if ((code = descriptor_check(&mem_desc, ni)) == PTL_OK) {
        struct md *md = object_new(KIND_MD, sizeof *md, ni);
        if (!md) {
            return leave(PTL_NOSPACE);
        }
        md->value = mem_desc;
        md->unlink = PTL_RETAIN;
        *handle = HANDLE(ptl_handle_md_t, md);
    }
    return leave(code);
}

static bool is_bad(const ptl_md_t *address)
{
    return address && !memory_is_there(address, sizeof *address);
}

int PtlMDUpdate(ptl_handle_md_t mem_desc, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq)
{
    int code = PTL_OK;

    enter();
    struct md *md = object_find(KIND_MD, VALUE(mem_desc));
    const struct eq *eq = object_find(KIND_EQ, VALUE(testq));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (is_bad(old_md) || is_bad(new_md)) {
        code = PTL_SEGV;
    } else if (!md) {
        code = PTL_INV_MD;
    } else if (!eq && VALUE(testq) != VALUE(PTL_EQ_NONE)) {
        code = PTL_INV_EQ;
    } else if (!new_md || (code = descriptor_check(new_md, md->head.ni)) == PTL_OK) {
        if (old_md) {
            *old_md = md->value;
        }
        if (new_md && eq && eq->count > 0) {
            code = PTL_NOUPDATE;
        } else if (new_md) {
            md->value = *new_md;
        }
    }
    return leave(code);
}
