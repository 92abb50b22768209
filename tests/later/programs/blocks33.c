/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the transport of an MPI did with Portals 3.3: short messages into a few blocks that take each other's place when
 * they are nearly full, with an entry behind them that takes and forgets what finds none; long messages by a get of
 * parts; all queues polled together.
 */
#include <stdint.h>

#include "tests/later/programs/member33.h"

enum { SHORT_PORTAL = 3, LONG_PORTAL = 7, BLOCKS = 3, BLOCK = 8192, SHORT_MAX = 1024, MESSAGES = 200, LONG = 100000 };
enum { SHORT_QUEUE, LONG_QUEUE, OWN_QUEUE, QUEUES };

static ptl_handle_eq_t queues[QUEUES];
static ptl_handle_me_t last_entry;
static char blocks[BLOCKS][BLOCK], text[SHORT_MAX], source[LONG], sink[LONG];
static unsigned received, sent, unlinked, gets_served;

static char octet(unsigned at, unsigned of)
{
    return (char)(at * 7 + of);
}

static ptl_md_t region(void *start, ptl_size_t length, int threshold, unsigned options, int queue)
{
    return (ptl_md_t){.start = start,
                      .length = length,
                      .threshold = threshold,
                      .options = options | PTL_MD_EVENT_START_DISABLE,
                      .eq_handle = queue < QUEUES ? queues[queue] : PTL_EQ_NONE};
}

static void arm(intptr_t block)
{
    ptl_md_t md = region(blocks[block], BLOCK, PTL_MD_THRESH_INF, PTL_MD_OP_PUT | PTL_MD_MAX_SIZE, SHORT_QUEUE);
    ptl_handle_me_t me;

    md.max_size = SHORT_MAX;
    md.user_ptr = (void *)block;
    OK(PtlMEInsert(last_entry, anybody, 0, ~(ptl_match_bits_t)0, PTL_UNLINK, PTL_INS_BEFORE, &me));
    OK(PtlMDAttach(me, md, PTL_UNLINK, NULL));
}

static void begin(void)
{
    ptl_md_t md = region(NULL, 0, PTL_MD_THRESH_INF, PTL_MD_OP_PUT | PTL_MD_TRUNCATE, QUEUES);
    ptl_handle_me_t me;
    ptl_uid_t uid;
    ptl_jid_t jid;

    member_begin(NULL);
    OK(PtlGetUid(ni, &uid));
    OK(PtlGetJid(ni, &jid));
    OK(PtlACEntry(ni, 0, anybody, uid, jid, PTL_PT_INDEX_ANY));
    for (int i = 0; i < QUEUES; i++) {
        OK(PtlEQAlloc(ni, 4096, PTL_EQ_HANDLER_NONE, &queues[i]));
    }
    OK(PtlMEAttach(ni, SHORT_PORTAL, anybody, 0, ~(ptl_match_bits_t)0, PTL_RETAIN, PTL_INS_AFTER, &last_entry));
    OK(PtlMDAttach(last_entry, md, PTL_RETAIN, NULL));
    for (int i = 0; i < BLOCKS; i++) {
        arm(i);
    }
    for (unsigned i = 0; i < LONG; i++) {
        source[i] = octet(i, rank);
    }
    md = region(source, LONG, (int)size * 2, PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, LONG_QUEUE);
    OK(PtlMEAttach(ni, LONG_PORTAL, anybody, 42, 0, PTL_UNLINK, PTL_INS_BEFORE, &me));
    OK(PtlMDAttach(me, md, PTL_UNLINK, NULL));
    OK(PtlRTBarrier(ni));
}

static void take_short(const ptl_event_t *event)
{
    const char *at = (const char *)event->md.start + event->offset;

    MUST(event->hdr_data >> 32 == (rank + size - 1) % size);
    MUST((event->match_bits & 0xffffffff) == (event->hdr_data & 0xffffffff));
    for (ptl_size_t i = 0; i < event->mlength; i++) {
        MUST(at[i] == octet((unsigned)i, 0));
    }
    received++;
}

/* Waits for an event of the own queue, and does meanwhile what those of the others ask for. */
static ptl_event_t progress(ptl_time_t timeout, int *code)
{
    ptl_event_t event;
    int which;

    *code = PtlEQPoll(queues, QUEUES, timeout, &event, &which);
    if (*code != PTL_OK) {
        MUST(*code == PTL_EQ_EMPTY);
        return event;
    }
    MUST(event.ni_fail_type == PTL_NI_OK);
    if (which == SHORT_QUEUE && event.type == PTL_EVENT_PUT_END) {
        take_short(&event);
    } else if (which == SHORT_QUEUE) {
        MUST(event.type == PTL_EVENT_UNLINK);
        unlinked++;
        arm((intptr_t)event.md.user_ptr);
    } else if (which == LONG_QUEUE) {
        gets_served += event.type == PTL_EVENT_GET_END;
    } else {
        sent += event.type == PTL_EVENT_SEND_END;
    }
    return event;
}

static void exchange_short(const ptl_process_id_t *next)
{
    ptl_handle_md_t md;
    int code;

    for (unsigned i = 0; i < SHORT_MAX; i++) {
        text[i] = octet(i, 0);
    }
    OK(PtlMDBind(ni, region(text, SHORT_MAX, PTL_MD_THRESH_INF, 0, OWN_QUEUE), PTL_UNLINK, &md));
    for (unsigned i = 0; i < MESSAGES; i++) {
        OK(PtlPutRegion(md, 0, 100 + i, PTL_NOACK_REQ, *next, SHORT_PORTAL, 0, 0x1234000000000000 + i, 0,
                        (ptl_hdr_data_t)rank << 32 | i));
        /* As many as have been sent may be on the way to here, and the blocks hold so many. */
        while (received <= i) {
            (void)progress(10, &code);
        }
    }
    while (sent < MESSAGES) {
        (void)progress(10, &code);
    }
    OK(PtlMDUnlink(md));
    MUST(unlinked > 0);
}

static void get_half(const ptl_process_id_t *from, unsigned of, ptl_size_t at)
{
    ptl_handle_md_t md;
    int code, seen = 0;

    OK(PtlMDBind(ni, region(sink, LONG, 1, 0, OWN_QUEUE), PTL_UNLINK, &md));
    OK(PtlGetRegion(md, at, LONG / 2, *from, LONG_PORTAL, 0, 42, at));
    while (seen < 2) {
        ptl_event_t event = progress(PTL_TIME_FOREVER, &code);

        if (PtlHandleIsEqual(event.md_handle, md)) {
            MUST(event.type == (seen == 0 ? PTL_EVENT_REPLY_END : PTL_EVENT_UNLINK));
            MUST(seen > 0 || (event.offset == at && event.mlength == LONG / 2));
            seen++;
        }
    }
    MUST(PtlMDUnlink(md) == PTL_MD_INVALID);
    for (ptl_size_t i = at; i < at + LONG / 2; i++) {
        MUST(sink[i] == octet((unsigned)i, of));
    }
}

int main(void)
{
    ptl_process_id_t id;
    ptl_sr_value_t dropped;
    int code;

    begin();
    OK(PtlGetRankId(ni, (rank + 1) % size, &id));
    exchange_short(&id);
    for (unsigned i = 0; i < size; i++) {
        OK(PtlGetRankId(ni, i, &id));
        get_half(&id, i, 0);
        get_half(&id, i, LONG / 2);
    }
    while (gets_served < 2 * size) {
        (void)progress(10, &code);
    }
    OK(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &dropped));
    MUST(dropped == 0);
    return member_end();
}
