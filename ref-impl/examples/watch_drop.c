/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The watcher of dropped requests: chapter 5.2 of the specification. A request that fits nothing is discarded, and all
 * that remains of it is one count of PTL_SR_DROP_COUNT. Whoever debugs a protocol wants to know more: who sent it,
 * where to, with which bits. So the last entry of the list takes whatever comes that far, keeps none of its octets
 * (length 0, PTL_MD_TRUNCATE), and logs it:
 *
 *      list of the portal:   [ what the program waits for ] --> [ anybody, any bits ] --> (end: discarded, counted)
 *                                                                        |
 *                                                           0 octets, truncates --> queue --> the watching thread
 *
 *      portalsrun -np 3 watch_drop [THRESHOLD]
 *
 * Every rank but 0 puts and gets with bits that rank 0 does not wait for, then says that it is done. With THRESHOLD
 * only so many requests are watched, as a thread would want that cannot keep up; the rest is discarded and counted.
 */
#include "ref-impl/examples/must.h"

#include <pthread.h>

enum {
    PORTAL = 3,
    PORTALS = 8,
    COOKIE = 0,
    DONE_BITS = 1,
    LAST_BITS = 2,
    STRAY_BITS = 0x5eed,
    STRAY_LENGTH = 40,
    QUEUE = 64
};

static ptl_process_id_t self;
static ptl_id_t size;
static ptl_handle_ni_t ni;

struct watch {
    ptl_handle_me_t entry; /* the last of the list: new entries go before it */
    ptl_handle_md_t descriptor;
    ptl_handle_eq_t dropped;
    unsigned seen;
};

/* Makes the list of portal `index`, which as yet holds nothing but the watcher. */
static void watch_open(struct watch *watch, ptl_pt_index_t index, int threshold)
{
    ptl_md_t md = {
        .start = NULL,
        .length = 0,
        .threshold = threshold,
        .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_TRUNCATE,
    };

    MUST(PtlEQAlloc(ni, QUEUE, &watch->dropped));
    md.eventq = watch->dropped;
    MUST(PtlMEAttach(ni, index, must_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &watch->entry));
    MUST(PtlMDAttach(watch->entry, md, PTL_RETAIN, &watch->descriptor));
}

/* The watching thread. It ends when its descriptor has done its share, or with a last request, which the process sends
 * to itself: requests are logged in order, so nothing is left then. */
static void *watch_run(void *argument)
{
    struct watch *watch = argument;
    ptl_event_t event;

    do {
        event = must_event(watch->dropped);
        if (event.match_bits == LAST_BITS && event.initiator.rid == self.rid) {
            break;
        }
        watch->seen++;
        printf("unexpected %s from rank %u: portal %u, bits 0x%llx, %llu octets, %llu taken\n",
               event.type == PTL_EVENT_PUT ? "put" : "get", (unsigned)event.initiator.rid, (unsigned)event.portal,
               (unsigned long long)event.match_bits, (unsigned long long)event.rlength,
               (unsigned long long)event.mlength);
    } while (event.mem_desc.threshold != 0);
    return NULL;
}

/* Puts nothing but the fact to rank 0. */
static void say(ptl_match_bits_t bits)
{
    ptl_process_id_t target = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 0};
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};
    ptl_handle_md_t word;

    MUST(PtlMDBind(ni, md, &word));
    MUST(PtlPut(word, PTL_NOACK_REQ, target, PORTAL, COOKIE, bits, 0));
}

/* Rank 0: is watched over while it waits for the word of all others. */
static void receiver(int threshold)
{
    ptl_handle_eq_t done;
    ptl_handle_me_t entry;
    ptl_sr_value_t counted;
    struct watch watch = {0};
    pthread_t thread;
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF, .options = PTL_MD_OP_PUT};

    MUST(PtlEQAlloc(ni, size, &done));
    md.eventq = done;
    watch_open(&watch, PORTAL, threshold);
    MUST(PtlMEInsert(must_anybody(), DONE_BITS, 0, PTL_RETAIN, PTL_INS_BEFORE, watch.entry, &entry));
    MUST(PtlMDAttach(entry, md, PTL_RETAIN, NULL));
    must_hold(pthread_create(&thread, NULL, watch_run, &watch) == 0, "watch_drop: no thread");
    MUST(PtlNIBarrier(ni)); /* now the others may send */
    for (ptl_id_t i = 1; i < size; i++) {
        (void)must_event(done);
    }
    MUST(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &counted));
    say(LAST_BITS);
    pthread_join(thread, NULL);
    printf("watched %u, discarded %lld\n", watch.seen, (long long)counted);
}

/* All others: one put and one get that nobody waits for, and the last word. */
static void sender(void)
{
    ptl_process_id_t target = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 0};
    char octets[STRAY_LENGTH] = "nobody waits for this";
    ptl_handle_md_t stray;
    ptl_handle_eq_t eq;
    ptl_event_t event;
    ptl_md_t md = {.start = octets, .length = sizeof(octets), .threshold = PTL_MD_THRESH_INF};

    MUST(PtlEQAlloc(ni, QUEUE, &eq));
    md.eventq = eq;
    MUST(PtlMDBind(ni, md, &stray));
    MUST(PtlNIBarrier(ni));
    MUST(PtlPut(stray, PTL_NOACK_REQ, target, PORTAL, COOKIE, STRAY_BITS, 0));
    do {
        event = must_event(eq); /* the octets may be overwritten when they have left */
    } while (event.type != PTL_EVENT_SENT);
    MUST(PtlGet(stray, target, PORTAL, COOKIE, STRAY_BITS + self.rid, 0));
    say(DONE_BITS);
}

int main(int argc, char **argv)
{
    int threshold = argc > 1 ? atoi(argv[1]) : PTL_MD_THRESH_INF;

    MUST(PtlInit());
    MUST(PtlGetId(&self, &size));
    if (argc > 2 || (argc == 2 && threshold <= 0) || size < 2) {
        fprintf(stderr, "watch_drop: call it as portalsrun -np N watch_drop [THRESHOLD], N at least 2\n");
        PtlFini();
        return 2;
    }
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, PORTALS, 2, &ni));
    if (self.rid == 0) {
        receiver(threshold);
    } else {
        sender();
    }
    MUST(PtlNIBarrier(ni)); /* nobody leaves while others still need it */
    MUST(PtlNIFini(ni));
    PtlFini();
    return 0;
}
