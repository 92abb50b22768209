/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Data movement: chapter 3.10, PtlPut and PtlGet.
 */
#include "ref-impl/api/api.h"
#include "ref-impl/core/messages/get.h"
#include "ref-impl/core/messages/put.h"
#include "ref-impl/short_path.h"

SHORT_PATH API int PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target,
                          ptl_pt_index_t portal, ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset)
{
    /* Portal and cookie are the target's to judge: P30-266 */
    struct message_address address = {.portal = portal, .cookie = cookie, .match_bits = match_bits, .offset = offset};

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_process_named(&target, &address.target)) {
        return PTL_INV_PROC; //= P30-265
    }
    /* Nothing below waits for the network or the target: P30-254 */
    return api_code(message_put_start(mem_desc.value, ack_req == PTL_ACK_REQ, &address)); //= P30-264 P30-266
}

SHORT_PATH API int PtlGet(ptl_handle_md_t mem_desc, ptl_process_id_t target, ptl_pt_index_t portal,
                          ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset)
{
    struct message_address address = {.portal = portal, .cookie = cookie, .match_bits = match_bits, .offset = offset};

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_process_named(&target, &address.target)) {
        return PTL_INV_PROC; //= P30-274
    }
    return api_code(message_get_start(mem_desc.value, &address)); //= P30-274
}
