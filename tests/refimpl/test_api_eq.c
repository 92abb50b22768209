/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Events and event queues (3.8), and what a full queue does to messages (4.2).
 */
#include <pthread.h>
#include <string.h>

#include "tests/refimpl/support.h"

static ptl_handle_ni_t ni;
static ptl_handle_md_t source;

static void codes(void)
{
    ptl_handle_eq_t eq;
    ptl_event_t event;
    ptl_size_t count;

    SUPPORT_IS(PtlEQAlloc((ptl_handle_ni_t){1}, 1, &eq), PTL_INV_NI);
    SUPPORT_IS(PtlEQAlloc(ni, 1, NULL), PTL_SEGV);
    SUPPORT_IS(PtlEQAlloc(ni, 0, &eq), PTL_NOSPACE);
    SUPPORT_IS(PtlEQAlloc(ni, UINT64_MAX, &eq), PTL_NOSPACE);
    SUPPORT_IS(PtlEQAlloc(ni, PTL_MAX_EVENTS + 1, &eq), PTL_NOSPACE);
    SUPPORT_IS(PtlEQAlloc(ni, 1, &eq), PTL_OK);
    SUPPORT_IS(PtlEQCount(eq, NULL), PTL_SEGV);
    SUPPORT_IS(PtlEQGet(eq, NULL), PTL_SEGV);
    SUPPORT_IS(PtlEQGet(eq, support_unmapped()), PTL_SEGV);
    SUPPORT_IS(PtlEQWait(eq, NULL), PTL_SEGV);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_INV_EQ);
    SUPPORT_IS(PtlEQCount(eq, &count), PTL_INV_EQ);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_INV_EQ);
    SUPPORT_IS(PtlEQWait(eq, &event), PTL_INV_EQ);
    SUPPORT_IS(PtlEQFree(PTL_EQ_NONE), PTL_INV_EQ);
}

static void first_in_first_out(void)
{
    ptl_handle_eq_t eq = support_eq(ni, 3);
    ptl_handle_me_t me = support_entry(ni, 0, 0);
    ptl_event_t event;

    support_must(PtlMEAttach(ni, 0, support_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &me), "PtlMEAttach");
    support_attach(me, support_md(NULL, 0, PTL_MD_OP_PUT, eq), PTL_RETAIN);
    for (ptl_match_bits_t round = 0; round < 4; round++) {
        for (ptl_match_bits_t i = 0; i < 3; i++) {
            support_must(support_put(source, 0, round * 10 + i, 0), "PtlPut");
            CHECK_EQ(support_events(eq), i + 1, "one more event");
        }
        for (ptl_match_bits_t i = 0; i < 3; i++) {
            SUPPORT_IS(i % 2 ? PtlEQWait(eq, &event) : PtlEQGet(eq, &event), PTL_OK);
            CHECK_EQ(event.match_bits, round * 10 + i, "in the order of logging");
        }
        SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);
    }
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

/* A queue that is never empty does not begin anew: it goes round its ring. */
static void first_in_first_out_for_ever(void)
{
    ptl_handle_eq_t eq = support_eq(ni, 3);
    ptl_handle_me_t me = support_entry(ni, 0, 0);
    ptl_event_t event;

    support_must(PtlMEAttach(ni, 0, support_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &me), "PtlMEAttach");
    support_attach(me, support_md(NULL, 0, PTL_MD_OP_PUT, eq), PTL_RETAIN);
    for (ptl_match_bits_t i = 0; i < 12; i++) {
        support_must(support_put(source, 0, i, 0), "PtlPut");
        if (i >= 2) {
            CHECK_EQ(support_events(eq), 3, "full");
            SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
            CHECK_EQ(event.match_bits, i - 2, "the oldest");
        }
    }
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

static void full_queue_rejects(void)
{
    ptl_handle_eq_t eq = support_eq(ni, 1);
    ptl_handle_me_t me = support_entry(ni, 0, 0), next;
    ptl_md_t value = support_md(NULL, 0, PTL_MD_OP_PUT, eq), old;
    ptl_handle_md_t md;
    ptl_sr_value_t before = support_drops(ni);
    ptl_event_t event;

    value.threshold = 5;
    md = support_attach(me, value, PTL_RETAIN);
    SUPPORT_IS(support_put(source, 0, 0, 0), PTL_OK);
    SUPPORT_IS(support_put(source, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(ni), before + 1, "the second finds no room for its event");
    SUPPORT_IS(PtlMDUpdate(md, &old, NULL, PTL_EQ_NONE), PTL_OK);
    CHECK_EQ(old.threshold, 4, "a rejected request does not count on the threshold");
    support_must(PtlMEInsert(support_anybody(), 0, 0, PTL_RETAIN, PTL_INS_AFTER, me, &next), "PtlMEInsert");
    support_attach(next, support_md(NULL, 0, PTL_MD_OP_PUT, PTL_EQ_NONE), PTL_RETAIN);
    SUPPORT_IS(support_put(source, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(ni), before + 1, "the next entry takes it, without queue and without limit");
    SUPPORT_IS(PtlMEUnlink(next), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    SUPPORT_IS(support_put(source, 0, 0, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
    SUPPORT_IS(support_put(source, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(ni), before + 2, "a freed queue has no room either");
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
}

static void lost_events(void)
{
    ptl_handle_eq_t eq = support_eq(ni, 2);
    ptl_handle_md_t md = support_bind(ni, support_md(NULL, 0, 0, eq));
    ptl_event_t event;

    for (ptl_match_bits_t i = 1; i <= 4; i++) {
        SUPPORT_IS(support_put(md, 0, i, 0), PTL_OK);
    }
    CHECK_EQ(support_events(eq), 2, "the queue keeps what it has");
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.match_bits, 1, "the oldest");
    SUPPORT_IS(support_put(md, 0, 5, 0), PTL_OK);
    SUPPORT_IS(support_put(md, 0, 6, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.match_bits, 2, "before the gap");
    SUPPORT_IS(support_put(md, 0, 7, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_DROPPED);
    CHECK_EQ(event.match_bits, 5, "after the first gap");
    SUPPORT_IS(PtlEQWait(eq, &event), PTL_EQ_DROPPED);
    CHECK_EQ(event.match_bits, 7, "after the second");
    SUPPORT_IS(support_put(md, 0, 8, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.match_bits, 8, "no gap any more");
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

static void acknowledgement_without_room(void)
{
    ptl_handle_eq_t eq = support_eq(ni, 1);
    ptl_handle_me_t me = support_entry(ni, 0, 0);
    ptl_handle_md_t md = support_bind(ni, support_md(NULL, 0, 0, eq));
    ptl_sr_value_t before = support_drops(ni);
    ptl_event_t event;

    support_attach(me, support_md(NULL, 0, PTL_MD_OP_PUT, PTL_EQ_NONE), PTL_RETAIN);
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, support_self(), 0, 0, 0, 0), PTL_OK);
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, support_self(), 0, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_events(eq), 1, "room for one of four events");
    CHECK(support_drops(ni) > before, "acknowledgements without room are counted");
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

static void reply_without_room(void)
{
    char letters[] = "abc", got[] = "???";
    ptl_handle_eq_t eq = support_eq(ni, 1);
    ptl_handle_me_t me = support_entry(ni, 0, 0);
    ptl_handle_md_t md = support_bind(ni, support_md(got, 3, 0, eq));
    ptl_sr_value_t before = support_drops(ni);
    ptl_event_t event;

    support_attach(me, support_md(letters, 3, PTL_MD_OP_GET, PTL_EQ_NONE), PTL_RETAIN);
    SUPPORT_IS(support_put(md, 1, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(ni), before + 1, "nobody takes the put");
    SUPPORT_IS(support_get(md, 0, 0, 0), PTL_OK);
    CHECK_EQ(support_drops(ni), before + 2, "a reply without room for its event is counted");
    CHECK_MEM(got, "???", 3, "and its data is not stored");
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.type, PTL_EVENT_SENT, "what was in the queue stays");
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

struct sleeper {
    ptl_handle_eq_t eq;
    ptl_event_t event;
    int code;
};

static void *sleep_for_event(void *argument)
{
    struct sleeper *sleeper = argument;

    sleeper->code = PtlEQWait(sleeper->eq, &sleeper->event);
    return NULL;
}

static void waiting(void)
{
    struct sleeper sleepers[3];
    pthread_t threads[3];
    ptl_handle_eq_t eq = support_eq(ni, 8);
    ptl_handle_md_t md = support_bind(ni, support_md(NULL, 0, 0, eq));
    ptl_match_bits_t seen = 0;

    for (int i = 0; i < 3; i++) {
        sleepers[i] = (struct sleeper){.eq = eq, .code = -1};
        pthread_create(&threads[i], NULL, sleep_for_event, &sleepers[i]);
    }
    for (ptl_match_bits_t i = 0; i < 3; i++) {
        SUPPORT_IS(support_put(md, 0, (ptl_match_bits_t)1 << i, 0), PTL_OK);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ(sleepers[i].code, PTL_OK, "who waits gets an event");
        seen += sleepers[i].event.match_bits;
    }
    CHECK_EQ(seen, 7, "each another one");
    for (int i = 0; i < 3; i++) {
        sleepers[i].code = -1;
        pthread_create(&threads[i], NULL, sleep_for_event, &sleepers[i]);
    }
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ(sleepers[i].code, PTL_INV_EQ, "who waits for a queue that goes returns");
    }
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
}

int main(void)
{
    ni = support_open();
    source = support_bind(ni, support_md(NULL, 0, 0, PTL_EQ_NONE));
    TAP_RUN(codes);
    TAP_RUN(first_in_first_out);
    TAP_RUN(first_in_first_out_for_ever);
    TAP_RUN(full_queue_rejects);
    TAP_RUN(lost_events);
    TAP_RUN(acknowledgement_without_room);
    TAP_RUN(reply_without_room);
    TAP_RUN(waiting);
    PtlFini();
    return tap_done();
}
