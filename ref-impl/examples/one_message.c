/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One message, to be watched: rank 1 puts so many octets to rank 0, or gets them from it.
 *
 *      portalsrun -np 2 --nal intercept --trace put.pcapng one_message put 40
 */
#include "ref-impl/examples/must.h"

#include <string.h>

enum { OCTETS_MOST = 1 << 20, SERVER = 0, CLIENT = 1, PORTAL = 3, PORTALS = 8, QUEUE = 8, COOKIE = 0 };

static unsigned char buffer[OCTETS_MOST] __attribute__((aligned(4096)));

/* Waits for an event of that kind; others may come before it. */
static void wait_for(ptl_handle_eq_t queue, ptl_event_kind_t kind)
{
    while (must_event(queue).type != kind) {
    }
}

static void serve(ptl_handle_ni_t ni, ptl_md_t md, bool is_put)
{
    ptl_handle_me_t entry;

    md.options = is_put ? PTL_MD_OP_PUT : PTL_MD_OP_GET;
    MUST(PtlMEAttach(ni, PORTAL, must_anybody(), 0, 0, PTL_RETAIN, &entry));
    MUST(PtlMDAttach(entry, md, PTL_RETAIN, NULL));
    MUST(PtlNIBarrier(ni));
    wait_for(md.eventq, is_put ? PTL_EVENT_PUT : PTL_EVENT_GET);
}

static void ask(ptl_handle_ni_t ni, ptl_md_t md, bool is_put, ptl_id_t gid)
{
    ptl_process_id_t target = {.addr_kind = PTL_ADDR_GID, .gid = gid, .rid = SERVER};
    ptl_handle_md_t bound;

    MUST(PtlMDBind(ni, md, &bound));
    MUST(PtlNIBarrier(ni));
    if (is_put) {
        MUST(PtlPut(bound, PTL_NOACK_REQ, target, PORTAL, COOKIE, 0, 0));
    } else {
        MUST(PtlGet(bound, target, PORTAL, COOKIE, 0, 0));
    }
    wait_for(md.eventq, is_put ? PTL_EVENT_SENT : PTL_EVENT_REPLY);
}

int main(int argc, char **argv)
{
    ptl_process_id_t self;
    ptl_id_t size;
    ptl_handle_ni_t ni;
    ptl_md_t md = {.start = buffer, .threshold = PTL_MD_THRESH_INF};
    bool is_put = argc == 3 && strcmp(argv[1], "put") == 0;
    char *end = NULL;
    unsigned long octets = argc == 3 ? strtoul(argv[2], &end, 10) : 0;

    MUST(PtlInit());
    MUST(PtlGetId(&self, &size));
    if (argc != 3 || (!is_put && strcmp(argv[1], "get") != 0) || !*argv[2] || *end || octets > OCTETS_MOST ||
        size != 2) {
        fprintf(stderr, "one_message: call it as portalsrun -np 2 one_message put|get OCTETS, at most %d\n",
                (int)OCTETS_MOST);
        PtlFini();
        return 2;
    }
    memset(buffer, self.rid == SERVER ? 's' : 'c', sizeof buffer);
    md.length = octets;
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, PORTALS, 2, &ni));
    MUST(PtlEQAlloc(ni, QUEUE, &md.eventq));
    if (self.rid == SERVER) {
        serve(ni, md, is_put);
    } else {
        ask(ni, md, is_put, self.gid);
    }
    MUST(PtlNIBarrier(ni)); /* nobody leaves while the other still needs it */
    MUST(PtlNIFini(ni));
    PtlFini();
    return 0;
}
