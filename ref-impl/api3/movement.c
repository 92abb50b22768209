/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Data movement: PtlPut and PtlGet.
 */
#include "ref-impl/api3/movement.h"
#include "ref-impl/core/messages/get.h"
#include "ref-impl/core/messages/put.h"

int api3_put(const struct api3_request *request, ptl_handle_md_t md, bool ack)
{
    struct message_address address = request->address;
    int code = api3_ready(NULL, 0);

    if (code != PTL_OK) {
        return code;
    }
    if (!api3_target(request->target, &address.target)) {
        return api3_code(CORE_BAD_PROCESS);
    }
    return api3_code(message_put_start(md, ack, &address));
}

int api3_get(const struct api3_request *request, ptl_handle_md_t md)
{
    struct message_address address = request->address;
    int code = api3_ready(NULL, 0);

    if (code != PTL_OK) {
        return code;
    }
    if (!api3_target(request->target, &address.target)) {
        return api3_code(CORE_BAD_PROCESS);
    }
    return api3_code(message_get_start(md, &address));
}

API int PtlPut(ptl_handle_md_t md_handle, ptl_ack_req_t ack_req, ptl_process_id_t target_id, ptl_pt_index_t portal,
               ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset, ptl_hdr_data_t hdr_data)
{
    struct api3_request request = {
        target_id,
        {.portal = portal, .cookie = cookie, .match_bits = match_bits, .offset = offset, .hdr_data = hdr_data}};

    return api3_put(&request, md_handle, ack_req == PTL_ACK_REQ);
}

API int PtlGet(ptl_handle_md_t md_handle, ptl_process_id_t target_id, ptl_pt_index_t portal, ptl_ac_index_t cookie,
               ptl_match_bits_t match_bits, ptl_size_t offset)
{
    struct api3_request request = {target_id,
                                   {.portal = portal, .cookie = cookie, .match_bits = match_bits, .offset = offset}};

    return api3_get(&request, md_handle);
}
