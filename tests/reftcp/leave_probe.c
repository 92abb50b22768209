/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A Portals program for tests/scenario/test_job_driving.py: rank 0 puts some messages to rank 1 and then calls nothing
 * of the library until rank 1, which has waited for all of them, has put the round's number into its memory. So what
 * was sent must leave, however many it was, though nobody looks. It uses the public interface only.
 *
 *   leave-probe ROUNDS
 */
#include "ref-impl/include/portals.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE = 256, DEADLINE_S = 100, PAUSE_NS = 100000, MOST = 100, STEP = 7, ROUNDS_MOST = 4096 };

static ptl_process_id_t self, other;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t came;
static ptl_handle_md_t source;
static volatile uint64_t told;        /* by the peer */
static uint64_t numbers[ROUNDS_MOST]; /* what is sent in each round: nobody says when it has left */

static void demand(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "leave-probe: rank %u: %s failed\n", (unsigned)self.rid, what);
        _exit(99);
    }
}

static void prepare(void)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_md_t room = {.start = (void *)&told,
                     .length = sizeof told,
                     .threshold = PTL_MD_THRESH_INF,
                     .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE,
                     .eventq = PTL_EQ_NONE};
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_id_t size = 0;

    demand(PtlInit() == PTL_OK && PtlGetId(&self, &size) == PTL_OK && size == 2, "PtlInit as one of two ranks");
    other = (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 1 - self.rid};
    demand(PtlNIInit(PTL_IFACE_DEFAULT, 2, 2, &ni) == PTL_OK, "PtlNIInit");
    demand(PtlEQAlloc(ni, QUEUE, &came) == PTL_OK, "PtlEQAlloc");
    room.eventq = self.rid == 1 ? came : PTL_EQ_NONE;
    demand(PtlMEAttach(ni, 0, anybody, 0, 0, PTL_RETAIN, &me) == PTL_OK, "PtlMEAttach");
    demand(PtlMDAttach(me, room, PTL_RETAIN, &md) == PTL_OK, "PtlMDAttach");
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
}

static void round_begin(unsigned round)
{
    ptl_md_t from = {
        .start = &numbers[round], .length = sizeof *numbers, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};

    numbers[round] = round + 1;
    demand(PtlMDBind(ni, from, &source) == PTL_OK, "PtlMDBind");
}

static void put(void)
{
    demand(PtlPut(source, PTL_NOACK_REQ, other, 0, 0, 0, 0) == PTL_OK, "PtlPut");
}

/* Computing sees what arrives by looking at memory. */
__attribute__((no_sanitize("thread"))) static bool is_told(unsigned round)
{
    return told == round + 1;
}

static void send_and_compute(unsigned round, unsigned count)
{
    struct timespec pause = {0, PAUSE_NS};

    for (unsigned i = 0; i < count; i++) {
        put();
    }
    while (!is_told(round)) {
        (void)nanosleep(&pause, NULL);
    }
}

static void hear_and_answer(unsigned count)
{
    ptl_event_t event;

    for (unsigned i = 0; i < count; i++) {
        demand(PtlEQWait(came, &event) == PTL_OK, "PtlEQWait");
    }
    put();
}

int main(int argc, char **argv)
{
    unsigned rounds = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;

    demand(rounds > 0 && rounds <= ROUNDS_MOST, "a number of rounds");
    (void)alarm(DEADLINE_S);
    prepare();
    for (unsigned round = 0; round < rounds; round++) {
        unsigned count = 1 + round * STEP % MOST;

        round_begin(round);
        if (self.rid == 0) {
            send_and_compute(round, count);
        } else {
            hear_and_answer(count);
        }
    }
    demand(PtlNIBarrier(ni) == PTL_OK && PtlNIFini(ni) == PTL_OK, "PtlNIFini");
    PtlFini();
    printf("rank %u: all came\n", (unsigned)self.rid);
    return 0;
}
