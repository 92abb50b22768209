/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Changing the access control table: see acl.h. Chapter 3.9.
 */
#include "ref-impl/core/acl.h"

#include "ref-impl/core/ni.h"

enum core_status acl_set(uint64_t interface, uint32_t index, const struct wire_portals_id *process, uint32_t portal,
                         uint32_t user)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_OK;

    if (!ni) {
        return CORE_BAD_INTERFACE; //= P30-043
    }
    if (index >= ni->acl.count) {
        status = CORE_BAD_ACCESS; //= P30-040
    } else if (portal >= ni->config.portals && portal != CORE_ANY_PORTAL) {
        status = CORE_BAD_PORTAL; //= P30-042
    } else {
        //= P30-028
        //= P30-038
        //= P30-039
        ni->acl.entries[index] = (struct acl_entry){.admits = true, .process = *process, .portal = portal};
        ni->acl.entries[index].user = user;
    }
    ni_leave(ni);
    return status;
}
