/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What every file of the local device needs: see state.h.
 */
#include "ref-impl/mpi/local/state.h"

#include <stdio.h>

#include "ref-impl/mpi/common/world.h"

struct local_device local_device;

//= PUMA-144
void local_must_(int code, const char *call)
{
    char why[160];

    if (code != PTL_OK) {
        snprintf(why, sizeof(why), "%.100s returned %d; portals.h says what that is", call, code);
        world_abort(1, why);
    }
}

//= PUMA-141
//= PUMA-153
ptl_process_id_t local_process(int rid)
{
    ptl_process_id_t id = {
        .addr_kind = PTL_ADDR_GID,
        .gid = local_device.self.gid,
        .rid = rid == LOCAL_EACH ? PTL_ID_ANY : (ptl_id_t)rid,
    };

    return id;
}

void local_tell(int rid, enum local_control what, uint32_t with)
{
    local_must(PtlPut(local_device.nothing, PTL_NOACK_REQ, local_process(rid), LOCAL_CONTROL, LOCAL_COOKIE,
                      local_control_bits(what, with), 0));
}
