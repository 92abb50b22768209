/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Network interfaces: chapter 3.5, the PtlNI functions.
 */
#include "ref-impl/core/ni.h"

#include "ref-impl/api/api.h"
#include "ref-impl/core/barrier.h"
#include "ref-impl/core/ni_open.h"
#include "ref-impl/core/policy.h"
#include "ref-impl/job/job.h"

API int PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size, ptl_handle_ni_t *handle)
{
    struct ni_config config = {.policy = &policy_3_0, .portals = ptl_size, .accesses = acl_size, .member = job_by_rank};

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(handle, sizeof(*handle))) {
        return PTL_SEGV; //= P30-083
    }
    if (interface > PTL_MAX_INTERFACE) {
        return PTL_INIT_INV; //= P30-079
    }
    if (ptl_size < 1 || ptl_size > PTL_MAX_PTABLE_SIZE) {
        return PTL_INV_PSIZE; //= P30-080
    }
    /* Entries 0 and 1 always exist (2.3). */
    if (acl_size < 2 || acl_size > PTL_MAX_ATABLE_SIZE) {
        return PTL_INV_ASIZE; //= P30-081
    }
    config.self = *job_self();
    config.group_size = job_size();
    return api_code(ni_open(interface, &config, &handle->value)); //= P30-078 P30-082 P30-084
}

API int PtlNIFini(ptl_handle_ni_t interface)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    return api_code(ni_close(interface.value));
}

API int PtlNIBarrier(ptl_handle_ni_t interface)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    return api_code(barrier_wait(interface.value));
}

API int PtlNIStatus(ptl_handle_ni_t interface, ptl_sr_index_t sr_index, ptl_sr_value_t *status)
{
    int64_t dropped;
    int code;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(status, sizeof(*status))) {
        return PTL_SEGV; //= P30-096
    }
    code = api_code(ni_dropped(interface.value, &dropped)); //= P30-051 P30-095
    if (code != PTL_OK) {
        return code;
    }
    if (sr_index != PTL_SR_DROP_COUNT) {
        return PTL_INV_SR_INDX; //= P30-094
    }
    *status = dropped; //= P30-092
    return PTL_OK;
}

API int PtlNIDist(ptl_handle_ni_t interface, ptl_process_id_t process, double *distance)
{
    struct wire_portals_id id;
    double measured;
    int code;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(distance, sizeof(*distance))) {
        return PTL_SEGV; //= P30-100
    }
    code = api_code(ni_is_open(interface.value)); //= P30-100
    if (code != PTL_OK) {
        return code;
    }
    if (!api_process_member(&process, &id)) {
        return PTL_INV_PROC; //= P30-099
    }
    code = api_code(ni_distance(interface.value, &id, &measured));
    if (code == PTL_OK) {
        *distance = measured; //= P30-097
    }
    return code;
}

API int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *interface)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(interface, sizeof(*interface))) {
        return PTL_SEGV; //= P30-104
    }
    return api_code(ni_owner(handle.value, &interface->value)); //= P30-101 P30-103
}
