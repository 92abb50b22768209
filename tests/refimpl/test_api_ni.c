/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Network interfaces (3.5) and base types (3.2).
 */
#include <math.h>
#include <pthread.h>
#include <sys/resource.h>

#include "tests/refimpl/support.h"

_Static_assert((ptl_size_t)-1 > 0, "sizes are unsigned");
_Static_assert((ptl_sr_value_t)-1 < 0 && sizeof(ptl_sr_value_t) >= 4, "status values are signed and wide");
_Static_assert(sizeof(ptl_match_bits_t) == 8, "match bits are 64 bits");

static ptl_handle_ni_t ni;

static void wrong_arguments(void)
{
    ptl_handle_ni_t other = {1}, saved;

    SUPPORT_IS(PtlNIInit(PTL_IFACE_DEFAULT, 8, 8, &other), PTL_INIT_DUP);
    SUPPORT_IS(PtlNIInit(4, 8, 8, &other), PTL_INIT_INV);
    SUPPORT_IS(PtlNIInit(0xffffffffu, 8, 8, &other), PTL_INIT_INV);
    SUPPORT_IS(PtlNIInit(1, 0, 8, &other), PTL_INV_PSIZE);
    SUPPORT_IS(PtlNIInit(1, 65537, 8, &other), PTL_INV_PSIZE);
    SUPPORT_IS(PtlNIInit(1, 8, 1, &other), PTL_INV_ASIZE);
    SUPPORT_IS(PtlNIInit(1, 8, 65537, &other), PTL_INV_ASIZE);
    SUPPORT_IS(PtlNIInit(1, 8, 8, NULL), PTL_SEGV);
    SUPPORT_IS(PtlNIInit(1, 8, 8, support_unmapped()), PTL_SEGV);
    CHECK_EQ(other.value, 1, "nothing was stored");
    SUPPORT_IS(PtlNIInit(3, 65536, 65536, &other), PTL_OK);
    saved = other;
    SUPPORT_IS(PtlNIFini(other), PTL_OK);
    SUPPORT_IS(PtlNIFini(other), PTL_INV_NI);
    SUPPORT_IS(PtlNIFini((ptl_handle_ni_t){0}), PTL_INV_NI);
    SUPPORT_IS(PtlNIFini((ptl_handle_ni_t){UINT64_MAX}), PTL_INV_NI);
    SUPPORT_IS(PtlNIInit(3, 1, 2, &other), PTL_OK);
    CHECK(other.value != saved.value, "a new interface has a new handle");
    SUPPORT_IS(PtlNIFini(saved), PTL_INV_NI);
    SUPPORT_IS(PtlNIFini(other), PTL_OK);
}

static void status(void)
{
    ptl_sr_value_t value = -7;
    ptl_handle_md_t md = support_bind(ni, support_md(NULL, 0, 0, PTL_EQ_NONE));

    SUPPORT_IS(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &value), PTL_OK);
    CHECK_EQ(value, 0, "nothing was dropped yet");
    SUPPORT_IS(PtlNIStatus(ni, 1, &value), PTL_INV_SR_INDX);
    SUPPORT_IS(PtlNIStatus(ni, PTL_SR_DROP_COUNT, NULL), PTL_SEGV);
    SUPPORT_IS(PtlNIStatus((ptl_handle_ni_t){md.value}, PTL_SR_DROP_COUNT, &value), PTL_INV_NI);
    for (int i = 1; i <= 3; i++) {
        SUPPORT_IS(support_put(md, 5, 0, 0), PTL_OK);
        CHECK_EQ(support_drops(ni), i, "each discarded message counts once");
    }
    CHECK_EQ(support_drops(ni), 3, "reading does not change the register");
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
}

static void distance(void)
{
    ptl_process_id_t self = support_self(), nobody = self;
    double near = -1, again = -2;

    SUPPORT_IS(PtlNIDist(ni, self, &near), PTL_OK);
    SUPPORT_IS(PtlNIDist(ni, self, &again), PTL_OK);
    CHECK(near >= 0 && near < INFINITY && !(near < again || near > again), "a static, finite measure");
    nobody.addr_kind = PTL_ADDR_GID;
    nobody.rid = 1;
    SUPPORT_IS(PtlNIDist(ni, nobody, &near), PTL_INV_PROC);
    nobody.rid = PTL_ID_ANY;
    SUPPORT_IS(PtlNIDist(ni, nobody, &near), PTL_INV_PROC);
    nobody.addr_kind = (ptl_addr_kind_t)99;
    SUPPORT_IS(PtlNIDist(ni, nobody, &near), PTL_INV_PROC);
    SUPPORT_IS(PtlNIDist(ni, self, NULL), PTL_SEGV);
    SUPPORT_IS(PtlNIDist((ptl_handle_ni_t){5}, self, &near), PTL_INV_NI);
}

static void handles(void)
{
    ptl_handle_eq_t eq = support_eq(ni, 1);
    ptl_handle_me_t me = support_entry(ni, 0, 0);
    ptl_handle_md_t md = support_attach(me, support_md(NULL, 0, 0, eq), PTL_RETAIN);
    ptl_handle_ni_t found;

    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(eq), &found), PTL_OK);
    CHECK_EQ(found.value, ni.value, "interface of a queue");
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(me), &found), PTL_OK);
    CHECK_EQ(found.value, ni.value, "interface of an entry");
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(md), &found), PTL_OK);
    CHECK_EQ(found.value, ni.value, "interface of a descriptor");
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(ni), &found), PTL_OK);
    CHECK_EQ(found.value, ni.value, "interface of an interface");
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(ni), NULL), PTL_SEGV);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(PTL_EQ_NONE), &found), PTL_INV_HANDLE);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(PTL_MD_NONE), &found), PTL_INV_HANDLE);
    SUPPORT_IS(PtlNIHandle((ptl_handle_any_t){0}, &found), PTL_INV_HANDLE);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(me), &found), PTL_INV_HANDLE);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(md), &found), PTL_INV_HANDLE);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(eq), &found), PTL_INV_HANDLE);
    /* The tables are used again; the old handles stay dead. */
    (void)support_eq(ni, 1);
    (void)support_entry(ni, 0, 0);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(me), &found), PTL_INV_HANDLE);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(eq), &found), PTL_INV_HANDLE);
}

static void two_interfaces(void)
{
    char sink[4] = {0};
    ptl_handle_ni_t second;
    ptl_handle_eq_t eq, foreign;
    ptl_handle_me_t me;
    ptl_handle_md_t md, source;
    ptl_sr_value_t before = support_drops(ni);

    support_must(PtlNIInit(1, 2, 2, &second), "PtlNIInit");
    foreign = support_eq(ni, 4);
    eq = support_eq(second, 4);
    me = support_entry(second, 1, 0);
    SUPPORT_IS(PtlMDAttach(me, support_md(sink, 4, PTL_MD_OP_PUT, foreign), PTL_RETAIN, &md), PTL_ILL_MD);
    SUPPORT_IS(PtlMDBind(second, support_md(sink, 4, 0, foreign), &md), PTL_ILL_MD);
    md = support_attach(me, support_md(sink, 4, PTL_MD_OP_PUT, eq), PTL_RETAIN);
    SUPPORT_IS(PtlMDUpdate(md, NULL, NULL, foreign), PTL_INV_EQ);
    source = support_bind(second, support_md("abcd", 4, 0, PTL_EQ_NONE));
    SUPPORT_IS(support_put(source, 1, 0, 0), PTL_OK);
    CHECK_EQ(support_events(eq), 1, "a put on the second interface arrives there");
    SUPPORT_IS(support_put(source, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(second), 1, "what the second interface drops");
    CHECK_EQ(support_drops(ni), before, "is not counted by the first");
    SUPPORT_IS(PtlACEntry(second, 0, support_self(), 0), PTL_OK);
    SUPPORT_IS(support_put(source, 1, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(second), 2, "its access control is its own");
    SUPPORT_IS(PtlNIFini(second), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(md), PTL_INV_MD);
    SUPPORT_IS(PtlEQCount(eq, &(ptl_size_t){0}), PTL_INV_EQ);
    support_must(PtlNIInit(1, 2, 2, &second), "PtlNIInit");
    CHECK_EQ(support_drops(second), 0, "closing resets the drop count");
    SUPPORT_IS(PtlMDUnlink(md), PTL_INV_MD);
    SUPPORT_IS(PtlMEUnlink(me), PTL_INV_ME);
    (void)support_entry(second, 1, 0);
    SUPPORT_IS(PtlMEUnlink(me), PTL_INV_ME);
    SUPPORT_IS(PtlNIFini(second), PTL_OK);
}

static void barrier_alone(void)
{
    SUPPORT_IS(PtlNIBarrier(ni), PTL_OK);
    SUPPORT_IS(PtlNIBarrier(ni), PTL_OK);
    SUPPORT_IS(PtlNIBarrier((ptl_handle_ni_t){77}), PTL_INV_NI);
}

static void *wait_for_nothing(void *argument)
{
    ptl_event_t event;
    int *code = argument;

    *code = PtlEQWait(*(ptl_handle_eq_t *)(void *)(code + 2), &event);
    return NULL;
}

static void closing_wakes_sleepers(void)
{
    struct {
        int code, unused;
        ptl_handle_eq_t eq;
    } sleeper = {.code = -1};
    ptl_handle_ni_t third;
    pthread_t thread;

    support_must(PtlNIInit(2, 2, 2, &third), "PtlNIInit");
    sleeper.eq = support_eq(third, 1);
    pthread_create(&thread, NULL, wait_for_nothing, &sleeper);
    SUPPORT_IS(PtlNIFini(third), PTL_OK);
    pthread_join(thread, NULL);
    CHECK_EQ(sleeper.code, PTL_INV_EQ, "who slept in the interface returns");
}

int main(void)
{
    ni = support_open();
    TAP_RUN(wrong_arguments);
    TAP_RUN(status);
    TAP_RUN(distance);
    TAP_RUN(handles);
    TAP_RUN(two_interfaces);
    TAP_RUN(barrier_alone);
    TAP_RUN(closing_wakes_sleepers);
    PtlFini();
    return tap_done();
}
