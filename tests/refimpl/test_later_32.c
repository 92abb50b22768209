/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals 3.2 through its public interface, over the loop: where it differs from 3.0 and from 3.3.
 */
#include <portals/p30.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/tap.h"

#define IS(call, code) CHECK_EQ((call), (code), #call " returns " #code)

static ptl_handle_ni_t ni;
static ptl_process_id_t self;
static const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};

static ptl_md_t region(void *start, unsigned length, unsigned options, ptl_handle_eq_t eq)
{
    return (ptl_md_t){.start = start,
                      .length = length,
                      .threshold = PTL_MD_THRESH_INF,
                      .max_offset = length,
                      .options = options,
                      .eventq = eq};
}

static ptl_handle_me_t entry(ptl_pt_index_t portal, ptl_unlink_t unlink)
{
    ptl_handle_me_t me = PTL_INVALID_HANDLE;

    IS(PtlMEAttach(ni, portal, anybody, 0, 0, unlink, PTL_INS_AFTER, &me), PTL_OK);
    return me;
}

static ptl_event_t next(ptl_handle_eq_t eq, ptl_event_kind_t kind)
{
    ptl_event_t event = {.type = PTL_EVENT_PUT_FAIL};

    IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.type, kind, "the event is of that kind");
    return event;
}

static void unfit_goes(void)
{
    char data[6] = "abcdef", small[4] = {0}, large[16] = {0};
    ptl_handle_me_t first = entry(1, PTL_UNLINK), second = entry(1, PTL_RETAIN);
    ptl_handle_md_t md, target;
    ptl_handle_eq_t eq;

    IS(PtlEQAlloc(ni, 8, NULL, &eq), PTL_OK);
    IS(PtlMDAttach(first, region(small, 4, PTL_MD_OP_PUT, eq), PTL_RETAIN, PTL_UNLINK, &target), PTL_OK);
    IS(PtlMDAttach(first, region(small, 4, PTL_MD_OP_PUT, eq), PTL_RETAIN, PTL_UNLINK, &target), PTL_INUSE);
    IS(PtlMDAttach(second, region(large, 16, PTL_MD_OP_PUT, eq), PTL_RETAIN, PTL_RETAIN, &target), PTL_OK);
    IS(PtlMDBind(ni, region(data, 6, 0, PTL_EQ_NONE), &md), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 1, 0, 0, 0, 3), PTL_OK);
    CHECK_MEM(large, "abcdef", 6, "the next entry serves");
    next(eq, PTL_EVENT_UNLINK);
    next(eq, PTL_EVENT_PUT_START);
    CHECK_EQ(next(eq, PTL_EVENT_PUT_END).hdr_data, 3, "header data");
    IS(PtlMEUnlink(first), PTL_INV_ME);
    IS(PtlMEUnlink(second), PTL_OK);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
}

static void offset_is_bounded(void)
{
    char data[6] = "abcdef", sink[32] = {0};
    ptl_handle_me_t me = entry(2, PTL_RETAIN);
    ptl_md_t value = region(sink, 32, PTL_MD_OP_PUT, PTL_EQ_NONE), old;
    ptl_handle_md_t md, target;
    ptl_sr_value_t drops = 99;

    value.max_offset = 6;
    IS(PtlMDAttach(me, value, PTL_RETAIN, PTL_RETAIN, &target), PTL_OK);
    IS(PtlMDBind(ni, region(data, 6, 0, PTL_EQ_NONE), &md), PTL_OK);
    for (int i = 0; i < 3; i++) {
        IS(PtlPut(md, PTL_NOACK_REQ, self, 2, 0, 0, 0, 0), PTL_OK);
    }
    CHECK_MEM(sink, "abcdefabcdef\0", 13, "at 6 it still serves, at 12 no more");
    IS(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &drops), PTL_OK);
    CHECK_EQ(drops, 1, "the third is dropped");
    IS(PtlMDUpdate(target, &old, NULL, PTL_EQ_NONE), PTL_OK);
    CHECK_EQ(old.max_offset, 6, "as it was given");
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlMDUnlink(md), PTL_OK);
}

static void users_are_admitted(void)
{
    char data[1] = "x", sink[4] = {0};
    ptl_handle_me_t me = entry(3, PTL_RETAIN);
    ptl_handle_md_t md, target;
    ptl_uid_t uid = 0;

    IS(PtlGetUid(ni, &uid), PTL_OK);
    CHECK_EQ(uid, getuid(), "this user");
    IS(PtlMDAttach(me, region(sink, 4, PTL_MD_OP_PUT, PTL_EQ_NONE), PTL_RETAIN, PTL_RETAIN, &target), PTL_OK);
    IS(PtlMDBind(ni, region(data, 1, 0, PTL_EQ_NONE), &md), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 3, 1, 0, 0, 0), PTL_OK);
    CHECK(!sink[0], "entry 1 admits nobody");
    IS(PtlACEntry(ni, 1, anybody, uid + 1, PTL_PT_INDEX_ANY), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 3, 1, 0, 0, 0), PTL_OK);
    CHECK(!sink[0], "another user is not this one");
    IS(PtlACEntry(ni, 1, anybody, uid, PTL_PT_INDEX_ANY), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 3, 1, 0, 0, 0), PTL_OK);
    CHECK(sink[0] == 'x' && !sink[1], "this one is");
    IS(PtlPut(md, PTL_NOACK_REQ, self, 3, 0, 0, 0, 0), PTL_OK);
    CHECK(sink[1] == 'x', "and entry 0 has admitted it from the start");
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlMDUnlink(md), PTL_OK);
}

int main(void)
{
    ptl_ni_limits_t desired = {.max_match_entries = 2,
                               .max_mem_descriptors = 4,
                               .max_event_queues = 1,
                               .max_atable_index = 0,
                               .max_ptable_index = 7};
    ptl_ni_limits_t actual;
    ptl_handle_eq_t one, two;

    setenv("ASSAY_NAL", "loop", 0);
    IS(PtlInit(NULL), PTL_OK);
    IS(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, &desired, &actual, &ni), PTL_OK);
    CHECK_EQ(actual.max_event_queues, 1, "as desired");
    IS(PtlGetId(ni, &self), PTL_OK);
    TAP_RUN(unfit_goes);
    TAP_RUN(offset_is_bounded);
    TAP_RUN(users_are_admitted);
    IS(PtlEQAlloc(ni, 0, NULL, &one), PTL_NOSPACE);
    IS(PtlEQAlloc(ni, 1, NULL, &one), PTL_OK);
    IS(PtlEQAlloc(ni, 1, NULL, &two), PTL_NOSPACE);
    PtlFini();
    return tap_done();
}
