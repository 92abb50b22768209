/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries: the PtlME functions.
 */
#include "ref-impl/core/me.h"

#include "ref-impl/api3/later.h"

static struct me_criteria criteria_of(ptl_process_id_t match_id, ptl_match_bits_t match_bits,
                                      ptl_match_bits_t ignore_bits)
{
    return (struct me_criteria){
        .process = api3_criterion(match_id), .match_bits = match_bits, .ignore_bits = ignore_bits};
}

API int PtlMEAttach(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, ptl_process_id_t match_id,
                    ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                    ptl_ins_pos_t position, ptl_handle_me_t *me_handle)
{
    struct me_criteria criteria = criteria_of(match_id, match_bits, ignore_bits);
    int code = api3_ready(me_handle, sizeof(*me_handle));

    if (code != PTL_OK) {
        return code;
    }
    return api3_code(
        me_append(ni_handle, pt_index, &criteria, unlink_op == PTL_UNLINK, position == PTL_INS_BEFORE, me_handle));
}

API int PtlMEAttachAny(ptl_handle_ni_t ni_handle, ptl_pt_index_t *pt_index, ptl_process_id_t match_id,
                       ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                       ptl_handle_me_t *me_handle)
{
    struct me_criteria criteria = criteria_of(match_id, match_bits, ignore_bits);
    int code = api3_ready(me_handle, sizeof(*me_handle));

    if (code == PTL_OK) {
        code = api3_ready(pt_index, sizeof(*pt_index));
    }
    if (code != PTL_OK) {
        return code;
    }
    return api3_code(me_append_any(ni_handle, pt_index, &criteria, unlink_op == PTL_UNLINK, me_handle));
}

API int PtlMEInsert(ptl_handle_me_t base, ptl_process_id_t match_id, ptl_match_bits_t match_bits,
                    ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op, ptl_ins_pos_t position,
                    ptl_handle_me_t *me_handle)
{
    struct me_criteria criteria = criteria_of(match_id, match_bits, ignore_bits);
    int code = api3_ready(me_handle, sizeof(*me_handle));

    if (code != PTL_OK) {
        return code;
    }
    return api3_code(me_insert(base, position == PTL_INS_BEFORE, &criteria, unlink_op == PTL_UNLINK, me_handle));
}

API int PtlMEUnlink(ptl_handle_me_t me_handle)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(me_unlink(me_handle)) : code;
}
