/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals 3.3 through its public interface, over the loop: what it has beyond 3.0.
 */
#include <portals3.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/tap.h"

#define IS(call, code) CHECK_EQ((call), (code), #call " returns " #code)

static ptl_handle_ni_t ni;
static ptl_process_id_t self;
static const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};

static ptl_md_t region(void *start, ptl_size_t length, unsigned options, ptl_handle_eq_t eq)
{
    return (ptl_md_t){
        .start = start, .length = length, .threshold = PTL_MD_THRESH_INF, .options = options, .eq_handle = eq};
}

static ptl_handle_eq_t queue(ptl_size_t count)
{
    ptl_handle_eq_t eq = PTL_EQ_NONE;

    IS(PtlEQAlloc(ni, count, PTL_EQ_HANDLER_NONE, &eq), PTL_OK);
    return eq;
}

static ptl_handle_me_t entry(ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_unlink_t unlink)
{
    ptl_handle_me_t me = PTL_INVALID_HANDLE;

    IS(PtlMEAttach(ni, portal, anybody, bits, 0, unlink, PTL_INS_AFTER, &me), PTL_OK);
    return me;
}

/* The next event, which must be of that kind. */
static ptl_event_t next(ptl_handle_eq_t eq, ptl_event_kind_t kind)
{
    ptl_event_t event = {.type = PTL_EVENT_UNLINK};

    IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.type, kind, "the event is of that kind");
    return event;
}

static void names(void)
{
    CHECK_STR(PtlErrorStr(PTL_OK), "PTL_OK", "the first code");
    CHECK_STR(PtlErrorStr(PTL_UNKNOWN_ERROR), "PTL_UNKNOWN_ERROR", "the last code");
    CHECK_STR(PtlEventKindStr(PTL_EVENT_GET_START), "PTL_EVENT_GET_START", "the first kind");
    CHECK_STR(PtlEventKindStr(PTL_EVENT_UNLINK), "PTL_EVENT_UNLINK", "the last kind");
    for (unsigned int i = 0; i <= PTL_UNKNOWN_ERROR + 1; i++) {
        CHECK(PtlErrorStr(i) != NULL && PtlErrorStr(i)[0], "every code has a name");
    }
    for (unsigned int i = 0; i <= PTL_EVENT_UNLINK + 1; i++) {
        CHECK(PtlEventKindStr((ptl_event_kind_t)i) != NULL, "every kind has a name");
    }
    CHECK(PtlErrorStr(~0u) && PtlEventKindStr((ptl_event_kind_t)-1), "what is none has a text, too");
}

static void both_ends_of_a_put(void)
{
    char source[] = "portals!", sink[32] = {0};
    ptl_handle_eq_t here = queue(8), there = queue(8);
    ptl_handle_me_t me = entry(1, 7, PTL_RETAIN);
    ptl_handle_md_t target, md;
    ptl_event_t start, end;

    IS(PtlMDAttach(me, region(sink, 32, PTL_MD_OP_PUT, there), PTL_RETAIN, &target), PTL_OK);
    IS(PtlMDAttach(me, region(sink, 32, PTL_MD_OP_PUT, there), PTL_RETAIN, &md), PTL_ME_IN_USE);
    IS(PtlMDBind(ni, region(source, 8, 0, here), PTL_RETAIN, &md), PTL_OK);
    IS(PtlPut(md, PTL_ACK_REQ, self, 1, 0, 7, 0, 0x1234567890abcdefu), PTL_OK);
    start = next(there, PTL_EVENT_PUT_START);
    end = next(there, PTL_EVENT_PUT_END);
    CHECK_EQ(start.sequence, 1, "events are numbered from 1");
    CHECK_EQ(end.sequence, 2, "and go on by one");
    CHECK(start.link == start.sequence && end.link == start.link, "both carry the number of the first");
    CHECK(end.hdr_data == 0x1234567890abcdefu, "header data");
    CHECK(end.uid == getuid() && end.md_handle == target && end.ni_fail_type == PTL_NI_OK, "who, where, how");
    CHECK_MEM(sink, "portals!\0", 9, "the data");
    start = next(here, PTL_EVENT_SEND_START);
    end = next(here, PTL_EVENT_SEND_END);
    CHECK_EQ(end.link, start.sequence, "sending has two ends too");
    end = next(here, PTL_EVENT_ACK);
    CHECK_EQ(end.mlength, 8, "acknowledged");
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlMDUnlink(target), PTL_MD_INVALID);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlEQFree(here), PTL_OK);
    IS(PtlEQFree(there), PTL_OK);
}

static void thresholds_count_all(void)
{
    char data[4] = "abc", sink[8] = {0};
    ptl_handle_eq_t eq = queue(8);
    ptl_md_t value = region(data, 3, 0, eq);
    ptl_handle_me_t me = entry(1, 0, PTL_RETAIN);
    ptl_handle_md_t md, target;

    IS(PtlMDAttach(me, region(sink, 8, PTL_MD_OP_PUT, PTL_EQ_NONE), PTL_RETAIN, &target), PTL_OK);
    value.threshold = 2;
    IS(PtlMDBind(ni, value, PTL_UNLINK, &md), PTL_OK);
    IS(PtlPut(md, PTL_ACK_REQ, self, 1, 0, 0, 0, 0), PTL_OK);
    next(eq, PTL_EVENT_SEND_START);
    next(eq, PTL_EVENT_SEND_END);
    CHECK_EQ(next(eq, PTL_EVENT_ACK).md.threshold, 0, "sending and its acknowledgement are two operations");
    CHECK_EQ(next(eq, PTL_EVENT_UNLINK).link, 3, "the library has unlinked it, after the acknowledgement");
    IS(PtlMDUnlink(md), PTL_MD_INVALID);
    value.threshold = 1;
    IS(PtlMDBind(ni, value, PTL_RETAIN, &md), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 1, 0, 0, 0, 0), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 1, 0, 0, 0, 0), PTL_MD_INVALID);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
}

static void room_runs_out(void)
{
    char data[10] = "0123456789", sink[32] = {0}, other[32] = {0};
    ptl_handle_eq_t eq = queue(16);
    ptl_md_t value = region(sink, 32, PTL_MD_OP_PUT | PTL_MD_MAX_SIZE | PTL_MD_EVENT_START_DISABLE, eq);
    ptl_handle_me_t first = entry(2, 0, PTL_UNLINK), second = entry(2, 0, PTL_UNLINK);
    ptl_handle_md_t md, target;

    value.max_size = 16;
    IS(PtlMDAttach(first, value, PTL_UNLINK, &target), PTL_OK);
    value.start = other;
    IS(PtlMDAttach(second, value, PTL_UNLINK, &target), PTL_OK);
    IS(PtlMDBind(ni, region(data, 10, 0, PTL_EQ_NONE), PTL_RETAIN, &md), PTL_OK);
    for (int i = 0; i < 3; i++) {
        IS(PtlPut(md, PTL_NOACK_REQ, self, 2, 0, 0, 0, 0), PTL_OK);
    }
    CHECK_EQ(next(eq, PTL_EVENT_PUT_END).link, 0, "no event that it begins, no link");
    next(eq, PTL_EVENT_PUT_END);
    CHECK(next(eq, PTL_EVENT_UNLINK).md.start == sink, "with 12 left of 16 the first one goes");
    CHECK(next(eq, PTL_EVENT_PUT_END).md.start == other, "and the next one serves");
    IS(PtlMEUnlink(first), PTL_ME_INVALID);
    IS(PtlMEUnlink(second), PTL_OK);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
}

static void regions(void)
{
    char memory[16] = "0123456789abcdef", sink[16] = {0};
    ptl_handle_eq_t eq = queue(16);
    ptl_handle_me_t me = entry(3, 0, PTL_RETAIN);
    ptl_handle_md_t md, target;

    IS(PtlMDAttach(me, region(sink, 16, PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, PTL_EQ_NONE), PTL_RETAIN,
                   &target),
       PTL_OK);
    IS(PtlMDBind(ni, region(memory, 16, PTL_MD_EVENT_START_DISABLE, eq), PTL_RETAIN, &md), PTL_OK);
    IS(PtlPutRegion(md, 10, 4, PTL_NOACK_REQ, self, 3, 0, 0, 2, 0), PTL_OK);
    CHECK_MEM(sink, "\0\0abcd\0", 7, "four octets from the tenth on");
    IS(PtlPutRegion(md, 10, 7, PTL_NOACK_REQ, self, 3, 0, 0, 2, 0), PTL_MD_ILLEGAL);
    IS(PtlPutRegion(md, 17, 0, PTL_NOACK_REQ, self, 3, 0, 0, 2, 0), PTL_MD_ILLEGAL);
    IS(PtlGetRegion(md, 1, 3, self, 3, 0, 0xff, 3), PTL_OK); /* matches nothing */
    IS(PtlGetRegion(md, 1, 3, self, 3, 0, 0, 3), PTL_OK);
    CHECK_MEM(memory, "0bcd456", 7, "the reply comes to the first octet on");
    next(eq, PTL_EVENT_SEND_END);
    CHECK_EQ(next(eq, PTL_EVENT_REPLY_END).offset, 1, "and the event says so");
    IS(PtlGetRegion(md, 14, 3, self, 3, 0, 0, 3), PTL_MD_ILLEGAL);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
}

static void exchange(void)
{
    uint64_t cell = 5, old = 0, new = 9;
    char big[128] = {0};
    ptl_handle_eq_t here = queue(8), there = queue(8);
    ptl_handle_me_t me = entry(4, 0, PTL_RETAIN);
    ptl_handle_md_t get, put, large, target;

    IS(PtlMDAttach(me, region(&cell, 8, PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, there), PTL_RETAIN,
                   &target),
       PTL_OK);
    IS(PtlMDBind(ni, region(&old, 8, 0, here), PTL_RETAIN, &get), PTL_OK);
    IS(PtlMDBind(ni, region(&new, 8, 0, PTL_EQ_NONE), PTL_RETAIN, &put), PTL_OK);
    IS(PtlMDBind(ni, region(big, 128, 0, PTL_EQ_NONE), PTL_RETAIN, &large), PTL_OK);
    IS(PtlGetPut(get, put, self, 4, 0, 0, 0, 77), PTL_OK);
    CHECK(cell == 9 && old == 5, "exchanged");
    next(there, PTL_EVENT_GETPUT_START);
    CHECK_EQ(next(there, PTL_EVENT_GETPUT_END).hdr_data, 77, "with header data");
    next(here, PTL_EVENT_REPLY_START);
    next(here, PTL_EVENT_REPLY_END);
    IS(PtlGetPut(large, large, self, 4, 0, 0, 0, 0), PTL_MD_ILLEGAL);
    IS(PtlGetPut(get, large, self, 4, 0, 0, 0, 0), PTL_MD_ILLEGAL);
    IS(PtlMDUnlink(get), PTL_OK);
    IS(PtlMDUnlink(put), PTL_OK);
    IS(PtlMDUnlink(large), PTL_OK);
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlEQFree(here), PTL_OK);
    IS(PtlEQFree(there), PTL_OK);
}

static void full_queue_loses_the_oldest(void)
{
    char data[1] = "x", sink[8] = {0};
    ptl_handle_eq_t eq = queue(2);
    ptl_handle_me_t me = entry(5, 0, PTL_RETAIN);
    ptl_handle_md_t md, target;
    ptl_event_t event;

    IS(PtlMDAttach(me, region(sink, 8, PTL_MD_OP_PUT | PTL_MD_EVENT_START_DISABLE, eq), PTL_RETAIN, &target), PTL_OK);
    IS(PtlMDBind(ni, region(data, 1, 0, PTL_EQ_NONE), PTL_RETAIN, &md), PTL_OK);
    for (int i = 0; i < 3; i++) {
        IS(PtlPut(md, PTL_NOACK_REQ, self, 5, 0, 0, 0, (ptl_hdr_data_t)i), PTL_OK);
    }
    CHECK_MEM(sink, "xxx", 3, "all are served");
    IS(PtlEQGet(eq, &event), PTL_EQ_DROPPED);
    CHECK_EQ(event.hdr_data, 1, "the first event is lost");
    IS(PtlEQGet(eq, &event), PTL_OK);
    IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlMEUnlink(me), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
}

static void polling(void)
{
    char data[1] = "x";
    ptl_handle_eq_t eqs[3] = {queue(2), queue(2), queue(2)};
    ptl_handle_md_t md;
    ptl_event_t event;
    int which = -1;

    IS(PtlEQPoll(eqs, 3, 0, &event, &which), PTL_EQ_EMPTY);
    IS(PtlEQPoll(eqs, 3, 2, &event, &which), PTL_EQ_EMPTY);
    for (int i = 0; i < 3; i++) {
        IS(PtlMDBind(ni, region(data, 1, PTL_MD_EVENT_START_DISABLE, eqs[i]), PTL_UNLINK, &md), PTL_OK);
        IS(PtlPut(md, PTL_NOACK_REQ, self, 5, 0, 0, 0, 0), PTL_OK);
        IS(PtlEQPoll(eqs, 3, PTL_TIME_FOREVER, &event, &which), PTL_OK);
        CHECK_EQ(which, i, "that queue");
        IS(PtlMDUnlink(md), PTL_OK);
    }
    IS(PtlEQFree(eqs[2]), PTL_OK);
    IS(PtlEQPoll(eqs, 3, 0, &event, &which), PTL_EQ_INVALID);
    IS(PtlEQFree(eqs[0]), PTL_OK);
    IS(PtlEQFree(eqs[1]), PTL_OK);
}

static pthread_mutex_t handled_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handled_changed = PTHREAD_COND_INITIALIZER;
static int handled;

static void handle(ptl_event_t *event)
{
    pthread_mutex_lock(&handled_lock);
    handled += event->type == PTL_EVENT_SEND_END ? 1 : 100;
    pthread_cond_signal(&handled_changed);
    pthread_mutex_unlock(&handled_lock);
}

enum { QUEUES = 8 };

static void handlers(void)
{
    ptl_handle_eq_t queues[QUEUES];
    char data[1] = "x";
    ptl_handle_md_t md;
    ptl_handle_eq_t eq;

    IS(PtlEQAlloc(ni, 4, handle, &eq), PTL_OK);
    IS(PtlMDBind(ni, region(data, 1, PTL_MD_EVENT_START_DISABLE, eq), PTL_RETAIN, &md), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 5, 0, 0, 0, 0), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 5, 0, 0, 0, 0), PTL_OK);
    pthread_mutex_lock(&handled_lock);
    while (handled < 2) {
        pthread_cond_wait(&handled_changed, &handled_lock);
    }
    pthread_mutex_unlock(&handled_lock);
    CHECK_EQ(handled, 2, "called with each event");
    next(eq, PTL_EVENT_SEND_END);
    next(eq, PTL_EVENT_SEND_END);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
    for (int left = QUEUES; left > 0; left--) {
        IS(PtlEQAlloc(ni, 4, left % 2 ? handle : PTL_EQ_HANDLER_NONE, &queues[left - 1]), PTL_OK);
    }
    IS(PtlEQAlloc(ni, 4, handle, &eq), PTL_NO_SPACE); /* as many as the interface has, with a handler or without */
    for (int left = QUEUES; left > 1; left--) {       /* one goes with the library */
        IS(PtlEQFree(queues[left - 1]), PTL_OK);
    }
    IS(PtlEQAlloc(ni, 0, handle, &eq), PTL_OK);
    CHECK(eq == PTL_EQ_NONE, "a queue for nothing is none");
}

static bool may_go_on;

static void handle_when_told(ptl_event_t *event)
{
    pthread_mutex_lock(&handled_lock);
    while (!may_go_on) {
        pthread_cond_wait(&handled_changed, &handled_lock);
    }
    pthread_mutex_unlock(&handled_lock);
    handle(event);
}

static void *free_queue(void *eq)
{
    IS(PtlEQFree(*(ptl_handle_eq_t *)eq), PTL_OK);
    return NULL;
}

/* More events than the queue has room for, and it is freed, before the handler has returned for the first time. */
static void slow_handler(void)
{
    enum { PUTS = 20 };
    char data[1] = "x";
    ptl_handle_md_t md;
    ptl_handle_eq_t eq;
    ptl_event_t event;
    pthread_t thread;
    int code;

    handled = 0;
    IS(PtlEQAlloc(ni, 2, handle_when_told, &eq), PTL_OK);
    IS(PtlMDBind(ni, region(data, 1, PTL_MD_EVENT_START_DISABLE, eq), PTL_RETAIN, &md), PTL_OK);
    for (int i = 0; i < PUTS; i++) {
        IS(PtlPut(md, PTL_NOACK_REQ, self, 5, 0, 0, 0, 0), PTL_OK);
    }
    IS(PtlMDUnlink(md), PTL_OK);
    CHECK(pthread_create(&thread, NULL, free_queue, &eq) == 0, "another thread frees the queue");
    do {
        code = PtlEQGet(eq, &event);
    } while (code != PTL_EQ_INVALID);
    pthread_mutex_lock(&handled_lock);
    may_go_on = true;
    pthread_cond_broadcast(&handled_changed);
    pthread_mutex_unlock(&handled_lock);
    pthread_join(thread, NULL);
    CHECK_EQ(handled, PUTS, "called with each event");
}

static void lists(void)
{
    ptl_handle_me_t a = entry(6, 1, PTL_RETAIN), b, c;
    ptl_pt_index_t index = 99;

    IS(PtlMEAttach(ni, 6, anybody, 1, 0, PTL_RETAIN, PTL_INS_BEFORE, &b), PTL_OK);
    IS(PtlMEInsert(a, anybody, 1, 0, PTL_RETAIN, PTL_INS_AFTER, &c), PTL_OK);
    IS(PtlMEAttach(ni, 6, anybody, 1, 0, PTL_RETAIN, PTL_INS_BEFORE, &c), PTL_ME_LIST_TOO_LONG);
    for (ptl_pt_index_t i = 0; i < 7; i++) {
        IS(PtlMEAttachAny(ni, &index, anybody, 1, 0, PTL_RETAIN, &c), PTL_OK);
        CHECK_EQ(index, i < 6 ? i : 7, "the first that is free");
    }
    IS(PtlMEAttachAny(ni, &index, anybody, 1, 0, PTL_RETAIN, &c), PTL_PT_FULL);
    IS(PtlMEAttach(ni, 8, anybody, 1, 0, PTL_RETAIN, PTL_INS_AFTER, &c), PTL_PT_INDEX_INVALID);
}

static void update(void)
{
    char sink[8];
    ptl_handle_eq_t eq = queue(4);
    ptl_md_t value = region(sink, 8, PTL_MD_OP_PUT, eq), old = region(NULL, 0, 0, PTL_EQ_NONE);
    ptl_handle_md_t md;
    ptl_event_t event;

    IS(PtlMDBind(ni, value, PTL_RETAIN, &md), PTL_OK);
    IS(PtlPut(md, PTL_NOACK_REQ, self, 7, 0, 99, 0, 0), PTL_OK);
    value.length = 4;
    IS(PtlMDUpdate(md, &old, &value, eq), PTL_MD_NO_UPDATE);
    CHECK(!old.start, "a refused update tells nothing");
    IS(PtlEQGet(eq, &event), PTL_OK);
    IS(PtlEQGet(eq, &event), PTL_OK);
    IS(PtlMDUpdate(md, &old, &value, eq), PTL_OK);
    CHECK_EQ(old.length, 8, "the old value");
    value.options = 1u << 15; /* no option */
    IS(PtlMDUpdate(md, NULL, &value, PTL_EQ_NONE), PTL_MD_ILLEGAL);
    IS(PtlMDUnlink(md), PTL_OK);
    IS(PtlEQFree(eq), PTL_OK);
}

int main(void)
{
    ptl_ni_limits_t desired = {.max_mes = 16,
                               .max_mds = 16,
                               .max_eqs = QUEUES,
                               .max_ac_index = 3,
                               .max_pt_index = 7,
                               .max_me_list = 3,
                               .max_getput_md = 8};
    ptl_ni_limits_t actual;
    ptl_handle_ni_t again;
    ptl_process_id_t id;
    ptl_jid_t jid;
    int interfaces = 0;

    setenv("ASSAY_NAL", "loop", 0);
    IS(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, NULL, &ni), PTL_NO_INIT);
    IS(PtlInit(&interfaces), PTL_OK);
    CHECK(interfaces >= 1, "there are interfaces");
    IS(PtlInit(NULL), PTL_OK);
    IS(PtlNIInit(PTL_IFACE_DEFAULT, 5, &desired, &actual, &ni), PTL_OK);
    IS(PtlGetId(ni, &id), PTL_OK);
    CHECK(id.pid == 5, "the process has the id that it asks for");
    IS(PtlNIInit(1, 6, NULL, NULL, &again), PTL_PID_INVALID);
    CHECK(actual.max_mes == 16 && actual.max_pt_index == 7 && actual.max_me_list == 3, "limits as desired");
    IS(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, &actual, &again), PTL_OK);
    CHECK(again == ni && actual.max_mes == 16, "the same interface again");
    IS(PtlGetId(ni, &self), PTL_OK);
    IS(PtlGetJid(ni, &jid), PTL_OK);
    CHECK(PtlHandleIsEqual(ni, again) && !PtlHandleIsEqual(ni, PTL_EQ_NONE), "handles compare");
    CHECK(PtlNIFailStr(ni, PTL_NI_OK)[0], "a text");
    TAP_RUN(names);
    TAP_RUN(both_ends_of_a_put);
    TAP_RUN(thresholds_count_all);
    TAP_RUN(room_runs_out);
    TAP_RUN(regions);
    TAP_RUN(exchange);
    TAP_RUN(full_queue_loses_the_oldest);
    TAP_RUN(polling);
    TAP_RUN(update);
    TAP_RUN(handlers);
    TAP_RUN(slow_handler);
    TAP_RUN(lists);
    PtlFini();
    return tap_done();
}
