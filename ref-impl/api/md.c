/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors: chapter 3.7, the PtlMD functions.
 */
#include "ref-impl/core/md.h"

#include "ref-impl/api/api.h"

/* Whether the memory of a descriptor is there at all. Its values are the core's to judge. */
static bool has_memory(const ptl_md_t *md)
{
    if (!md->start || md->length == 0 || md->length > WIRE_PORTALS_LENGTH_MAX) {
        return true;
    }
    return api_readable(md->start, (size_t)md->length); //= P30-184
}

API int PtlMDAttach(ptl_handle_me_t match, ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    struct core_md value = api_md_in(&mem_desc); //= P30-177
    enum core_status status;
    uint64_t made;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (handle && !api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-187
    }
    if (!has_memory(&mem_desc)) {
        return PTL_ILL_MD; //= P30-184
    }
    status = md_attach(match.value, &value, unlink == PTL_UNLINK, &made);
    if (status == CORE_OK && handle) {
        handle->value = made; //= P30-178
    }
    return api_code(status); //= P30-183 P30-186
}

API int PtlMDInsert(ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_md_t current,
                    ptl_handle_md_t *handle)
{
    struct core_md value = api_md_in(&mem_desc);
    enum core_status status;
    uint64_t made;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (handle && !api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-191
    }
    if (!has_memory(&mem_desc)) {
        return PTL_ILL_MD; //= P30-191
    }
    status = md_insert(current.value, position == PTL_INS_BEFORE, &value, unlink == PTL_UNLINK, &made);
    if (status == CORE_OK && handle) {
        handle->value = made;
    }
    return api_code(status); //= P30-190 P30-191
}

API int PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle)
{
    struct core_md value = api_md_in(&mem_desc);
    enum core_status status;
    uint64_t made;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-194
    }
    if (!has_memory(&mem_desc)) {
        return PTL_ILL_MD; //= P30-195
    }
    status = md_bind(interface.value, &value, &made);
    if (status == CORE_OK) {
        handle->value = made;
    }
    return api_code(status); //= P30-195
}

API int PtlMDUnlink(ptl_handle_md_t mem_desc)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    return api_code(md_unlink(mem_desc.value)); //= P30-200
}

API int PtlMDUpdate(ptl_handle_md_t mem_desc, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq)
{
    struct core_md before, value;
    enum core_status status;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if ((old_md && !api_writable(old_md, sizeof(*old_md))) || (new_md && !api_readable(new_md, sizeof(*new_md)))) {
        return PTL_SEGV; //= P30-210
    }
    if (new_md) {
        if (!has_memory(new_md)) {
            return PTL_ILL_MD; //= P30-210
        }
        value = api_md_in(new_md);
    }
    status = md_update(mem_desc.value, &before, new_md ? &value : NULL, testq.value);
    if (old_md && (status == CORE_OK || status == CORE_NOT_EMPTY)) {
        *old_md = api_md_out(&before); //= P30-202 P30-208
    }
    return api_code(status); //= P30-205 P30-210
}
