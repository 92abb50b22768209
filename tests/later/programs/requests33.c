/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a file service did with Portals 3.3: requests into one ring, a handler of their queue that fetches the data by a
 * get and answers with a put whose descriptor goes by itself; and a counter that all count up by an exchange and a
 * lock.
 */
#include <portals/portals3.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/later/programs/member33.h"

enum { REQUESTS_PORTAL = 10, DATA_PORTAL, ANSWERS_PORTAL, LOCK_PORTAL, COUNT_PORTAL };
enum { REQUESTS = 10, DATA = 5000, LOCKED = 20 };

struct request {
    ptl_match_bits_t number;
    ptl_size_t length;
};

static struct request ring[1000];
static uint64_t lock, count;
static atomic_uint handled;

static ptl_md_t region(void *start, ptl_size_t length, int threshold, unsigned options, ptl_handle_eq_t queue)
{
    return (ptl_md_t){.start = start,
                      .length = length,
                      .threshold = threshold,
                      .options = options | PTL_MD_EVENT_START_DISABLE,
                      .eq_handle = queue};
}

static void show(ptl_pt_index_t portal, ptl_process_id_t whom, ptl_match_bits_t bits, ptl_match_bits_t ignored,
                 ptl_md_t md)
{
    ptl_unlink_t unlink = md.threshold == PTL_MD_THRESH_INF ? PTL_RETAIN : PTL_UNLINK;
    ptl_handle_me_t me;

    OK(PtlMEAttach(ni, portal, whom, bits, ignored, unlink, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, md, unlink, NULL));
}

static void expect(ptl_handle_eq_t queue, ptl_event_kind_t kind)
{
    ptl_event_t event;

    OK(PtlEQWait(queue, &event));
    MUST(event.type == kind);
}

/* In a thread of the library. */
static void serve(ptl_event_t *event)
{
    static unsigned char data[DATA];
    const struct request *request = (const struct request *)(const void *)((char *)event->md.start + event->offset);
    ptl_handle_eq_t queue;
    ptl_handle_md_t md;
    uint64_t sum = 0;

    if (event->type != PTL_EVENT_PUT_END) {
        return;
    }
    MUST(request->number == event->hdr_data && request->length <= DATA);
    OK(PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &queue));
    OK(PtlMDBind(ni, region(data, request->length, PTL_MD_THRESH_INF, 0, queue), PTL_RETAIN, &md));
    OK(PtlGet(md, event->initiator, DATA_PORTAL, 0, request->number, 0));
    expect(queue, PTL_EVENT_REPLY_END);
    OK(PtlMDUnlink(md));
    for (ptl_size_t i = 0; i < request->length; i++) {
        sum += data[i];
    }
    OK(PtlMDBind(ni, region(&sum, sizeof sum, 2, 0, queue), PTL_UNLINK, &md));
    OK(PtlPut(md, PTL_ACK_REQ, event->initiator, ANSWERS_PORTAL, 0, request->number, 0, sum));
    expect(queue, PTL_EVENT_SEND_END);
    expect(queue, PTL_EVENT_ACK);
    expect(queue, PTL_EVENT_UNLINK);
    OK(PtlEQFree(queue));
    handled++;
}

static void ask(ptl_process_id_t server, ptl_match_bits_t number)
{
    static unsigned char data[DATA];
    struct request request = {number, sizeof data};
    uint64_t answer = 0, sum = 0;
    ptl_handle_eq_t own, served;
    ptl_handle_md_t md;
    ptl_event_t event;

    for (unsigned i = 0; i < DATA; i++) {
        data[i] = (unsigned char)(rank + i);
        sum += data[i];
    }
    OK(PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &own));
    OK(PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &served));
    show(DATA_PORTAL, server, number, 0, region(data, sizeof data, 1, PTL_MD_OP_GET, PTL_EQ_NONE));
    show(ANSWERS_PORTAL, server, number, 0, region(&answer, sizeof answer, 1, PTL_MD_OP_PUT, served));
    OK(PtlMDBind(ni, region(&request, sizeof request, 1, 0, own), PTL_UNLINK, &md));
    OK(PtlPut(md, PTL_NOACK_REQ, server, REQUESTS_PORTAL, 0, 0, 0, number));
    expect(own, PTL_EVENT_SEND_END);
    expect(own, PTL_EVENT_UNLINK);
    OK(PtlEQWait(served, &event));
    MUST(event.type == PTL_EVENT_PUT_END && event.hdr_data == sum && answer == sum);
    expect(served, PTL_EVENT_UNLINK);
    OK(PtlEQFree(own));
    OK(PtlEQFree(served));
}

/* Exchanges a word of the server's for `value`. */
static uint64_t swap(ptl_process_id_t server, ptl_pt_index_t portal, uint64_t value)
{
    uint64_t old = 0;
    ptl_handle_eq_t queue;
    ptl_handle_md_t get, put;

    OK(PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &queue));
    OK(PtlMDBind(ni, region(&old, sizeof old, PTL_MD_THRESH_INF, 0, queue), PTL_RETAIN, &get));
    OK(PtlMDBind(ni, region(&value, sizeof value, PTL_MD_THRESH_INF, 0, PTL_EQ_NONE), PTL_RETAIN, &put));
    OK(PtlGetPut(get, put, server, portal, 0, 0, 0, 0));
    expect(queue, PTL_EVENT_REPLY_END);
    while (PtlMDUnlink(put) == PTL_MD_IN_USE) {
    }
    OK(PtlMDUnlink(get));
    OK(PtlEQFree(queue));
    return old;
}

static void count_up(ptl_process_id_t server)
{
    while (swap(server, LOCK_PORTAL, 1) != 0) {
    }
    (void)swap(server, COUNT_PORTAL, swap(server, COUNT_PORTAL, 0) + 1);
    MUST(swap(server, LOCK_PORTAL, 0) == 1);
}

/* What a network of addresses cannot take is refused, and what was logged to begin has its end. */
static void fail(void)
{
    const ptl_process_id_t nobody = {.nid = 0, .pid = 0};
    ptl_event_t begin, end;
    ptl_handle_eq_t queue;
    ptl_handle_md_t md;
    ptl_md_t value = region(&count, sizeof count, PTL_MD_THRESH_INF, 0, PTL_EQ_NONE);

    OK(PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &queue));
    value.options = 0;
    value.eq_handle = queue;
    OK(PtlMDBind(ni, value, PTL_RETAIN, &md));
    MUST(PtlPut(md, PTL_ACK_REQ, nobody, 0, 0, 0, 0, 0) == PTL_PROCESS_INVALID);
    OK(PtlEQGet(queue, &begin));
    OK(PtlEQGet(queue, &end));
    MUST(begin.type == PTL_EVENT_SEND_START && end.type == PTL_EVENT_SEND_END && begin.link == end.link);
    MUST(end.ni_fail_type == PTL_NI_UNREACHABLE && PtlEQGet(queue, &end) == PTL_EQ_EMPTY);
    OK(PtlMDUnlink(md));
    OK(PtlEQFree(queue));
}

int main(int argc, char **argv)
{
    const unsigned exchange = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE;
    ptl_process_id_t server;
    ptl_handle_eq_t requests = PTL_EQ_NONE;

    member_begin(NULL);
    OK(PtlGetRankId(ni, 0, &server));
    if (argc > 1 && strcmp(argv[1], "nobody") == 0) {
        fail();
    }
    if (rank == 0) {
        OK(PtlEQAlloc(ni, 256, serve, &requests));
        show(REQUESTS_PORTAL, anybody, 0, ~(ptl_match_bits_t)0,
             region(ring, sizeof ring, PTL_MD_THRESH_INF, PTL_MD_OP_PUT, requests));
        show(LOCK_PORTAL, anybody, 0, 0, region(&lock, sizeof lock, PTL_MD_THRESH_INF, exchange, PTL_EQ_NONE));
        show(COUNT_PORTAL, anybody, 0, 0, region(&count, sizeof count, PTL_MD_THRESH_INF, exchange, PTL_EQ_NONE));
    }
    OK(PtlRTBarrier(ni));
    for (unsigned i = 0; i < REQUESTS && rank > 0; i++) {
        ask(server, rank * 1000 + i);
    }
    for (unsigned i = 0; i < LOCKED; i++) {
        count_up(server);
    }
    OK(PtlRTBarrier(ni));
    if (rank == 0) {
        OK(PtlEQFree(requests)); /* its handler has returned */
        MUST(handled == REQUESTS * (size - 1) && count == (uint64_t)LOCKED * size);
    }
    return member_end();
}
