/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the conduit asks of Portals 3.3, without it: descriptors and lists as it makes them, two processes, each of
 * which is initiator and target. Says "right" at the end.
 */
#include <p3rt/p3rt.h>
#include <portals3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENT = 1 << 16, SEGMENT_PORTAL = 38, MESSAGE_PORTAL = 39, WANTED_MDS = 1024 + 16, MESSAGE = 1000 };

#define IGNORED  (~(ptl_match_bits_t)0xf)
#define UPPER    0x0123456789abcde0u /* what a sender keeps in the bits above the lowest four */
#define NO_START PTL_MD_EVENT_START_DISABLE

static ptl_handle_ni_t ni;
static ptl_process_id_t other;
static const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY}; //= GASN-035
static unsigned char segment[SEGMENT], loose[SEGMENT];

#define HOLDS(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                              \
            exit(4);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        int ok_code = (call);                                                                                          \
        if (ok_code != PTL_OK) {                                                                                       \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, PtlErrorStr((unsigned)ok_code));             \
            exit(3);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The forms of the calls, as the conduit's authors wrote them down. */
//= GASN-004 GASN-005 GASN-029 GASN-081 GASN-154
static int (*const put_region)(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t,
                               ptl_ac_index_t, ptl_match_bits_t, ptl_size_t, ptl_hdr_data_t) = PtlPutRegion;
static int (*const get_region)(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_process_id_t, ptl_pt_index_t,
                               ptl_ac_index_t, ptl_match_bits_t, ptl_size_t) = PtlGetRegion;
static int (*const insert)(ptl_handle_me_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t,
                           ptl_ins_pos_t, ptl_handle_me_t *) = PtlMEInsert;
static int (*const alloc)(ptl_handle_ni_t, ptl_size_t, ptl_eq_handler_t, ptl_handle_eq_t *) = PtlEQAlloc;

static ptl_handle_eq_t queue(ptl_size_t events)
{
    ptl_handle_eq_t eq;

    OK(alloc(ni, events, PTL_EQ_HANDLER_NONE, &eq));
    return eq;
}

static ptl_md_t region(void *start, ptl_size_t length, unsigned options, ptl_handle_eq_t eq, void *user)
{
    return (ptl_md_t){.start = start,
                      .length = length,
                      .threshold = PTL_MD_THRESH_INF,
                      .options = options,
                      .user_ptr = user,
                      .eq_handle = eq};
}

static ptl_handle_md_t attach(ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_md_t md)
{
    ptl_handle_me_t me;
    ptl_handle_md_t handle;

    OK(PtlMEAttach(ni, portal, anybody, bits, IGNORED, PTL_RETAIN, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, md, PTL_RETAIN, &handle));
    return handle;
}

static ptl_event_t next(ptl_handle_eq_t eq, ptl_event_kind_t kind)
{
    ptl_event_t event;

    OK(PtlEQWait(eq, &event));
    if (event.type != kind) {
        fprintf(stderr, "%s comes, not %s\n", PtlEventKindStr(event.type), PtlEventKindStr(kind));
        exit(4);
    }
    HOLDS(event.ni_fail_type == PTL_NI_OK);
    return event;
}

static void nothing_more(ptl_handle_eq_t eq)
{
    ptl_event_t event;

    HOLDS(PtlEQGet(eq, &event) == PTL_EQ_EMPTY);
}

//= GASN-157
static void open_interface(void)
{
    ptl_ni_limits_t desired = {.max_mes = 64,
                               .max_mds = WANTED_MDS,
                               .max_eqs = 8,
                               .max_ac_index = 1,
                               .max_pt_index = MESSAGE_PORTAL,
                               .max_me_list = 32};
    ptl_ni_limits_t actual;
    unsigned rank, count;

    OK(PtlInit(NULL));
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, &desired, &actual, &ni));
    HOLDS(actual.max_mds >= WANTED_MDS && actual.max_eqs >= 3 && actual.max_pt_index >= MESSAGE_PORTAL);
    HOLDS(actual.max_me_list >= 20);
    OK(PtlGetRank(ni, &rank, &count));
    HOLDS(count == 2);
    OK(PtlGetRankId(ni, 1 - rank, &other));
}

/* All descriptors that are granted can be had at once. */
static void many_descriptors(void)
{
    static ptl_handle_md_t handles[WANTED_MDS - 16];
    const size_t count = sizeof(handles) / sizeof(*handles);

    for (size_t i = 0; i < count; i++) {
        OK(PtlMDBind(ni, region(loose, 8, 0, PTL_EQ_NONE, NULL), PTL_RETAIN, &handles[i]));
    }
    for (size_t i = 0; i < count; i++) {
        OK(PtlMDUnlink(handles[i]));
        HOLDS(PtlMDUnlink(handles[i]) == PTL_MD_INVALID); //= GASN-028
    }
}

/* Three descriptors over one segment, told apart by the lowest four bits: the first tells nobody. The queues hold the
 * events of one operation and no more, so that an event which is not asked for would be found. */
//= GASN-007 GASN-008 GASN-010 GASN-012 GASN-013 GASN-015 GASN-020 GASN-048 GASN-049 GASN-055 GASN-155 GASN-156
static void one_segment(void)
{
    const unsigned serves = PTL_MD_MANAGE_REMOTE | NO_START;
    ptl_handle_eq_t safe = queue(2), requests = queue(1);
    ptl_handle_md_t source;
    ptl_event_t event;
    int of_rar, of_raram, of_source;

    (void)attach(SEGMENT_PORTAL, 0,
                 region(segment, SEGMENT, serves | PTL_MD_OP_PUT | PTL_MD_OP_GET, PTL_EQ_NONE, &of_rar));
    (void)attach(SEGMENT_PORTAL, 1, region(segment, SEGMENT, serves | PTL_MD_OP_PUT, requests, &of_raram));
    source = attach(SEGMENT_PORTAL, 2, region(segment, SEGMENT, serves | PTL_MD_OP_PUT, safe, &of_source));
    memset(segment, 1, SEGMENT);
    memset(segment + 500, 7, 100);
    OK(PtlRTBarrier(ni));

    OK(put_region(source, 500, 100, PTL_ACK_REQ, other, SEGMENT_PORTAL, 0, UPPER | 1, SEGMENT - 100,
                  0x1122334455667788u));
    event = next(safe, PTL_EVENT_SEND_END);
    HOLDS(event.match_bits == (UPPER | 1) && event.md.user_ptr == &of_source && event.md_handle == source);
    event = next(safe, PTL_EVENT_ACK);
    HOLDS(event.match_bits == (UPPER | 1) && event.md.user_ptr == &of_source && event.mlength == 100);
    event = next(requests, PTL_EVENT_PUT_END);
    HOLDS(event.match_bits == (UPPER | 1) && event.hdr_data == 0x1122334455667788u && event.md.user_ptr == &of_raram);
    HOLDS(event.offset == SEGMENT - 100 && event.rlength == 100 && event.mlength == 100);
    HOLDS(segment[SEGMENT - 101] == 1 && segment[SEGMENT - 100] == 7 && segment[SEGMENT - 1] == 7);
    OK(PtlRTBarrier(ni));

    OK(put_region(source, 500, 10, PTL_ACK_REQ, other, SEGMENT_PORTAL, 0, UPPER, 0, 0));
    (void)next(safe, PTL_EVENT_SEND_END);
    (void)next(safe, PTL_EVENT_ACK);
    OK(get_region(source, 600, 10, other, SEGMENT_PORTAL, 0, UPPER, 0));
    event = next(safe, PTL_EVENT_REPLY_END);
    HOLDS(event.match_bits == UPPER && event.offset == 600 && event.mlength == 10 && event.md_handle == source);
    HOLDS(segment[600] == 7 && segment[609] == 7 && segment[610] == 1);
    OK(PtlRTBarrier(ni));
    nothing_more(safe);
    nothing_more(requests);
}

/* A descriptor of no entry is not found by others. */
//= GASN-009
static void bound_is_not_reached(void)
{
    ptl_handle_eq_t eq = queue(4);
    ptl_handle_md_t bound;
    ptl_sr_value_t before, now;

    OK(PtlMDBind(ni, region(loose, 64, PTL_MD_OP_PUT | NO_START, eq, NULL), PTL_RETAIN, &bound));
    OK(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &before));
    OK(PtlRTBarrier(ni));
    OK(PtlPut(bound, PTL_ACK_REQ, other, SEGMENT_PORTAL, 0, 9, 0, 0));
    (void)next(eq, PTL_EVENT_SEND_END);
    do {
        OK(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &now));
    } while (now == before);
    HOLDS(now == before + 1);
    OK(PtlRTBarrier(ni));
    nothing_more(eq);
    OK(PtlMDUnlink(bound));
}

/* Receive buffers as the conduit chains them: locally managed, and used up when less than a message and an octet is
 * left. The basin behind them takes nothing of what comes. */
enum { BUFFERS = 2, IN_EACH = 2, MESSAGES = 6 };

static unsigned char buffers[BUFFERS][3 * MESSAGE];

//= GASN-012 GASN-029 GASN-063
static void link_buffers(ptl_handle_eq_t eq)
{
    ptl_md_t basin = region(NULL, 0, PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_ACK_DISABLE | NO_START, eq, NULL);
    ptl_handle_me_t last, me;

    OK(PtlMEAttach(ni, MESSAGE_PORTAL, anybody, 3, IGNORED, PTL_RETAIN, PTL_INS_BEFORE, &last));
    OK(PtlMDAttach(last, basin, PTL_RETAIN, NULL));
    for (int i = 0; i < BUFFERS; i++) {
        ptl_md_t md = region(buffers[i], 3 * MESSAGE, PTL_MD_OP_PUT | PTL_MD_MAX_SIZE | NO_START, eq, buffers[i]);

        md.max_size = MESSAGE + 1;
        OK(insert(last, anybody, 3, IGNORED, PTL_UNLINK, PTL_INS_BEFORE, &me));
        OK(PtlMDAttach(me, md, PTL_UNLINK, NULL));
    }
    OK(PtlMEAttach(ni, MESSAGE_PORTAL, anybody, 3, IGNORED, PTL_RETAIN, PTL_INS_BEFORE, &me));
    OK(PtlMDAttach(me, region(loose, SEGMENT, PTL_MD_OP_GET | NO_START, eq, NULL), PTL_RETAIN, NULL));
}

/* The event of the message with this number. */
static void check_message(const ptl_event_t *event, int number)
{
    int buffer = number / IN_EACH, place = number % IN_EACH;

    HOLDS(event->type == PTL_EVENT_PUT_END && event->hdr_data == (ptl_hdr_data_t)number && event->rlength == MESSAGE);
    if (buffer >= BUFFERS) {
        HOLDS(event->mlength == 0 && event->md.length == 0);
        return;
    }
    HOLDS(event->mlength == MESSAGE && event->offset == (ptl_size_t)(place * MESSAGE));
    HOLDS(event->md.user_ptr == buffers[buffer] && buffers[buffer][place * MESSAGE] == number + 1);
}

/* The events of all: a buffer is said to have left behind the last of its messages. */
static void check_messages(ptl_handle_eq_t eq)
{
    int messages = 0, unlinked = 0;

    while (messages + unlinked < MESSAGES + BUFFERS) {
        ptl_event_t event;

        OK(PtlEQWait(eq, &event));
        if (event.type == PTL_EVENT_UNLINK) {
            HOLDS(event.md.start == buffers[unlinked] && messages >= ++unlinked * IN_EACH);
        } else {
            check_message(&event, messages++);
        }
    }
    HOLDS(unlinked == BUFFERS);
}

/* What takes no puts, or has no room, is passed over. */
//= GASN-011
static void a_chain_of_buffers(void)
{
    ptl_handle_eq_t eq = queue(MESSAGES + BUFFERS), sent = queue(2 * MESSAGES);
    ptl_handle_md_t source;

    link_buffers(eq);
    OK(PtlMDBind(ni, region(loose, MESSAGE, NO_START, sent, NULL), PTL_RETAIN, &source));
    OK(PtlRTBarrier(ni));
    for (int i = 0; i < MESSAGES; i++) {
        loose[0] = (unsigned char)(i + 1);
        OK(PtlPut(source, PTL_ACK_REQ, other, MESSAGE_PORTAL, 0, UPPER | 3, 77, (ptl_hdr_data_t)i));
        (void)next(sent, PTL_EVENT_SEND_END);
        if (i < BUFFERS * IN_EACH) {
            (void)next(sent, PTL_EVENT_ACK);
        }
    }
    check_messages(eq);
    OK(PtlRTBarrier(ni));
    nothing_more(sent);
    nothing_more(eq);
}

/* A descriptor of one operation can be unlinked when its last event has come; that of an entry takes the entry along if
 * that asks for it. */
//= GASN-027 GASN-067 GASN-070
static void unlinking(void)
{
    ptl_handle_eq_t eq = queue(4);
    ptl_handle_md_t md;
    ptl_handle_me_t me;
    int code;

    OK(PtlMDBind(ni, region(loose, SEGMENT, NO_START, eq, NULL), PTL_RETAIN, &md));
    OK(PtlRTBarrier(ni));
    OK(put_region(md, 0, SEGMENT, PTL_ACK_REQ, other, SEGMENT_PORTAL, 0, UPPER, 0, 0));
    (void)next(eq, PTL_EVENT_SEND_END);
    (void)next(eq, PTL_EVENT_ACK);
    OK(PtlMDUnlink(md));
    OK(PtlMDBind(ni, region(loose, SEGMENT, NO_START, eq, NULL), PTL_RETAIN, &md));
    OK(get_region(md, 0, SEGMENT, other, SEGMENT_PORTAL, 0, UPPER, 0));
    code = PtlMDUnlink(md); /* in time for the reply, or too early */
    HOLDS(code == PTL_OK || code == PTL_MD_IN_USE);
    if (code == PTL_MD_IN_USE) {
        (void)next(eq, PTL_EVENT_REPLY_END);
        OK(PtlMDUnlink(md));
    }
    for (int taken_along = 0; taken_along < 2; taken_along++) {
        OK(PtlMEAttach(ni, 5, anybody, 0, 0, taken_along ? PTL_UNLINK : PTL_RETAIN, PTL_INS_AFTER, &me));
        OK(PtlMDAttach(me, region(loose, 8, PTL_MD_OP_PUT, PTL_EQ_NONE, NULL), PTL_RETAIN, &md));
        OK(PtlMDUnlink(md));
        HOLDS(PtlMEUnlink(me) == (taken_along ? PTL_ME_INVALID : PTL_OK));
    }
    OK(PtlRTBarrier(ni));
}

int main(void)
{
    open_interface();
    many_descriptors();
    one_segment();
    bound_is_not_reached();
    a_chain_of_buffers();
    unlinking();
    printf("right\n");
    PtlFini();
    return 0;
}
