/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The functions that Portals 3.2 has in a form of its own: attaching and binding descriptors, access control.
 */
#include "ref-impl/api3/md.h"
#include "ref-impl/core/acl.h"

API int PtlMDAttach(ptl_handle_me_t me_handle, ptl_md_t mem_desc, ptl_unlink_t unlink_op, ptl_unlink_t unlink_nofit,
                    ptl_handle_md_t *md_handle)
{
    struct api3_unlink unlink = {.exhausted = unlink_op == PTL_UNLINK, .unfit = unlink_nofit == PTL_UNLINK};

    return api3_md_attach(me_handle, &mem_desc, unlink, md_handle);
}

/* Programs of the time wait for the event that it has gone. */
//= P32-196
API int PtlMDBind(ptl_handle_ni_t ni_handle, ptl_md_t mem_desc, ptl_handle_md_t *md_handle)
{
    return api3_md_bind(ni_handle, &mem_desc, (struct api3_unlink){.exhausted = true}, md_handle);
}

API int PtlACEntry(ptl_handle_ni_t ni_handle, ptl_ac_index_t ac_index, ptl_process_id_t match_id, ptl_uid_t uid,
                   ptl_pt_index_t portal)
{
    struct wire_portals_id criterion = api3_criterion(match_id);
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(acl_set(ni_handle, ac_index, &criterion, portal, uid)) : code;
}
