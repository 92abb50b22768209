/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors (3.7).
 */
#include <limits.h>
#include <string.h>

#include "tests/refimpl/support.h"

static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static ptl_handle_me_t me;
static char sink[100];
static char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Puts the first letters to the entry; the event, or type -1 when nobody took them. */
static ptl_event_t put(ptl_size_t length, ptl_size_t offset)
{
    ptl_handle_md_t md = support_bind(ni, support_md(letters, length, 0, PTL_EQ_NONE));
    ptl_event_t event;

    support_must(support_put(md, 0, 0, offset), "PtlPut");
    support_must(PtlMDUnlink(md), "PtlMDUnlink");
    if (PtlEQGet(eq, &event) != PTL_OK) {
        event.type = (ptl_event_kind_t)-1;
    }
    return event;
}

static bool is_put(const ptl_event_t *event, ptl_size_t mlength, ptl_size_t offset)
{
    return event->type == PTL_EVENT_PUT && event->mlength == mlength && event->offset == offset;
}

static bool is_rejected(const ptl_event_t *event)
{
    return (int)event->type == -1;
}

static void legality(void)
{
    static const unsigned options[] = {0, 1, 2, 4, 8, 16, 31};
    ptl_handle_eq_t freed = support_eq(ni, 1);
    ptl_handle_md_t handle;
    ptl_md_t md;

    SUPPORT_IS(PtlMDBind(ni, support_md(NULL, 0, 0, PTL_EQ_NONE), &handle), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(handle), PTL_OK);
    SUPPORT_IS(PtlMDBind(ni, support_md(NULL, 1, 0, PTL_EQ_NONE), &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDBind(ni, support_md(sink, UINT64_MAX, 0, PTL_EQ_NONE), &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDBind(ni, support_md((void *)(UINTPTR_MAX - 1), 16, 0, PTL_EQ_NONE), &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDBind(ni, support_md(support_unmapped(), 16, 0, PTL_EQ_NONE), &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDBind(ni, support_md(sink, 16, 32, PTL_EQ_NONE), &handle), PTL_ILL_MD);
    support_must(PtlEQFree(freed), "PtlEQFree");
    SUPPORT_IS(PtlMDBind(ni, support_md(sink, 16, 0, freed), &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDBind(ni, support_md(sink, 16, 0, (ptl_handle_eq_t){3}), &handle), PTL_ILL_MD);
    md = support_md(sink, 16, 0, PTL_EQ_NONE);
    md.threshold = -2;
    SUPPORT_IS(PtlMDBind(ni, md, &handle), PTL_ILL_MD);
    md.threshold = INT_MAX;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        md.options = options[i];
        SUPPORT_IS(PtlMDBind(ni, md, &handle), PTL_OK);
        support_must(PtlMDUnlink(handle), "PtlMDUnlink");
    }
}

static void codes(void)
{
    ptl_md_t md = support_md(sink, 16, 0, PTL_EQ_NONE), illegal = support_md(NULL, 1, 0, PTL_EQ_NONE);
    ptl_handle_md_t bound = support_bind(ni, md), attached = support_attach(me, md, PTL_RETAIN), handle;

    SUPPORT_IS(PtlMDBind((ptl_handle_ni_t){9}, md, &handle), PTL_INV_NI);
    SUPPORT_IS(PtlMDBind(ni, md, NULL), PTL_SEGV);
    SUPPORT_IS(PtlMDAttach((ptl_handle_me_t){9}, md, PTL_RETAIN, &handle), PTL_INV_ME);
    SUPPORT_IS(PtlMDAttach(me, illegal, PTL_RETAIN, &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDAttach(me, md, PTL_RETAIN, support_unmapped()), PTL_SEGV);
    SUPPORT_IS(PtlMDInsert(md, PTL_RETAIN, PTL_INS_AFTER, bound, &handle), PTL_INV_MD);
    SUPPORT_IS(PtlMDInsert(md, PTL_RETAIN, PTL_INS_AFTER, (ptl_handle_md_t){9}, &handle), PTL_INV_MD);
    SUPPORT_IS(PtlMDInsert(illegal, PTL_RETAIN, PTL_INS_AFTER, attached, &handle), PTL_ILL_MD);
    SUPPORT_IS(PtlMDInsert(md, PTL_RETAIN, PTL_INS_AFTER, attached, support_unmapped()), PTL_SEGV);
    SUPPORT_IS(PtlMDInsert(md, PTL_RETAIN, PTL_INS_AFTER, attached, NULL), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(bound), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(bound), PTL_INV_MD);
    SUPPORT_IS(PtlMDUnlink(PTL_MD_NONE), PTL_INV_MD);
    SUPPORT_IS(PtlMDUpdate(bound, NULL, NULL, PTL_EQ_NONE), PTL_INV_MD);
    SUPPORT_IS(PtlMDUpdate(attached, NULL, &illegal, PTL_EQ_NONE), PTL_ILL_MD);
    SUPPORT_IS(PtlMDUpdate(attached, NULL, &md, (ptl_handle_eq_t){9}), PTL_INV_EQ);
    SUPPORT_IS(PtlMDUpdate(attached, support_unmapped(), &md, PTL_EQ_NONE), PTL_SEGV);
    SUPPORT_IS(PtlMDUpdate(attached, &md, support_unmapped(), PTL_EQ_NONE), PTL_SEGV);
    SUPPORT_IS(PtlMDUnlink(attached), PTL_OK);
}

static void local_offset(void)
{
    ptl_md_t value = support_md(sink, 100, PTL_MD_OP_PUT | PTL_MD_OP_GET, eq), old;
    ptl_handle_md_t md = support_attach(me, value, PTL_RETAIN), getter;
    ptl_event_t event;
    char got[10];

    memset(sink, 0, sizeof(sink));
    event = put(40, 5);
    CHECK(is_put(&event, 40, 0), "the first begins at 0, whatever the request says");
    event = put(40, 0);
    CHECK(is_put(&event, 40, 40), "the second where the first ended");
    getter = support_bind(ni, support_md(got, 10, 0, PTL_EQ_NONE));
    SUPPORT_IS(support_get(getter, 0, 0, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK(event.type == PTL_EVENT_GET && event.offset == 80, "gets share the offset");
    event = put(11, 0);
    CHECK(is_rejected(&event), "one octet too many");
    event = put(10, 0);
    CHECK(is_put(&event, 10, 90), "exactly what is left");
    event = put(0, 0);
    CHECK(is_put(&event, 0, 100), "nothing fits even now");
    SUPPORT_IS(PtlMDUpdate(md, &old, &value, PTL_EQ_NONE), PTL_OK);
    CHECK(old.start == sink && old.length == 100 && old.eventq.value == eq.value, "the old value");
    event = put(1, 0);
    CHECK(is_rejected(&event), "an update leaves the offset");
    SUPPORT_IS(PtlMDUnlink(getter), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
}

static void remote_offset(void)
{
    ptl_event_t event;

    memset(sink, 0, sizeof(sink));
    support_attach(me, support_md(sink, 90, PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE, eq), PTL_RETAIN);
    event = put(10, 80);
    CHECK(is_put(&event, 10, 80), "the last ten octets");
    CHECK(memcmp(sink + 80, letters, 10) == 0 && sink[79] == 0 && sink[90] == 0, "and no others");
    event = put(10, 80);
    CHECK(is_put(&event, 10, 80), "the same again");
    event = put(10, 81);
    CHECK(is_rejected(&event), "beyond the end");
    event = put(1, UINT64_MAX);
    CHECK(is_rejected(&event), "far beyond the end");
    event = put(0, 90);
    CHECK(is_put(&event, 0, 90), "nothing at the end");

    support_attach(me, support_md(sink, 90, PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE | PTL_MD_TRUNCATE, eq), PTL_RETAIN);
    event = put(20, 80);
    CHECK(is_put(&event, 10, 80), "cut to what is there");
    CHECK_EQ(event.rlength, 20, "the request is remembered");
    CHECK_EQ(sink[90], 0, "nothing behind the region");
    event = put(20, 90);
    CHECK(is_put(&event, 0, 90), "cut to nothing");
    event = put(20, 91);
    CHECK(is_rejected(&event), "an offset outside is not cut but rejected");
}

static void threshold(void)
{
    ptl_md_t value = support_md(sink, 100, PTL_MD_OP_PUT | PTL_MD_TRUNCATE, eq), old;
    ptl_handle_md_t md;
    ptl_event_t event;

    value.threshold = 2;
    md = support_attach(me, value, PTL_UNLINK);
    event = put(200 - 96, 0);
    CHECK(is_put(&event, 100, 0) && event.mem_desc.threshold == 1, "a truncated put counts");
    SUPPORT_IS(PtlMDUpdate(md, &old, NULL, PTL_EQ_NONE), PTL_OK);
    CHECK_EQ(old.threshold, 1, "updates do not");
    event = put(1, 0);
    CHECK(is_put(&event, 0, 100) && event.mem_desc.threshold == 0, "the last one");
    SUPPORT_IS(PtlMDUnlink(md), PTL_INV_MD);

    value.threshold = 0;
    md = support_attach(me, value, PTL_UNLINK);
    event = put(1, 0);
    CHECK(is_rejected(&event), "inactive");
    value.threshold = 1;
    SUPPORT_IS(PtlMDUpdate(md, NULL, &value, PTL_EQ_NONE), PTL_OK);
    value.threshold = 0;
    SUPPORT_IS(PtlMDUpdate(md, NULL, &value, PTL_EQ_NONE), PTL_OK);
    SUPPORT_IS(PtlMDUpdate(md, &old, NULL, PTL_EQ_NONE), PTL_OK);
    CHECK_EQ(old.threshold, 0, "set to 0, and still there");

    value.threshold = 1;
    md = support_attach(me, value, PTL_RETAIN);
    event = put(1, 0);
    CHECK(is_put(&event, 1, 0), "active");
    event = put(1, 0);
    CHECK(is_rejected(&event), "exhausted");
    SUPPORT_IS(PtlMDUpdate(md, NULL, &value, PTL_EQ_NONE), PTL_OK);
    event = put(1, 0);
    CHECK(is_put(&event, 1, 1), "armed again");

    value.threshold = PTL_MD_THRESH_INF;
    support_attach(me, value, PTL_UNLINK);
    for (int i = 0; i < 1000; i++) {
        event = put(0, 0);
    }
    CHECK(event.mem_desc.threshold == PTL_MD_THRESH_INF, "endless stays endless");
}

static void sources_and_replies(void)
{
    char got[8] = {0};
    ptl_md_t value = support_md(got, 4, 0, eq);
    ptl_handle_md_t md, target;
    ptl_event_t event;

    value.threshold = 1;
    md = support_bind(ni, value);
    target = support_attach(me, support_md(letters, 8, PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, PTL_EQ_NONE), PTL_RETAIN);
    for (int i = 0; i < 2; i++) {
        SUPPORT_IS(support_get(md, 0, 0, 2), PTL_OK);
        SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
        CHECK(event.type == PTL_EVENT_REPLY && event.mlength == 4 && event.rlength == 4, "reply");
        CHECK(event.offset == 0 && event.mem_desc.threshold == 1, "at the start; no threshold");
    }
    CHECK_MEM(got, "cdef\0\0\0\0", 8, "the data of the reply");
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);
    SUPPORT_IS(support_put(md, 0, 0, 0), PTL_OK);
    SUPPORT_IS(support_put(md, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_events(eq), 2, "sent twice with a threshold of 1");
    value.threshold = 0;
    SUPPORT_IS(PtlMDUpdate(md, NULL, &value, PTL_EQ_NONE), PTL_OK);
    SUPPORT_IS(support_put(md, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_events(eq), 3, "sent with a threshold of 0");
    SUPPORT_IS(support_get(md, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_events(eq), 4, "and replied to");
    while (PtlEQGet(eq, &event) == PTL_OK) {
    }
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(target), PTL_OK);
}

static void update_conditions(void)
{
    ptl_handle_eq_t testq = support_eq(ni, 4);
    ptl_md_t value = support_md(sink, 8, PTL_MD_OP_PUT, eq), changed = support_md(letters, 4, 0, PTL_EQ_NONE), old;
    ptl_handle_md_t md = support_bind(ni, value), filler;
    ptl_event_t event;

    SUPPORT_IS(PtlMDUpdate(md, NULL, &changed, testq), PTL_OK);
    filler = support_bind(ni, support_md(NULL, 0, 0, testq));
    SUPPORT_IS(support_put(filler, 0, 0, 0), PTL_OK);
    memset(&old, 0, sizeof(old));
    SUPPORT_IS(PtlMDUpdate(md, &old, &value, testq), PTL_NOUPDATE);
    CHECK(old.start == letters && old.length == 4, "the value is told though it is not updated");
    SUPPORT_IS(PtlMDUpdate(md, &old, NULL, testq), PTL_OK);
    CHECK(old.start == letters, "nothing was updated");
    SUPPORT_IS(PtlEQGet(testq, &event), PTL_OK);
    SUPPORT_IS(PtlMDUpdate(md, NULL, &value, testq), PTL_OK);
    SUPPORT_IS(PtlMDUpdate(md, &old, NULL, PTL_EQ_NONE), PTL_OK);
    CHECK(old.start == sink && old.options == PTL_MD_OP_PUT && old.eventq.value == eq.value, "now it was");
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(filler), PTL_OK);
    SUPPORT_IS(PtlEQFree(testq), PTL_OK);
}

static void exhaustion(void)
{
    ptl_md_t md = support_md(NULL, 0, 0, PTL_EQ_NONE);
    ptl_handle_md_t last = {0}, handle;
    int code;
    long count = 0;

    while ((code = PtlMDBind(ni, md, &handle)) == PTL_OK) {
        last = handle;
        count++;
    }
    CHECK_EQ(code, PTL_NOSPACE, "descriptors end");
    CHECK(count <= PTL_MAX_MEM_DESCS && count > PTL_MAX_MEM_DESCS - 16, "where the header says");
    SUPPORT_IS(PtlMDUnlink(last), PTL_OK);
    SUPPORT_IS(PtlMDBind(ni, md, &handle), PTL_OK);
    CHECK(handle.value != last.value, "the place is used again under a new handle");
}

int main(void)
{
    ni = support_open();
    eq = support_eq(ni, 16);
    me = support_entry(ni, 0, 0);
    TAP_RUN(legality);
    TAP_RUN(codes);
    TAP_RUN(local_offset);
    TAP_RUN(remote_offset);
    TAP_RUN(threshold);
    TAP_RUN(sources_and_replies);
    TAP_RUN(update_conditions);
    TAP_RUN(exhaustion);
    PtlFini();
    return tap_done();
}
