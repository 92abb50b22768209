/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reference as a job of three processes over the tcp network: identity, barrier, puts and gets round the ring, and
 * memory that is unmapped right after it was unlinked while peers go on sending. The program starts itself with
 * portalsrun; rank 0 prints, the other ranks count through their exit status.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/refimpl/support.h"

enum {
    RANKS = 3,
    BARRIERS = 300,
    STORM_ROUNDS = 200,
    STORM_PATIENCE_MS = 60000,
    STORM_OCTETS = 100000,
    STORM_DEPTH = 16
};

static ptl_handle_ni_t ni;
static ptl_process_id_t self;
static ptl_id_t size;

static ptl_process_id_t neighbour(ptl_id_t distance)
{
    return (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = (self.rid + distance) % size};
}

static void meet(void)
{
    support_must(PtlNIBarrier(ni), "PtlNIBarrier");
}

static void identity(void)
{
    ptl_process_id_t seen[RANKS];
    bool distinct = true;

    CHECK_EQ(size, RANKS, "the size of the group");
    for (ptl_id_t i = 0; i < RANKS; i++) {
        double distance = -1;

        seen[i] = (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = i};
        SUPPORT_IS(PtlTransId(&seen[i]), PTL_OK);
        for (ptl_id_t j = 0; j < i; j++) {
            distinct = distinct && (seen[i].nid != seen[j].nid || seen[i].pid != seen[j].pid);
        }
        SUPPORT_IS(PtlNIDist(ni, seen[i], &distance), PTL_OK);
        CHECK(distance >= 0, "a distance");
    }
    CHECK(distinct, "all processes are at different addresses");
    CHECK_MEM(&seen[self.rid], &self, sizeof(self), "this one is among them");
}

/* Each rank says where it is in memory that all share, and nobody may leave a barrier before all have come. The file
 * that is shared is made by rank 0 of the name that the job's key gives; the first barrier says that it is there. */
static void barriers(void)
{
    char name[128];
    atomic_int *places;
    bool good = true;
    FILE *file;

    snprintf(name, sizeof(name), "/tmp/ref_job.%s", getenv("ASSAY_JOB_KEY"));
    if (self.rid == 0) {
        file = fopen(name, "w");
        support_must(file && ftruncate(fileno(file), 4096) == 0 ? PTL_OK : PTL_FAIL, "shared file");
        fclose(file);
    }
    meet();
    file = fopen(name, "r+");
    places = file ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0) : MAP_FAILED;
    support_must(places != MAP_FAILED ? PTL_OK : PTL_FAIL, "shared memory");
    for (int round = 1; round <= BARRIERS; round++) {
        atomic_store(&places[self.rid], round);
        meet();
        for (int i = 0; i < RANKS; i++) {
            int place = atomic_load(&places[i]);

            good = good && (place == round || place == round + 1);
        }
    }
    CHECK(good, "nobody leaves a barrier before all have come");
    meet();
    munmap(places, 4096);
    fclose(file);
    if (self.rid == 0) {
        unlink(name);
    }
}

static void ring(void)
{
    const size_t length = 1 << 20;
    char *sink = calloc(1, length), *data = malloc(length), got[8] = {0};
    ptl_handle_eq_t there = support_eq(ni, 8), here = support_eq(ni, 8);
    ptl_handle_me_t me;
    ptl_handle_md_t md, getter;
    unsigned sent = 0, acknowledged = 0;
    ptl_event_t event;

    support_must(sink && data ? PTL_OK : PTL_NOSPACE, "memory");
    memset(data, 'a' + (int)self.rid, length);
    me = support_entry(ni, 1, 5);
    support_attach(me, support_md(sink, length, PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE, there),
                   PTL_RETAIN);
    meet();
    md = support_bind(ni, support_md(data, length, 0, here));
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, neighbour(1), 1, 0, 5, 0), PTL_OK);
    while (sent + acknowledged < 2) {
        support_must(PtlEQWait(here, &event), "PtlEQWait");
        sent += event.type == PTL_EVENT_SENT;
        acknowledged += event.type == PTL_EVENT_ACK && event.mlength == length;
    }
    CHECK(sent == 1 && acknowledged == 1, "sent and acknowledged");
    support_must(PtlEQWait(there, &event), "PtlEQWait");
    CHECK(event.type == PTL_EVENT_PUT && event.initiator.rid == neighbour(RANKS - 1).rid, "put by the other neighbour");
    CHECK(sink[0] == (char)('a' + event.initiator.rid) && sink[length - 1] == sink[0], "all its data");
    meet();
    getter = support_bind(ni, support_md(got, sizeof(got), 0, here));
    SUPPORT_IS(PtlGet(getter, neighbour(1), 1, 0, 5, length - 8), PTL_OK);
    support_must(PtlEQWait(here, &event), "PtlEQWait");
    CHECK(event.type == PTL_EVENT_REPLY && memcmp(got, data, 8) == 0, "what was put there comes back");
    meet();
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(getter), PTL_OK);
    CHECK_EQ(support_drops(ni), 0, "nothing was dropped");
    free(sink);
    free(data);
}

static atomic_bool storm_over;

/* Keeps some large puts under way to the next process until the storm is over. */
static void *blow(void *data)
{
    ptl_handle_eq_t eq = support_eq(ni, 4 * STORM_DEPTH);
    ptl_handle_md_t md = support_bind(ni, support_md(data, STORM_OCTETS, 0, eq));
    unsigned under_way = 0;
    ptl_event_t event;
    int code;

    while (under_way > 0 || !atomic_load(&storm_over)) {
        while (under_way < STORM_DEPTH && !atomic_load(&storm_over)) {
            support_must(PtlPut(md, PTL_NOACK_REQ, neighbour(1), 2, 0, 0, 0), "PtlPut");
            under_way++;
        }
        code = PtlEQWait(eq, &event);
        under_way -= code == PTL_OK && event.type == PTL_EVENT_SENT;
    }
    support_must(PtlMDUnlink(md), "PtlMDUnlink");
    return NULL;
}

/* Takes memory away from the network in each of the ways there are, and unmaps it at once. */
static void take_away(int round)
{
    char *sink = mmap(NULL, STORM_OCTETS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ptl_handle_eq_t eq = support_eq(ni, 64);
    ptl_handle_me_t me = support_entry(ni, 2, 0);
    ptl_handle_md_t md;
    ptl_event_t event;

    support_must(sink != MAP_FAILED ? PTL_OK : PTL_NOSPACE, "mmap");
    md = support_attach(me, support_md(sink, STORM_OCTETS, PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE, eq), PTL_RETAIN);
    for (int i = 0; i < round % 5; i++) {
        support_must(PtlEQWait(eq, &event), "PtlEQWait");
    }
    switch (round % 3) {
    case 0:
        support_must(PtlMDUnlink(md), "PtlMDUnlink");
        break;
    case 1:
        support_must(PtlMEUnlink(me), "PtlMEUnlink");
        break;
    default:
        (void)support_entry(ni, 2, 0);
        break;
    }
    munmap(sink, STORM_OCTETS);
    support_must(PtlEQFree(eq), "PtlEQFree");
}

static void storm(void)
{
    char *data = malloc(STORM_OCTETS);
    pthread_t thread;

    support_must(data ? PTL_OK : PTL_NOSPACE, "memory");
    memset(data, 7, STORM_OCTETS);
    meet();
    pthread_create(&thread, NULL, blow, data);
    for (int round = 0; round < STORM_ROUNDS; round++) {
        take_away(round);
    }
    /* The others still send: while a thread waits for events it does what has come, so it may all have found memory. */
    for (int ms = 0; ms < STORM_PATIENCE_MS && support_drops(ni) == 0; ms++) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    meet();
    atomic_store(&storm_over, true);
    pthread_join(thread, NULL);
    meet();
    CHECK(support_drops(ni) > 0, "what found no memory any more was counted");
    free(data);
}

static void opening_again(void)
{
    for (int i = 0; i < 4; i++) {
        SUPPORT_IS(PtlNIFini(ni), PTL_OK);
        SUPPORT_IS(PtlNIInit(PTL_IFACE_DEFAULT, SUPPORT_PORTALS, SUPPORT_ACCESSES, &ni), PTL_OK);
        SUPPORT_IS(PtlNIBarrier(ni), PTL_OK);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!getenv("ASSAY_JOB")) {
        execl(PORTALSRUN, "portalsrun", "-np", "3", argv[0], (char *)NULL);
        printf("Bail out! cannot start " PORTALSRUN "\n");
        return 2;
    }
    support_must(PtlInit(), "PtlInit");
    support_must(PtlGetId(&self, &size), "PtlGetId");
    if (self.rid != 0 && !freopen("/dev/null", "w", stdout)) {
        return 2;
    }
    support_must(PtlNIInit(PTL_IFACE_DEFAULT, SUPPORT_PORTALS, SUPPORT_ACCESSES, &ni), "PtlNIInit");
    meet();
    TAP_RUN(identity);
    TAP_RUN(barriers);
    TAP_RUN(ring);
    TAP_RUN(storm);
    TAP_RUN(opening_again);
    PtlFini();
    return tap_done();
}
