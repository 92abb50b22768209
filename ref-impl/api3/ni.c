/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Network interfaces: the PtlNI functions, and what can be asked of an interface about its process.
 */
#include "ref-impl/core/ni.h"

#include <inttypes.h>
#include <revision.h>
#include <stdio.h>
#include <unistd.h>

#include "ref-impl/api3/later.h"
#include "ref-impl/core/limits.h"
#include "ref-impl/core/ni_open.h"
#include "ref-impl/job/job.h"

/* What an interface without wishes has. */
enum { OBJECTS = 4096, PORTALS = 64, ACCESSES = 64 };

/* As near to what is wished as there is; 0 and less are no wish. */
static uint32_t grant(int wished, uint32_t usual, uint32_t least, uint32_t most)
{
    uint32_t granted = wished > 0 ? (uint32_t)wished : usual;

    if (granted < least) {
        return least;
    }
    return granted < most ? granted : most;
}

/* Indexes are wished for: the highest one, which may be 0. */
static uint32_t grant_index(int wished, uint32_t usual, uint32_t least, uint32_t most)
{
    return grant(wished >= 0 && wished < LIMIT_PORTALS ? wished + 1 : wished, usual, least, most);
}

static void choose_limits(const struct revision_limits *wished, struct ni_config *config)
{
    config->pieces = grant(wished->pieces, LIMIT_PIECES, 1, LIMIT_PIECES);
    config->exchange = grant(wished->exchange, LIMIT_EXCHANGE, 1, LIMIT_EXCHANGE);
    config->entries = grant(wished->entries, OBJECTS, 1, LIMIT_OBJECTS);
    config->descriptors = grant(wished->descriptors, OBJECTS, 1, LIMIT_OBJECTS);
    config->queues = grant(wished->queues, OBJECTS, 1, LIMIT_OBJECTS);
    config->list = grant(wished->list, LIMIT_LIST, 1, LIMIT_LIST);
    config->portals = grant_index(wished->portal, PORTALS, 1, LIMIT_PORTALS);
    config->accesses = grant_index(wished->access, ACCESSES, 2, LIMIT_ACCESSES);
}

static struct revision_limits limits_of(const struct ni_config *config)
{
    return (struct revision_limits){.entries = (int)config->entries,
                                    .pieces = (int)config->pieces,
                                    .exchange = (int)config->exchange,
                                    .descriptors = (int)config->descriptors,
                                    .queues = (int)config->queues,
                                    .list = (int)config->list,
                                    .portal = (int)config->portals - 1,
                                    .access = (int)config->accesses - 1};
}

/* Opens an interface with limits as near to the wishes as there are, and tells these; of one that is open its own. */
static int open_with(ptl_interface_t iface, const struct revision_limits *wished, struct revision_limits *granted,
                     ptl_handle_ni_t *handle)
{
    struct ni_config config = {.policy = &REVISION_POLICY,
                               .member = job_by_rank,
                               .uid = (uint32_t)getuid(),
                               .self = *job_self(),
                               .group_size = job_size()};
    enum core_status status;

    choose_limits(wished, &config);
    status = ni_open(iface, &config, handle);
    if (status == CORE_DUPLICATE) {
        status = ni_reopen(iface, &config, handle);
    }
    if (status == CORE_OK) {
        *granted = limits_of(&config);
    }
    return api3_code(status);
}

API int PtlNIInit(ptl_interface_t iface, ptl_pid_t pid, ptl_ni_limits_t *desired, ptl_ni_limits_t *actual,
                  ptl_handle_ni_t *ni_handle)
{
    struct revision_limits wished = {.portal = -1, .access = -1}, granted;
    int code = api3_ready(ni_handle, sizeof(*ni_handle));

    if (code != PTL_OK) {
        return code;
    }
    if ((desired && !address_is_good(desired, sizeof(*desired), ADDRESS_READ)) ||
        (actual && !address_is_good(actual, sizeof(*actual), ADDRESS_WRITE))) {
        return PTL_SEGV;
    }
    if (desired) {
        wished = revision_limits_in(desired);
    }
    code = api3_begin_opening(pid) ? open_with(iface, &wished, &granted, ni_handle) : REVISION_BAD_PID;
    api3_end_opening();
    if (code == PTL_OK && actual) {
        *actual = revision_limits_out(&granted);
    }
    return code;
}

API int PtlNIFini(ptl_handle_ni_t ni_handle)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(ni_close(ni_handle)) : code;
}

API int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register, ptl_sr_value_t *status)
{
    int code = api3_ready(status, sizeof(*status));
    int64_t dropped;

    if (code == PTL_OK) {
        code = api3_code(ni_dropped(ni_handle, &dropped));
    }
    if (code != PTL_OK) {
        return code;
    }
    if (status_register != PTL_SR_DROP_COUNT) {
        return REVISION_BAD_REGISTER;
    }
    *status = (ptl_sr_value_t)dropped;
    return PTL_OK;
}

API int PtlNIDist(ptl_handle_ni_t ni_handle, ptl_process_id_t process, unsigned long *distance)
{
    int code = api3_ready(distance, sizeof(*distance));
    struct wire_portals_id id;
    double measured;

    if (code == PTL_OK) {
        code = api3_code(ni_is_open(ni_handle));
    }
    if (code != PTL_OK) {
        return code;
    }
    if (!job_by_address(process.nid, process.pid, &id)) {
        return api3_code(CORE_BAD_PROCESS);
    }
    code = api3_code(ni_distance(ni_handle, &id, &measured));
    if (code == PTL_OK) {
        /* The network's measure is small; whole numbers keep its order. */
        *distance = (unsigned long)(measured * 1000);
    }
    return code;
}

API int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni_handle)
{
    int code = api3_ready(ni_handle, sizeof(*ni_handle));

    return code == PTL_OK ? api3_code(ni_owner(handle, ni_handle)) : code;
}

API void PtlSnprintHandle(char *str, int str_len, ptl_handle_any_t handle)
{
    if (str_len > 0) {
        (void)snprintf(str, (size_t)str_len, "0x%" PRIx64, (uint64_t)handle);
    }
}

API int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_id_t *id)
{
    int code = api3_ready(id, sizeof(*id));

    if (code == PTL_OK) {
        code = api3_code(ni_is_open(ni_handle));
    }
    if (code == PTL_OK) {
        *id = api3_process(job_self());
    }
    return code;
}

API int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t *uid)
{
    int code = api3_ready(uid, sizeof(*uid));

    if (code == PTL_OK) {
        code = api3_code(ni_is_open(ni_handle));
    }
    if (code == PTL_OK) {
        *uid = (ptl_uid_t)getuid();
    }
    return code;
}
