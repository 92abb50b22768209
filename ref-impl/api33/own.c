/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The functions that Portals 3.3 has in a form of its own, or alone.
 */
#include "ref-impl/api3/md.h"
#include "ref-impl/api3/movement.h"
#include "ref-impl/core/acl.h"
#include "ref-impl/core/messages/exchange.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/job/job.h"

API int PtlGetJid(ptl_handle_ni_t ni_handle, ptl_jid_t *jid)
{
    int code = api3_ready(jid, sizeof(*jid));

    if (code == PTL_OK) {
        code = api3_code(ni_is_open(ni_handle));
    }
    if (code == PTL_OK) {
        *jid = job_self()->gid;
    }
    return code;
}

API const char *PtlNIFailStr(ptl_handle_ni_t ni_handle, ptl_ni_fail_t ni_fail_type)
{
    (void)ni_handle; /* all interfaces fail in the same words */
    switch (ni_fail_type) {
    case PTL_NI_OK:
        return "no failure";
    case PTL_NI_UNREACHABLE:
        return "the process cannot be reached";
    case PTL_NI_UNDEFINED:
        break;
    }
    return "a failure of the network";
}

API int PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2)
{
    return handle1 == handle2;
}

API int PtlMDAttach(ptl_handle_me_t me_handle, ptl_md_t md, ptl_unlink_t unlink_op, ptl_handle_md_t *md_handle)
{
    return api3_md_attach(me_handle, &md, (struct api3_unlink){.exhausted = unlink_op == PTL_UNLINK}, md_handle);
}

API int PtlMDBind(ptl_handle_ni_t ni_handle, ptl_md_t md, ptl_unlink_t unlink_op, ptl_handle_md_t *md_handle)
{
    return api3_md_bind(ni_handle, &md, (struct api3_unlink){.exhausted = unlink_op == PTL_UNLINK}, md_handle);
}

/* The descriptor is inactive until the queue has been looked into, and that step is one with making it active. */
API int PtlMEMDPost(ptl_handle_ni_t ni_handle, ptl_handle_me_t base, ptl_process_id_t match_id,
                    ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                    ptl_ins_pos_t position, ptl_md_t md, ptl_unlink_t md_unlink_op, ptl_handle_me_t *me_handle,
                    ptl_handle_md_t *md_handle, ptl_handle_eq_t testq)
{
    ptl_md_t inactive = md;
    ptl_handle_ni_t owner;
    ptl_handle_me_t entry;
    ptl_handle_md_t descriptor;
    int code = api3_ready(me_handle, sizeof(*me_handle));

    if (code == PTL_OK) {
        code = api3_ready(md_handle, sizeof(*md_handle));
    }
    if (code == PTL_OK && PtlNIHandle(base, &owner) == PTL_OK && owner != ni_handle) {
        code = PTL_NI_INVALID;
    }
    if (code == PTL_OK) {
        code = PtlMEInsert(base, match_id, match_bits, ignore_bits, unlink_op, position, &entry);
    }
    if (code != PTL_OK) {
        return code;
    }
    inactive.threshold = 0;
    code = PtlMDAttach(entry, inactive, md_unlink_op, &descriptor);
    if (code == PTL_OK) {
        code = PtlMDUpdate(descriptor, NULL, &md, testq);
    }
    if (code != PTL_OK) {
        (void)PtlMEUnlink(entry);
        return code;
    }
    *me_handle = entry;
    *md_handle = descriptor;
    return PTL_OK;
}

API int PtlMEMDAttach(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, ptl_process_id_t match_id,
                      ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                      ptl_ins_pos_t position, ptl_md_t md, ptl_unlink_t md_unlink_op, ptl_handle_me_t *me_handle,
                      ptl_handle_md_t *md_handle)
{
    ptl_handle_me_t entry;
    int code = api3_ready(me_handle, sizeof(*me_handle));

    if (code == PTL_OK) {
        code = PtlMEAttach(ni_handle, pt_index, match_id, match_bits, ignore_bits, unlink_op, position, &entry);
    }
    if (code != PTL_OK) {
        return code;
    }
    code = PtlMDAttach(entry, md, md_unlink_op, md_handle);
    if (code != PTL_OK) {
        (void)PtlMEUnlink(entry);
        return code;
    }
    *me_handle = entry;
    return PTL_OK;
}

API int PtlACEntry(ptl_handle_ni_t ni_handle, ptl_ac_index_t ac_index, ptl_process_id_t match_id, ptl_uid_t uid,
                   ptl_jid_t jid, ptl_pt_index_t pt_index)
{
    struct wire_portals_id criterion = api3_criterion(match_id);
    int code = api3_ready(NULL, 0);

    criterion.gid = jid;
    return code == PTL_OK ? api3_code(acl_set(ni_handle, ac_index, &criterion, pt_index, uid)) : code;
}

API int PtlPutRegion(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length, ptl_ack_req_t ack_req,
                     ptl_process_id_t target_id, ptl_pt_index_t pt_index, ptl_ac_index_t ac_index,
                     ptl_match_bits_t match_bits, ptl_size_t remote_offset, ptl_hdr_data_t hdr_data)
{
    struct api3_request request = {target_id,
                                   {.portal = pt_index,
                                    .cookie = ac_index,
                                    .match_bits = match_bits,
                                    .offset = remote_offset,
                                    .hdr_data = hdr_data,
                                    .partial = true,
                                    .local_offset = local_offset,
                                    .length = length}};

    return api3_put(&request, md_handle, ack_req == PTL_ACK_REQ);
}

API int PtlGetRegion(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length, ptl_process_id_t target_id,
                     ptl_pt_index_t pt_index, ptl_ac_index_t ac_index, ptl_match_bits_t match_bits,
                     ptl_size_t remote_offset)
{
    struct api3_request request = {target_id,
                                   {.portal = pt_index,
                                    .cookie = ac_index,
                                    .match_bits = match_bits,
                                    .offset = remote_offset,
                                    .partial = true,
                                    .local_offset = local_offset,
                                    .length = length}};

    return api3_get(&request, md_handle);
}

API int PtlGetPut(ptl_handle_md_t get_md, ptl_handle_md_t put_md, ptl_process_id_t target_id, ptl_pt_index_t pt_index,
                  ptl_ac_index_t ac_index, ptl_match_bits_t match_bits, ptl_size_t remote_offset,
                  ptl_hdr_data_t hdr_data)
{
    struct message_address address = {.portal = pt_index,
                                      .cookie = ac_index,
                                      .match_bits = match_bits,
                                      .offset = remote_offset,
                                      .hdr_data = hdr_data};
    int code = api3_ready(NULL, 0);

    if (code != PTL_OK) {
        return code;
    }
    if (!api3_target(target_id, &address.target)) {
        return api3_code(CORE_BAD_PROCESS);
    }
    return api3_code(message_exchange_start(get_md, put_md, &address));
}
