/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The match lists of the local device, as local/state.h draws them: an entry of the test's own stands at each place in
 * turn, and takes what passes there. Over the loop, in a world of one, so that what was sent has arrived.
 */
#include <mpi.h>
#include <stdlib.h>

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "tests/unit/tap.h"

enum { ROOM = 4096, MANY = 160000, TAG = 3 };

/* An entry that takes all that passes, and the messages that it has taken. */
struct probe {
    ptl_handle_me_t entry;
    ptl_handle_eq_t taken;
};

static char octets[ROOM];

static struct probe probe_at(ptl_handle_me_t place, ptl_ins_pos_t position)
{
    struct probe probe;
    ptl_md_t md = {
        .start = octets,
        .length = ROOM,
        .threshold = PTL_MD_THRESH_INF,
        .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_TRUNCATE | PTL_MD_MANAGE_REMOTE,
    };

    local_must(PtlEQAlloc(local_device.interface, 64, &probe.taken));
    md.eventq = probe.taken;
    local_must(
        PtlMEInsert(local_process(LOCAL_EACH), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, position, place, &probe.entry));
    local_must(PtlMDAttach(probe.entry, md, PTL_RETAIN, NULL));
    return probe;
}

/* Takes the entry away; how many messages it has taken. */
static int probe_end(const struct probe *probe)
{
    ptl_event_t event;
    int taken = 0;

    while (PtlEQGet(probe->taken, &event) == PTL_OK) {
        taken++;
    }
    local_must(PtlMEUnlink(probe->entry));
    local_must(PtlEQFree(probe->taken));
    return taken;
}

static void put(ptl_match_bits_t bits)
{
    local_must(PtlPut(local_device.nothing, PTL_NOACK_REQ, local_process(0), LOCAL_ARRIVE, LOCAL_COOKIE, bits, 0));
}

static ptl_sr_value_t drops(void)
{
    ptl_sr_value_t count;

    local_must(PtlNIStatus(local_device.interface, PTL_SR_DROP_COUNT, &count));
    return count;
}

/* A short message and a long one come, of which nobody has asked for either; then they are received. */
static void two_messages(void)
{
    MPI_Request request;

    MPI_Send(octets, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    MPI_Isend(octets, ROOM, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &request);
    MPI_Recv(octets, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(octets, ROOM, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

//= PUMA-133
static void arrivals(void)
{
    ptl_match_bits_t is_long = local_bits_offer(0, 0);
    struct probe probe = probe_at(local_device.mark, PTL_INS_AFTER);
    MPI_Request request;

    put(0);
    put(is_long);
    CHECK_EQ(probe_end(&probe), 2, "the mark takes neither short nor long messages");

    probe = probe_at(local_device.short_entry, PTL_INS_AFTER);
    put(is_long);
    CHECK_EQ(probe_end(&probe), 1, "the entry for short messages takes no long one");
    probe = probe_at(local_device.short_entry, PTL_INS_AFTER);
    MPI_Send(octets, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    CHECK_EQ(probe_end(&probe), 0, "but a short one");
    MPI_Recv(octets, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    probe = probe_at(local_device.long_entry, PTL_INS_AFTER);
    two_messages();
    CHECK_EQ(probe_end(&probe), 0, "nothing passes the entry for long messages");

    MPI_Irecv(octets, ROOM, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &request);
    probe = probe_at(local_device.mark, PTL_INS_BEFORE);
    MPI_Send(octets, ROOM, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    CHECK_EQ(probe_end(&probe), 0, "a posted receive stands before the mark");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

//= PUMA-132
static void offers(void)
{
    ptl_md_t md = {.start = octets, .length = 1, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};
    struct probe probe = probe_at(local_device.end, PTL_INS_AFTER);
    ptl_sr_value_t before = drops();
    ptl_handle_md_t room;

    local_must(PtlMDBind(local_device.interface, md, &room));
    local_must(PtlGet(room, local_process(0), LOCAL_FETCH, LOCAL_COOKIE, 77, 0));
    CHECK_EQ(probe_end(&probe), 1, "the end takes nothing");
    CHECK_EQ(drops(), before, "nothing is dropped");
    local_must(PtlGet(room, local_process(0), LOCAL_FETCH, LOCAL_COOKIE, 77, 0));
    CHECK_EQ(drops(), before + 1, "and is the last: what is not on offer is dropped");
    local_must(PtlMDUnlink(room));
}

/* More receives than there can be entries, of which the one half is taken back and the other gets its message. */
//= PUMA-173
static void entries_go(void)
{
    int wrong = 0;

    for (int i = 0; i < MANY && wrong == 0; i++) {
        MPI_Request request;

        wrong += MPI_Irecv(octets, ROOM, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
        if (i % 2) {
            MPI_Cancel(&request);
        } else {
            MPI_Send(octets, ROOM / 4, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK_EQ(wrong, 0, "receives that are over leave no entries");
    CHECK_EQ(local_device.posted, 0, "nor are they counted");
}

/* Counts octets as copied for somebody else, and returns how many there are then: the helper's thread may count too. */
static size_t count_elsewhere(size_t length)
{
    size_t copied;

    engine_lock();
    copied = local_device.copied_octets += length;
    engine_unlock();
    return copied;
}

/* A short message for which there are no credits is copied, and its send done, while all copies together have room. */
static void copies(void)
{
    int credits = local_device.peer[0].credits, done[2];
    size_t copied = count_elsewhere(0);
    MPI_Request request[2];

    local_device.peer[0].credits = 0;
    for (int i = 0; i < 2; i++) {
        count_elsewhere(LOCAL_COPIED_OCTETS_ALL - 100);
        MPI_Isend(octets, i ? 101 : 100, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &request[i]);
        count_elsewhere(0 - (size_t)(LOCAL_COPIED_OCTETS_ALL - 100));
        MPI_Test(&request[i], &done[i], MPI_STATUS_IGNORE);
    }
    CHECK(done[0], "it is copied");
    CHECK(!done[1], "all copies together are bounded");
    for (int i = 0; i < 2; i++) {
        MPI_Recv(octets, ROOM, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    while (count_elsewhere(0) != copied) { /* what was received may be told to its sender a little later */
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &done[0], MPI_STATUS_IGNORE);
    }
    CHECK_EQ(count_elsewhere(0), copied, "nothing is counted any more");
    local_device.peer[0].credits = credits;
}

int main(void)
{
    setenv("ASSAY_NAL", "loop", 1);
    MPI_Init(NULL, NULL);
    TAP_RUN(arrivals);
    TAP_RUN(offers);
    TAP_RUN(entries_go);
    TAP_RUN(copies);
    MPI_Finalize();
    return tap_done();
}
