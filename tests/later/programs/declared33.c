/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A token goes round in a group that no launcher has started, as programs for the reference library of Portals 3.3 do
 * it: with the headers that they include, ranks from the environment (`declared33`) or from the program's own word
 * (`declared33 RANK NID:.. PID:..`). Rank 0 sends first; whoever can be reached says "ready" before. Each of them forks
 * in between.
 */
#include <portals3.h>
#include P3_NAL
#include <p3api/debug.h>
#include <p3rt/p3rt.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/later/programs/must.h"

enum { PORTAL = 4, ROUNDS = 3, EVENTS = 16, MOST = 8 };

struct group {
    unsigned rank, size;
    ptl_nid_t nids[MOST];
    ptl_pid_t pids[MOST];
};

static void opened(ptl_handle_ni_t *ni)
{
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, NULL, ni));
    PtlNIDebug(*ni, PTL_DBG_ALL | PTL_DBG_NI_ALL);
    MUST(PtlNIDebug(PTL_INVALID_HANDLE, PTL_DBG_NONE) == (PTL_DBG_ALL | PTL_DBG_NI_ALL));
}

/* The group that is declared is the one that the library tells, and this process is who it is by that. */
static void told_so(ptl_handle_ni_t ni, const struct group *group)
{
    ptl_process_id_t self, id;
    unsigned rank, size;
    ptl_nid_t nids[MOST];
    ptl_pid_t pids[MOST];

    OK(PtlGetRank(ni, &rank, &size));
    MUST(rank == group->rank && size == group->size);
    OK(PtlGetNIDMap(ni, nids, size));
    OK(PtlGetPIDMap(ni, pids, size));
    for (unsigned i = 0; i < size; i++) {
        OK(PtlGetRankId(ni, i, &id));
        MUST(id.nid == group->nids[i] && id.pid == group->pids[i] && id.nid == nids[i] && id.pid == pids[i]);
    }
    MUST(PtlGetRankId(ni, size, &id) == PTL_FAIL && PtlGetNIDMap(ni, nids, size + 1) == PTL_FAIL);
    OK(PtlGetId(ni, &self));
    MUST(self.nid == nids[rank] && self.pid == pids[rank]);
    MUST(PtlRTBarrier(ni) == PTL_FAIL);
}

static void next(ptl_handle_eq_t eq, ptl_event_kind_t kind)
{
    ptl_event_t event;
    int code = PtlEQWait(eq, &event);

    if (code != PTL_OK || event.ni_fail_type != PTL_NI_OK || event.type != kind) {
        fprintf(stderr, "%s, %s instead of %s\n", ptl_err_str[code], ptl_event_str[event.type], PtlEventKindStr(kind));
        exit(1);
    }
}

static void ring(ptl_handle_ni_t ni, unsigned rank, unsigned size)
{
    ptl_process_id_t before, behind;
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_handle_eq_t eq;
    int token = 0;

    OK(PtlGetRankId(ni, (rank + size - 1) % size, &before));
    OK(PtlGetRankId(ni, (rank + 1) % size, &behind));
    OK(PtlACEntry(ni, 0, (ptl_process_id_t){PTL_NID_ANY, PTL_PID_ANY}, PTL_UID_ANY, PTL_JID_ANY, PTL_PT_INDEX_ANY));
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &eq));
    OK(PtlMEAttach(ni, PORTAL, before, (rank + size - 1) % size, 0, PTL_UNLINK, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me,
                   (ptl_md_t){.start = &token,
                              .length = sizeof token,
                              .threshold = PTL_MD_THRESH_INF,
                              .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE | PTL_MD_EVENT_START_DISABLE,
                              .eq_handle = eq},
                   PTL_UNLINK, &md));
    printf("ready\n");
    fflush(stdout);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank > 0) {
            next(eq, PTL_EVENT_PUT_END);
        }
        token++;
        OK(PtlPut(md, PTL_NO_ACK_REQ, behind, PORTAL, 0, rank, 0, 0));
        next(eq, PTL_EVENT_SEND_END);
        if (rank == 0) {
            next(eq, PTL_EVENT_PUT_END);
            MUST(token == (int)size * (round + 1));
        }
    }
}

static unsigned numbers(const char *text, uint32_t *values)
{
    unsigned count = 0;

    for (char *end = NULL; *text && count < MOST; text = *end ? end + 1 : end) {
        values[count++] = (uint32_t)strtoul(text, &end, 10);
    }
    return count;
}

static void declare(struct group *group)
{
    OK(PtlSetRank(PTL_INVALID_HANDLE, group->rank, group->size));
    MUST(PtlSetNIDMap(PTL_INVALID_HANDLE, group->nids, group->size - 1) == PTL_FAIL);
    OK(PtlSetNIDMap(PTL_INVALID_HANDLE, group->nids, group->size));
    OK(PtlSetPIDMap(PTL_INVALID_HANDLE, group->pids, group->size));
}

/* A child has no library: its calls say so, and whatever it does leaves its parent alone. */
static void fork_once(ptl_handle_ni_t ni)
{
    ptl_process_id_t id;
    int status = 1;
    pid_t child = fork();

    if (child == 0) {
        MUST(PtlGetId(ni, &id) == PTL_NO_INIT);
        PtlFini();
        MUST(PtlInit(NULL) == PTL_FAIL);
        exit(0);
    }
    MUST(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv)
{
    const bool words = argc > 1;
    struct group group = {.rank = (unsigned)atoi(words ? argv[1] : getenv("PTL_MY_RID"))};
    ptl_handle_ni_t ni;
    int interfaces;

    group.size = numbers(words ? argv[2] : getenv("PTL_NIDMAP"), group.nids);
    (void)numbers(words ? argv[3] : getenv("PTL_PIDMAP"), group.pids);
    OK(PtlInit(&interfaces));
    if (words) {
        declare(&group);
    } else {
        OK(PtlSetRank(PTL_INVALID_HANDLE, -1, -1));
    }
    opened(&ni);
    told_so(ni, &group);
    fork_once(ni);
    ring(ni, group.rank, group.size);
    OK(PtlNIFini(ni));
    PtlFini();
    return 0;
}
