/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The access control table: chapter 3.9, PtlACEntry.
 */
#include "ref-impl/api/api.h"
#include "ref-impl/core/acl.h"

API int PtlACEntry(ptl_handle_ni_t interface, ptl_ac_index_t index, ptl_process_id_t matchid, ptl_pt_index_t portal)
{
    struct wire_portals_id criterion;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-044 P30-054
    }
    if (!api_criterion(&matchid, &criterion)) {
        return PTL_INV_PROC; //= P30-041
    }
    return api_code(acl_set(interface.value, index, &criterion, portal, CORE_ANY_ID)); //= P30-040 P30-042 P30-043
}
