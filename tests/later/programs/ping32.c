/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ping-pong of two processes that are started by hand and find each other by constants, as programs for Portals 3.2 had
 * them: `ping32 server PID`, `ping32 client PID`. The server says "ready" when it can be reached, the client "sent"
 * when it has called for the first time.
 */
#include <portals/p30.h>
#include <string.h>

#include "tests/later/programs/must.h"

enum { SERVER_PORTAL = 4, CLIENT_PORTAL = 5, ROUNDS = 20, ROOM = 64, EVENTS = 16 };

struct side {
    ptl_handle_ni_t ni;
    ptl_handle_eq_t eq;
    ptl_handle_me_t me;
    ptl_handle_md_t in, out;
    char received[ROOM], text[ROOM];
};

static void open_side(struct side *side, ptl_pid_t pid, ptl_pt_index_t portal, const char *text)
{
    ptl_process_id_t any;
    ptl_ni_limits_t desired, actual;
    ptl_md_t md;

    OK(PtlInit(NULL));
    memset(&desired, 0, sizeof desired);
    desired.max_match_entries = 64;
    desired.max_mem_descriptors = 64;
    desired.max_event_queues = 8;
    desired.max_ptable_index = 7;
    desired.max_atable_index = 3;
    OK(PtlNIInit(PTL_IFACE_DEFAULT, pid, &desired, &actual, &side->ni));
    MUST(actual.max_ptable_index >= 7);
    any.nid = PTL_NID_ANY;
    any.pid = PTL_PID_ANY;
    OK(PtlMEAttach(side->ni, portal, any, 0, ~0, PTL_UNLINK, PTL_INS_AFTER, &side->me));
    OK(PtlEQAlloc(side->ni, EVENTS, NULL, &side->eq));
    strcpy(side->text, text);
    md.start = side->text;
    md.length = strlen(text) + 1;
    md.threshold = PTL_MD_THRESH_INF;
    md.max_offset = 0;
    md.options = PTL_MD_OP_PUT;
    md.user_ptr = NULL;
    md.eventq = side->eq;
    OK(PtlMDBind(side->ni, md, &side->out));
    md.start = side->received;
    md.length = sizeof side->received;
    md.max_offset = sizeof side->received;
    md.options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE;
    OK(PtlMDAttach(side->me, md, PTL_UNLINK, PTL_UNLINK, &side->in));
}

static ptl_event_t next(struct side *side, ptl_event_kind_t kind)
{
    ptl_event_t event;

    do {
        OK(PtlEQWait(side->eq, &event));
        MUST(event.ni_fail_type == PTL_NI_OK);
    } while (event.type != kind);
    return event;
}

static void close_side(struct side *side)
{
    while (PtlMDUnlink(side->out) == PTL_MD_INUSE) {
    }
    OK(PtlMDUnlink(side->in)); /* and with it its entry */
    MUST(PtlMEUnlink(side->me) == PTL_INV_ME);
    OK(PtlEQFree(side->eq));
    OK(PtlNIFini(side->ni));
    PtlFini();
}

static void serve(ptl_pid_t pid)
{
    static struct side side;
    ptl_process_id_t self;

    open_side(&side, pid, SERVER_PORTAL, "hello from the server");
    OK(PtlGetId(side.ni, &self));
    MUST(self.pid == pid);
    puts("ready");
    fflush(stdout);
    for (int round = 0; round < ROUNDS; round++) {
        ptl_event_t event = next(&side, PTL_EVENT_PUT_END);

        MUST(strcmp(side.received, "hello from the client") == 0);
        OK(PtlPut(side.out, PTL_NOACK_REQ, event.initiator, CLIENT_PORTAL, 0, 0, 0, (ptl_hdr_data_t)round));
    }
    close_side(&side);
}

static void call(ptl_pid_t pid)
{
    static struct side side;
    ptl_process_id_t server = {0x7f000001, pid};

    open_side(&side, PTL_PID_ANY, CLIENT_PORTAL, "hello from the client");
    for (int round = 0; round < ROUNDS; round++) {
        OK(PtlPut(side.out, PTL_NOACK_REQ, server, SERVER_PORTAL, 0, 0, 0, 0));
        if (round == 0) {
            puts("sent");
            fflush(stdout);
        }
        ptl_event_t event = next(&side, PTL_EVENT_PUT_END);

        MUST(event.initiator.pid == pid && event.hdr_data == (ptl_hdr_data_t)round);
        MUST(strcmp(side.received, "hello from the server") == 0);
    }
    puts("right");
    close_side(&side);
}

int main(int argc, char **argv)
{
    MUST(argc == 3);
    (strcmp(argv[1], "server") == 0 ? serve : call)((ptl_pid_t)strtoul(argv[2], NULL, 10));
    return 0;
}
