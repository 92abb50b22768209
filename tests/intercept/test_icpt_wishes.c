/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What chapter 7 of the thesis wishes for (specs/intercept-wire.md, 12): every message arrives with it as without it,
 * on bad cables too, and each wish saves what it is there to save.
 */
#include "ref-impl/intercept/node_state.h"
#include "tests/intercept/programs.h"
#include "tests/unit/tap.h"

#include <string.h>

enum { EACH = 20, SHORT = 64, PACKETS = 5000, LONG = 50000, ALL = 7 };

static struct programs_setup setup_of(bool gets, size_t length, unsigned wishes)
{
    return (struct programs_setup){.network = intercept_setup_default(2),
                                   .processes = 2,
                                   .on_node = 1,
                                   .distance = 1,
                                   .active = 1,
                                   .gets = gets,
                                   .each = EACH,
                                   .together = 1,
                                   .length = length,
                                   .wishes = wishes};
}

static uint64_t packets_of(bool gets, size_t length, unsigned wishes)
{
    struct programs_setup setup = setup_of(gets, length, wishes);
    struct programs_result result = programs_run(&setup);

    CHECK(result.is_good, "%s of %zu octets, wishes %u", gets ? "gets" : "puts", length, wishes);
    CHECK_EQ(result.joined > 0, (wishes & ICPT_WISH_JOINT) != 0, "packets that rode on another");
    return result.packets;
}

/* A put is an RTS and its MSGEND, its acknowledgement the same; the MSGEND of one goes with the RTS of the next. */
static void an_acknowledgement_rides(void)
{
    CHECK_EQ(packets_of(false, SHORT, 0), 4 * EACH, "packets, each by itself");
    CHECK_EQ(packets_of(false, SHORT, ICPT_WISH_JOINT), 2 * EACH + 1, "packets, joined");
}

/* The RTS of a get's reply goes with the MSGEND of its request, and that of the next request with the reply's. */
static void a_reply_rides(void)
{
    CHECK_EQ(packets_of(true, SHORT, 0), 4 * EACH, "packets, each by itself");
    CHECK_EQ(packets_of(true, SHORT, ICPT_WISH_JOINT), 2 * EACH + 1, "packets, joined");
}

/* A reply that its RTS cannot carry needs no CTS. */
static void a_get_is_the_cts_of_its_reply(void)
{
    CHECK_EQ(packets_of(true, PACKETS, 0) - packets_of(true, PACKETS, ICPT_WISH_GETS), EACH, "packets of replies");
    CHECK_EQ(packets_of(true, SHORT, ICPT_WISH_GETS), 4 * EACH, "packets of short ones");
    CHECK_EQ(packets_of(false, PACKETS, ICPT_WISH_GETS), packets_of(false, PACKETS, 0), "packets of puts");
    CHECK_EQ(packets_of(true, LONG, ICPT_WISH_GETS), packets_of(true, LONG, 0), "packets of long replies");
}

static void nothing_is_lost_on_bad_cables(void)
{
    static const size_t lengths[] = {0, 1, SHORT, 408, 409, PACKETS, LONG};

    for (unsigned wishes = 0; wishes <= ALL; wishes++) {
        for (size_t i = 0; i < 2 * sizeof lengths / sizeof lengths[0]; i++) {
            struct programs_setup setup = setup_of(i % 2, lengths[i / 2], wishes);

            setup.network.faults = (struct intercept_faults){.seed = i + 1, .lost = 0.02, .bit_errors = 1e-5};
            setup.network.faults.skew_ns = 700;
            setup.processes = 6;
            setup.active = 6;
            setup.on_node = wishes & ICPT_WISH_PROCESSES ? 3 : 1;
            setup.together = 5;
            CHECK(programs_run(&setup).is_good, "%s of %zu octets, wishes %u", i % 2 ? "gets" : "puts", lengths[i / 2],
                  wishes);
        }
    }
}

/* Eight processes in a circle; on two nodes, only one of four messages leaves its node. */
static void processes_share_a_card(void)
{
    struct programs_setup setup = setup_of(false, SHORT, ICPT_WISH_PROCESSES);

    setup.processes = setup.active = 8;
    struct programs_result apart = programs_run(&setup);
    setup.on_node = 4;
    struct programs_result together = programs_run(&setup);
    CHECK(apart.is_good && together.is_good, "all has arrived");
    CHECK_EQ(apart.packets, 8 * 4 * EACH, "packets of eight nodes");
    CHECK_EQ(together.packets, 2 * 4 * EACH, "packets of two nodes");
}

static void a_barrier_waits_for_all(void)
{
    static const uint32_t nodes[] = {1, 2, 5, 32, 100};

    for (unsigned i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        struct intercept_setup network = intercept_setup_default(nodes[i]);

        network.faults = (struct intercept_faults){.seed = i + 1, .lost = 0.02};
        network.faults.skew_ns = 900;
        struct programs_result down = barriers_run(&network, EACH, false);
        struct programs_result broadcast = barriers_run(&network, EACH, true);
        CHECK(down.is_good && broadcast.is_good, "%u nodes", (unsigned)nodes[i]);
        CHECK_EQ(down.packets, (uint64_t)EACH * 2 * (nodes[i] - 1), "packets of all barriers");
        CHECK_EQ(broadcast.packets, (uint64_t)EACH * (nodes[i] > 1 ? nodes[i] : 0), "with a broadcast");
    }
}

/* How many packets a joint payload is taken for. */
static unsigned packets_in(const unsigned char *payload, size_t len, size_t *at)
{
    struct wire_intercept_frame joint = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                         .kind = WIRE_INTERCEPT_SHORT,
                                         .planes = 1,
                                         .destination_vnic = 1,
                                         .source_vnic = 1,
                                         .data = payload,
                                         .data_len = len};
    struct wire_intercept_frame frame;
    unsigned char entry[ICPT_EARLY_OCTETS];
    unsigned count = 0;

    *at = 0;
    while (intercept_joint_next(&joint, at, entry, &frame)) {
        count += frame.content == WIRE_OK;
    }
    return count;
}

static void a_joint_packet_is_read_within_its_bounds(void)
{
    /* Two MSGENDs, of messages 1 and 2. */
    static const unsigned char good[32] = {0, 0, 0, 7, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 1,
                                           0, 0, 0, 7, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 2};
    unsigned char octets[32];
    unsigned beyond = 0;
    size_t at;

    CHECK_EQ(packets_in(good, sizeof good, &at), 2, "two packets");
    CHECK_EQ(at, sizeof good, "octets read");
    CHECK_EQ(packets_in(good, 24, &at), 1, "the second one is cut short");
    CHECK_EQ(at, 16, "octets read of it");
    for (unsigned length = 0; length < 256; length++) {
        memcpy(octets, good, sizeof octets);
        octets[23] = (unsigned char)length;
        (void)packets_in(octets, sizeof octets, &at);
        beyond += at > sizeof octets;
    }
    CHECK_EQ(beyond, 0, "lengths that lead beyond the packet");
    memcpy(octets, good, sizeof octets);
    memset(octets + 4, 0xff, 4);
    CHECK_EQ(packets_in(octets, sizeof octets, &at), 0, "a length beyond all");
}

int main(void)
{
    TAP_RUN(an_acknowledgement_rides);
    TAP_RUN(a_reply_rides);
    TAP_RUN(a_get_is_the_cts_of_its_reply);
    TAP_RUN(nothing_is_lost_on_bad_cables);
    TAP_RUN(processes_share_a_card);
    TAP_RUN(a_barrier_waits_for_all);
    TAP_RUN(a_joint_packet_is_read_within_its_bounds);
    return tap_done();
}
