/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries and match lists: chapter 3.6, the PtlME functions.
 */
#include "ref-impl/core/me.h"

#include "ref-impl/api/api.h"

API int PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid,
                    ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                    ptl_handle_me_t *handle)
{
    struct me_criteria criteria = {.match_bits = match_bits, .ignore_bits = ignorebits};
    enum core_status status;
    uint64_t made;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-120
    }
    if (!api_criterion(&matchid, &criteria.process)) {
        return PTL_INV_PROC; //= P30-118
    }
    status = me_attach(interface.value, index, &criteria, unlink == PTL_UNLINK, &made);
    if (status == CORE_OK) {
        handle->value = made;
    }
    return api_code(status); //= P30-117 P30-119 P30-121
}

API int PtlMEInsert(ptl_process_id_t matchid, ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits,
                    ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_me_t current, ptl_handle_me_t *handle)
{
    struct me_criteria criteria = {.match_bits = match_bits, .ignore_bits = ignorebits};
    enum core_status status;
    uint64_t made;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-127
    }
    if (!api_criterion(&matchid, &criteria.process)) {
        return PTL_INV_PROC; //= P30-127
    }
    status = me_insert(current.value, position == PTL_INS_BEFORE, &criteria, unlink == PTL_UNLINK, &made);
    if (status == CORE_OK) {
        handle->value = made;
    }
    return api_code(status); //= P30-125 P30-126 P30-127
}

API int PtlMEUnlink(ptl_handle_me_t entry)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    return api_code(me_unlink(entry.value)); //= P30-129 P30-133
}
