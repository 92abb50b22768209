/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How programs for Portals 3.2 measured bandwidth: sender and receiver have a descriptor for one message and wait until
 * it is gone; then the receiver gives its entry, which stays, another one. Here one process is both.
 */
#include <portals/p30.h>
#include <string.h>

#include "tests/later/programs/must.h"

enum { PORTAL = 5, ROUNDS = 3, LENGTH = 100000, MISALIGNED = 3, EVENTS = 16 };

static unsigned char out[LENGTH + MISALIGNED], in[LENGTH + MISALIGNED];

/* Waits until the library says that a descriptor has gone; how many events of one kind came before. */
static int until_gone(ptl_handle_eq_t eq, ptl_event_kind_t kind)
{
    ptl_event_t event;
    int count = 0;

    do {
        OK(PtlEQWait(eq, &event));
        count += event.type == kind;
    } while (event.type != PTL_EVENT_UNLINK);
    return count;
}

static ptl_md_t once(unsigned char *start, unsigned options, ptl_handle_eq_t eq)
{
    ptl_md_t md;

    memset(&md, 0, sizeof md);
    md.start = start;
    md.length = LENGTH;
    md.max_offset = LENGTH;
    md.threshold = 1;
    md.options = options;
    md.eventq = eq;
    return md;
}

int main(void)
{
    ptl_process_id_t any = {PTL_NID_ANY, PTL_PID_ANY}, self;
    ptl_handle_eq_t sent, received;
    ptl_ni_limits_t desired, actual;
    ptl_handle_ni_t ni;
    ptl_handle_me_t me;

    memset(&desired, 0, sizeof desired);
    desired.max_match_entries = 8;
    desired.max_mem_descriptors = 8;
    desired.max_event_queues = 2;
    desired.max_ptable_index = PORTAL;
    desired.max_atable_index = 1;
    OK(PtlInit(NULL));
    OK(PtlNIInit(PTL_IFACE_INAL, PTL_PID_ANY, &desired, &actual, &ni));
    OK(PtlGetId(ni, &self));
    OK(PtlEQAlloc(ni, EVENTS, NULL, &sent));
    OK(PtlEQAlloc(ni, EVENTS, NULL, &received));
    OK(PtlMEAttach(ni, PORTAL, any, 0, ~(ptl_match_bits_t)0, 0, PTL_INS_AFTER, &me));
    for (int round = 1; round <= ROUNDS; round++) {
        ptl_handle_md_t from, to;

        memset(out, round, sizeof out);
        OK(PtlMDAttach(me, once(in + MISALIGNED, PTL_MD_OP_PUT | PTL_MD_TRUNCATE, received), PTL_UNLINK, PTL_UNLINK,
                       &to));
        OK(PtlMDBind(ni, once(out + MISALIGNED, 0, sent), &from));
        OK(PtlPut(from, PTL_NOACK_REQ, self, PORTAL, 0, 0, 0, 0));
        MUST(until_gone(sent, PTL_EVENT_SEND_END) == 1);
        MUST(until_gone(received, PTL_EVENT_PUT_END) == 1);
        MUST(PtlMDUnlink(from) == PTL_INV_MD && PtlMDUnlink(to) == PTL_INV_MD);
        MUST(memcmp(in + MISALIGNED, out + MISALIGNED, LENGTH) == 0 && in[0] == 0);
    }
    PtlFini();
    puts("right");
    return 0;
}
