/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A Portals program for the scenarios of jobs (tests/scenario/test_job_*.py). It uses the public interface only.
 *
 *   job-probe ring        every rank puts a line to the next one, waits for its own and for the acknowledgement
 *   job-probe killed      rank 1 kills itself when all have joined; the others wait for ever
 *   job-probe delivered   rank 1 puts 1 MiB to rank 0 and kills itself when it is acknowledged; rank 0 shows that it
 *                         has the data, and that putting to the dead rank still ends
 *   job-probe noleave     all exit with 0 without PtlFini
 *   job-probe flood N     rank 0 puts N lines to rank 1 without waiting; rank 1 tells how many came
 *   job-probe storm N     every rank puts N lines to the next one at once
 *   job-probe mesh        every rank puts a line to every rank, and counts the TCP connections of the job at its node
 *   job-probe status N    rank 1 exits with status N in order, the others wait for ever
 */
#include "ref-impl/include/portals.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORTAL = 4, LINE = 32, BLOCK = 1 << 20, MESH_MAX = 64 };

static ptl_process_id_t self;
static ptl_id_t size;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;

/* Ends the program with a line that says which call failed. */
static void demand(int code, int wanted, const char *call)
{
    if (code != wanted) {
        fprintf(stderr, "job-probe: rank %u: %s returned %d, not %d\n", (unsigned)self.rid, call, code, wanted);
        _exit(99);
    }
}

static ptl_process_id_t rank_of(ptl_id_t rid)
{
    ptl_process_id_t id = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = rid};

    return id;
}

/* With offsets that the initiator chooses (always 0 here): so a region serves any number of puts. */
static ptl_md_t region(void *start, ptl_size_t length)
{
    ptl_md_t md = {.start = start,
                   .length = length,
                   .threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE,
                   .eventq = eq};

    return md;
}

static void attach(void *start, ptl_size_t length)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_handle_me_t me;
    ptl_handle_md_t md;

    demand(PtlMEAttach(ni, PORTAL, anybody, 0, 0, PTL_RETAIN, &me), PTL_OK, "PtlMEAttach");
    demand(PtlMDAttach(me, region(start, length), PTL_RETAIN, &md), PTL_OK, "PtlMDAttach");
}

static void put(void *start, ptl_size_t length, ptl_id_t to)
{
    ptl_handle_md_t md;

    demand(PtlMDBind(ni, region(start, length), &md), PTL_OK, "PtlMDBind");
    demand(PtlPut(md, PTL_ACK_REQ, rank_of(to), PORTAL, 0, 0, 0), PTL_OK, "PtlPut");
}

/* Waits until every kind of event in `wanted` (bit 1 << kind) has come. */
static void await(unsigned wanted)
{
    ptl_event_t event;

    while (wanted) {
        demand(PtlEQWait(eq, &event), PTL_OK, "PtlEQWait");
        wanted &= ~(1U << event.type);
    }
}

static void ring(void)
{
    static char in[LINE];
    static char out[LINE];
    char want[LINE];

    attach(in, sizeof in);
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    snprintf(out, sizeof out, "greetings from rank %u", (unsigned)self.rid);
    put(out, sizeof out, (self.rid + 1) % size);
    await(1U << PTL_EVENT_PUT | 1U << PTL_EVENT_SENT | 1U << PTL_EVENT_ACK);
    snprintf(want, sizeof want, "greetings from rank %u", (unsigned)((self.rid + size - 1) % size));
    demand(strcmp(in, want), 0, "comparing what came");
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    printf("rank %u of %u: %s\n", (unsigned)self.rid, (unsigned)size, in);
}

static void flood(int count)
{
    static char block[LINE];
    ptl_handle_md_t md;
    ptl_size_t events = 0;

    attach(block, sizeof block);
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    if (self.rid == 0) {
        demand(PtlMDBind(ni, region(block, sizeof block), &md), PTL_OK, "PtlMDBind");
        for (int i = 0; i < count; i++) {
            demand(PtlPut(md, PTL_NOACK_REQ, rank_of(1), PORTAL, 0, 0, 0), PTL_OK, "PtlPut");
        }
    }
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    if (self.rid == 1) {
        demand(PtlEQCount(eq, &events), PTL_OK, "PtlEQCount");
        printf("rank 1: %llu came\n", (unsigned long long)events);
    }
}

/* All at once, everybody to the next one: requests, acknowledgements and more requests must not lock each other out. */
static void storm(int count)
{
    static char in[LINE], out[LINE];
    ptl_event_t event;
    ptl_handle_eq_t all;
    ptl_handle_md_t md;
    int left = 3 * count; /* SENT and ACK of ours, PUT of the other one's */

    demand(PtlEQAlloc(ni, 3 * (ptl_size_t)count, &all), PTL_OK, "PtlEQAlloc");
    eq = all;
    attach(in, sizeof in);
    demand(PtlMDBind(ni, region(out, sizeof out), &md), PTL_OK, "PtlMDBind");
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    for (int i = 0; i < count; i++) {
        demand(PtlPut(md, PTL_ACK_REQ, rank_of((self.rid + 1) % size), PORTAL, 0, 0, 0), PTL_OK, "PtlPut");
    }
    for (; left > 0; left--) {
        demand(PtlEQWait(all, &event), PTL_OK, "PtlEQWait");
    }
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    printf("rank %u: all came\n", (unsigned)self.rid);
}

/* Whether an address and a port are where a process of the job listens. */
static int listens(unsigned address, unsigned port)
{
    for (ptl_id_t rank = 0; rank < size; rank++) {
        ptl_process_id_t id = rank_of(rank);

        demand(PtlTransId(&id), PTL_OK, "PtlTransId");
        if (id.nid == ntohl(address) && id.pid == port) {
            return 1;
        }
    }
    return 0;
}

/* Counts, by the kernel's own list, the established connections of the job that have an end in this network namespace:
 * those between processes of one node, and the others. */
static void connections_count(unsigned *within, unsigned *beyond)
{
    char line[256];
    FILE *list = fopen("/proc/self/net/tcp", "r");

    demand(list != NULL, 1, "opening /proc/self/net/tcp");
    while (fgets(line, sizeof line, list)) {
        unsigned here, here_port, there, there_port, state;

        if (sscanf(line, " %*u: %x:%x %x:%x %x", &here, &here_port, &there, &there_port, &state) == 5 && state == 1 &&
            (listens(here, here_port) || listens(there, there_port))) {
            *within += here == there;
            *beyond += here != there;
        }
    }
    fclose(list);
}

static void mesh(void)
{
    static char in[MESH_MAX][LINE], out[LINE];
    unsigned within = 0, beyond = 0;
    ptl_event_t event;
    ptl_handle_md_t md;

    demand(size <= MESH_MAX, 1, "counting the ranks");
    attach(in, sizeof in);
    snprintf(out, sizeof out, "greetings from rank %u", (unsigned)self.rid);
    demand(PtlMDBind(ni, region(out, sizeof out), &md), PTL_OK, "PtlMDBind");
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    for (ptl_id_t to = 0; to < size; to++) {
        demand(PtlPut(md, PTL_ACK_REQ, rank_of(to), PORTAL, 0, 0, self.rid * LINE), PTL_OK, "PtlPut");
    }
    for (ptl_id_t left = 3 * size; left > 0; left--) {
        demand(PtlEQWait(eq, &event), PTL_OK, "PtlEQWait");
    }
    for (ptl_id_t from = 0; from < size; from++) {
        char want[LINE];

        snprintf(want, sizeof want, "greetings from rank %u", (unsigned)from);
        demand(strcmp(in[from], want), 0, "comparing what came");
    }
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    connections_count(&within, &beyond);
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    printf("rank %u: %u connections within the node, %u beyond it\n", (unsigned)self.rid, within, beyond);
}

static void killed(void)
{
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    if (self.rid == 1) {
        raise(SIGKILL);
    }
    for (;;) {
        await(1U << PTL_EVENT_PUT);
    }
}

static void delivered(void)
{
    static unsigned char block[BLOCK];

    signal(SIGTERM, SIG_IGN); /* the launcher ends the others when one dies: first say what is to be said */
    memset(block, self.rid == 1 ? 0x5a : 0, BLOCK);
    attach(block, BLOCK);
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    if (self.rid == 1) {
        put(block, BLOCK, 0);
        await(1U << PTL_EVENT_ACK);
        raise(SIGKILL);
    }
    await(1U << PTL_EVENT_PUT);
    for (int i = 0; i < 200; i++) {
        put(block, BLOCK, 1);
        await(1U << PTL_EVENT_SENT);
    }
    demand(block[0] == 0x5a && block[BLOCK - 1] == 0x5a, 1, "comparing what came");
    printf("rank 0: delivered stays delivered\n");
}

static void status(int number)
{
    demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
    if (self.rid == 1) {
        PtlFini();
        exit(number);
    }
    for (;;) {
        await(1U << PTL_EVENT_PUT);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "ring";

    demand(PtlInit(), PTL_OK, "PtlInit");
    demand(PtlGetId(&self, &size), PTL_OK, "PtlGetId");
    demand(PtlNIInit(PTL_IFACE_DEFAULT, 8, 8, &ni), PTL_OK, "PtlNIInit");
    demand(PtlEQAlloc(ni, 1024, &eq), PTL_OK, "PtlEQAlloc");
    if (strcmp(what, "ring") == 0) {
        ring();
    } else if (strcmp(what, "killed") == 0) {
        killed();
    } else if (strcmp(what, "delivered") == 0) {
        delivered();
    } else if (strcmp(what, "noleave") == 0) {
        demand(PtlNIBarrier(ni), PTL_OK, "PtlNIBarrier");
        return 0;
    } else if (strcmp(what, "flood") == 0) {
        flood(argc > 2 ? atoi(argv[2]) : 100);
    } else if (strcmp(what, "storm") == 0) {
        storm(argc > 2 ? atoi(argv[2]) : 1000);
    } else if (strcmp(what, "mesh") == 0) {
        mesh();
    } else if (strcmp(what, "status") == 0) {
        status(argc > 2 ? atoi(argv[2]) : 1);
    } else {
        fprintf(stderr, "job-probe: what is %s?\n", what);
        return 2;
    }
    demand(PtlNIFini(ni), PTL_OK, "PtlNIFini");
    PtlFini();
    return 0;
}
