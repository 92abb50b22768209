/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Work that handlers of queues do alone: a token goes round through the handlers of all ranks, each of which puts it
 * on; and a descriptor for one message is made again by the handler that hears of its end, which then answers the
 * sender.
 */
#include <stdatomic.h>

#include "tests/later/programs/member33.h"

enum { TOKEN_PORTAL = 1, ONCE_PORTAL, ANSWERS_PORTAL };
enum { TURNS = 60, MESSAGES = 40, EVENTS = 1024 };

static ptl_process_id_t neighbour;
static ptl_handle_eq_t tokens, once, answers, sent;
static ptl_handle_md_t empty;
static uint32_t received;
static atomic_uint turns, made_again, answered;

static void attach(ptl_pt_index_t portal, void *start, ptl_size_t length, int threshold, ptl_handle_eq_t queue)
{
    ptl_unlink_t unlink = threshold == 1 ? PTL_UNLINK : PTL_RETAIN;
    ptl_md_t md = {
        .start = start, .length = length, .threshold = threshold, .options = PTL_MD_OP_PUT, .eq_handle = queue};
    ptl_handle_me_t me;

    OK(PtlMEAttach(ni, portal, anybody, 0, 0, unlink, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, md, unlink, NULL));
}

static void pass_on(ptl_event_t *event)
{
    if (event->type == PTL_EVENT_PUT_END) {
        turns++;
        if (event->hdr_data + 1 < (ptl_hdr_data_t)TURNS * size) {
            OK(PtlPut(empty, PTL_NOACK_REQ, neighbour, TOKEN_PORTAL, 0, 0, 0, event->hdr_data + 1));
        }
    }
}

/* The three events come in their order, and the sender sends no more before it is answered. */
static void make_again(ptl_event_t *event)
{
    static const ptl_event_kind_t expected[] = {PTL_EVENT_PUT_START, PTL_EVENT_PUT_END, PTL_EVENT_UNLINK};
    static ptl_process_id_t sender;
    static unsigned at;

    MUST(event->type == expected[at]);
    at = (at + 1) % 3;
    if (event->type == PTL_EVENT_PUT_END) {
        sender = event->initiator;
    } else if (event->type == PTL_EVENT_UNLINK) {
        MUST(received == made_again);
        attach(ONCE_PORTAL, &received, sizeof received, 1, once);
        made_again++;
        OK(PtlPut(empty, PTL_NOACK_REQ, sender, ANSWERS_PORTAL, 0, 0, 0, received));
    }
}

static void hear(ptl_event_t *event)
{
    if (event->type == PTL_EVENT_PUT_END) {
        MUST(event->hdr_data == answered);
        answered++;
    }
}

static void send_all(void)
{
    uint32_t number;
    ptl_md_t md = {.start = &number,
                   .length = sizeof number,
                   .threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_EVENT_START_DISABLE,
                   .eq_handle = sent};
    ptl_handle_md_t handle;
    ptl_event_t event;

    OK(PtlMDBind(ni, md, PTL_RETAIN, &handle));
    for (number = 0; number < MESSAGES; number++) {
        OK(PtlPut(handle, PTL_NOACK_REQ, neighbour, ONCE_PORTAL, 0, 0, 0, 0));
        OK(PtlEQWait(sent, &event));
        MUST(event.type == PTL_EVENT_SEND_END);
        while (answered <= number) {
            (void)PtlEQPoll(&sent, 1, 1, &event, &(int){0});
        }
    }
    OK(PtlMDUnlink(handle));
}

int main(void)
{
    ptl_md_t nothing = {.threshold = PTL_MD_THRESH_INF, .eq_handle = PTL_EQ_NONE};
    ptl_event_t event;

    member_begin(NULL);
    OK(PtlGetRankId(ni, (rank + 1) % size, &neighbour));
    OK(PtlEQAlloc(ni, EVENTS, pass_on, &tokens));
    OK(PtlEQAlloc(ni, EVENTS, make_again, &once));
    OK(PtlEQAlloc(ni, EVENTS, hear, &answers));
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &sent));
    OK(PtlMDBind(ni, nothing, PTL_RETAIN, &empty));
    attach(TOKEN_PORTAL, NULL, 0, PTL_MD_THRESH_INF, tokens);
    attach(ANSWERS_PORTAL, NULL, 0, PTL_MD_THRESH_INF, answers);
    attach(ONCE_PORTAL, &received, sizeof received, 1, once);
    OK(PtlRTBarrier(ni));
    if (rank == 0) {
        OK(PtlPut(empty, PTL_NOACK_REQ, neighbour, TOKEN_PORTAL, 0, 0, 0, 0));
    }
    send_all();
    while (turns < TURNS || made_again < MESSAGES) {
        (void)PtlEQPoll(&sent, 1, 1, &event, &(int){0});
    }
    OK(PtlRTBarrier(ni));
    OK(PtlEQFree(tokens)); /* no handler of it runs any more */
    OK(PtlEQFree(once));
    OK(PtlEQFree(answers));
    MUST(turns == TURNS && made_again == MESSAGES && answered == MESSAGES);
    return member_end();
}
