/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several threads at once, and the race that PtlMDUpdate is made for (3.7.6, 5.3). Most useful under the thread
 * sanitizer.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/refimpl/support.h"

enum { SENDERS = 3, MESSAGES = 400 };

static ptl_handle_ni_t ni;
static atomic_int senders_left;

static void *send_puts(void *argument)
{
    uint64_t word = (uintptr_t)argument;
    ptl_handle_md_t md = support_bind(ni, support_md(&word, sizeof(word), 0, PTL_EQ_NONE));

    for (ptl_match_bits_t i = 0; i < MESSAGES; i++) {
        support_must(support_put(md, 0, i, 0), "PtlPut");
    }
    support_must(PtlMDUnlink(md), "PtlMDUnlink");
    atomic_fetch_sub(&senders_left, 1);
    return NULL;
}

/* Every message is either logged or counted, while entries come and go. */
static void lists_change_meanwhile(void)
{
    static uint64_t sink;
    ptl_handle_eq_t eq = support_eq(ni, SENDERS * MESSAGES);
    ptl_sr_value_t before = support_drops(ni);
    pthread_t threads[SENDERS];

    atomic_store(&senders_left, SENDERS);
    for (uintptr_t i = 0; i < SENDERS; i++) {
        pthread_create(&threads[i], NULL, send_puts, (void *)(i + 1));
    }
    while (atomic_load(&senders_left) > 0) {
        ptl_handle_me_t me;

        support_must(PtlMEAttach(ni, 0, support_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &me), "PtlMEAttach");
        support_attach(me, support_md(&sink, sizeof(sink), PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE, eq), PTL_RETAIN);
        support_must(PtlMEUnlink(me), "PtlMEUnlink");
    }
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK_EQ((ptl_sr_value_t)support_events(eq) + support_drops(ni) - before, SENDERS * MESSAGES,
             "every message is logged or counted");
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

/* Receives by the book: post a receive that is inactive, look through what came unexpectedly, and activate it only if
 * nothing more has come. Each message must be found exactly once. */
static void no_message_is_lost(void)
{
    static uint64_t sink;
    ptl_handle_eq_t unexpected = support_eq(ni, MESSAGES), received = support_eq(ni, 4);
    ptl_handle_me_t catch_all, me;
    unsigned found = 0, posted = 0;
    ptl_event_t event;
    pthread_t thread;

    support_must(PtlMEAttach(ni, 0, support_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &catch_all), "PtlMEAttach");
    support_attach(catch_all, support_md(NULL, 0, PTL_MD_OP_PUT | PTL_MD_TRUNCATE, unexpected), PTL_RETAIN);
    atomic_store(&senders_left, 1);
    pthread_create(&thread, NULL, send_puts, (void *)1);
    while (found + posted < MESSAGES) {
        ptl_md_t md = support_md(&sink, sizeof(sink), PTL_MD_OP_PUT, received);
        ptl_handle_md_t handle;
        int code = PTL_NOUPDATE;

        support_must(
            PtlMEInsert(support_anybody(), 0, ~(ptl_match_bits_t)0, PTL_UNLINK, PTL_INS_BEFORE, catch_all, &me),
            "PtlMEInsert");
        md.threshold = 0;
        handle = support_attach(me, md, PTL_UNLINK);
        md.threshold = 1;
        while (code == PTL_NOUPDATE) {
            if (PtlEQGet(unexpected, &event) == PTL_OK) {
                found++;
                support_must(PtlMDUnlink(handle), "PtlMDUnlink");
                break;
            }
            code = PtlMDUpdate(handle, NULL, &md, unexpected);
        }
        if (code == PTL_OK) {
            support_must(PtlEQWait(received, &event), "PtlEQWait");
            posted++;
        }
    }
    pthread_join(thread, NULL);
    CHECK_EQ(found + posted, MESSAGES, "each message is found once");
    CHECK_EQ(support_events(unexpected) + support_events(received), 0, "and none twice");
    SUPPORT_IS(PtlMEUnlink(catch_all), PTL_OK);
}

int main(void)
{
    ni = support_open();
    TAP_RUN(lists_change_meanwhile);
    TAP_RUN(no_message_is_lost);
    PtlFini();
    return tap_done();
}
