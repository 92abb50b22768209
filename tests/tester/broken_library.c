/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Stands in front of the reference library, by the linker's --wrap, and breaks what everything rests on. BROKEN in the
 * environment says how:
 *
 *   start     PtlInit returns PTL_FAIL
 *   never     PtlInit never returns
 *   interface PtlNIInit returns PTL_NOSPACE
 *   entry     PtlMEAttach returns PTL_NOSPACE
 *   look      PtlEQGet never returns
 *   crash     PtlMDBind ends in a segmentation fault
 *   lost      PtlPut returns PTL_OK and sends nothing
 */
#include "ref-impl/include/portals.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __real_PtlInit(void);
int __real_PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size,
                     ptl_handle_ni_t *handle);
int __real_PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid,
                       ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                       ptl_handle_me_t *handle);
int __real_PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event);
int __real_PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle);
int __real_PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target, ptl_pt_index_t portal,
                  ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset);

int __wrap_PtlInit(void);
int __wrap_PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size,
                     ptl_handle_ni_t *handle);
int __wrap_PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid,
                       ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                       ptl_handle_me_t *handle);
int __wrap_PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event);
int __wrap_PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle);
int __wrap_PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target, ptl_pt_index_t portal,
                  ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset);

static bool is_broken(const char *what)
{
    const char *order = getenv("BROKEN");

    return order && strcmp(order, what) == 0;
}

int __wrap_PtlInit(void)
{
    while (is_broken("never")) {
        pause();
    }
    return is_broken("start") ? PTL_FAIL : __real_PtlInit();
}

int __wrap_PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size,
                     ptl_handle_ni_t *handle)
{
    return is_broken("interface") ? PTL_NOSPACE : __real_PtlNIInit(interface, ptl_size, acl_size, handle);
}

int __wrap_PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid,
                       ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                       ptl_handle_me_t *handle)
{
    return is_broken("entry") ? PTL_NOSPACE
                              : __real_PtlMEAttach(interface, index, matchid, match_bits, ignorebits, unlink, handle);
}

int __wrap_PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event)
{
    while (is_broken("look")) {
        pause();
    }
    return __real_PtlEQGet(eventq, event);
}

int __wrap_PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle)
{
    if (is_broken("crash")) {
        *(volatile int *)NULL = 1;
    }
    return __real_PtlMDBind(interface, mem_desc, handle);
}

int __wrap_PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target, ptl_pt_index_t portal,
                  ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset)
{
    return is_broken("lost") ? PTL_OK : __real_PtlPut(mem_desc, ack_req, target, portal, cookie, match_bits, offset);
}
