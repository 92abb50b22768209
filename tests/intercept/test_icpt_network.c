/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Networks of several nodes in virtual time: every packet arrives once, whatever the cables do to it.
 */
#include "tests/intercept/traffic.h"
#include "tests/unit/heap.h"
#include "tests/unit/tap.h"

static struct traffic traffic;

static struct intercept_link_counts links_sum(void)
{
    struct intercept_link_counts sum = {0};

    for (uint32_t node = 0; node < traffic.nodes; node++) {
        for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
            const struct intercept_link_counts *counts =
                &intercept_simulation_nic(traffic.simulation, node)->planes[plane].link.counts;

            sum.packets_again += counts->packets_again;
            sum.duplicates += counts->duplicates;
            sum.corrupt += counts->corrupt;
            sum.withdrawn += counts->withdrawn;
        }
    }
    return sum;
}

static void a_module_joins_its_nodes(void)
{
    struct intercept_setup setup = intercept_setup_default(8);
    uint64_t unknown = 0;

    CHECK(traffic_begin(&traffic, &setup, 50, 7), "eight nodes");
    CHECK(traffic_run(&traffic), "each reaches each, every packet once");
    CHECK_EQ(intercept_simulation_crossbars(traffic.simulation), 4, "one crossbar a plane");
    for (size_t i = 0; i < 4; i++) {
        unknown += intercept_simulation_crossbar(traffic.simulation, i)->counts.unknown;
        uint64_t forwarded = intercept_simulation_crossbar(traffic.simulation, i)->counts.forwarded;

        CHECK(forwarded > 650 && forwarded < 750, "about a quarter on each");
    }
    CHECK_EQ(unknown, 0, "no packet goes astray");
    traffic_end(&traffic);
}

static void several_modules_join_more(void)
{
    struct intercept_setup setup = intercept_setup_default(100);

    CHECK(traffic_begin(&traffic, &setup, 4, 99), "a hundred nodes, on five modules a plane");
    CHECK_EQ(intercept_simulation_crossbars(traffic.simulation), 20, "four below, one above, four times");
    CHECK(traffic_run(&traffic), "each reaches each");
    traffic_end(&traffic);
}

static void a_tree_of_three_levels(void)
{
    struct intercept_setup setup = intercept_setup_default(1100);

    CHECK(traffic_begin(&traffic, &setup, 2, 3), "1100 nodes");
    CHECK_EQ(intercept_simulation_crossbars(traffic.simulation), (36 + 2 + 1) * 4, "three levels");
    CHECK(traffic_run(&traffic), "every packet arrives once");
    traffic_end(&traffic);
}

static void faults_are_made_good(double lost, double bit_errors, bool store_and_forward)
{
    struct intercept_setup setup = intercept_setup_default(6);
    struct intercept_link_counts sum;

    setup.faults = (struct intercept_faults){.seed = 42, .lost = lost, .bit_errors = bit_errors};
    setup.is_store_and_forward = store_and_forward;
    CHECK(traffic_begin(&traffic, &setup, 2000, 5), "six nodes, 60000 packets");
    size_t taken = heap_taken();
    CHECK(traffic_run(&traffic), "with %g of the frames lost and bit errors of %g each arrives once", lost, bit_errors);
    sum = links_sum();
    CHECK(sum.packets_again > 100 && sum.duplicates > 10, "after having been sent again");
    CHECK_EQ(heap_taken(), taken, "none of which takes memory");
    CHECK(bit_errors == 0 || sum.corrupt > 50, "corrupt ones were noticed");
    CHECK(bit_errors == 0 || (sum.withdrawn > 0) == !store_and_forward, "and withdrawn by who had begun to forward");
    traffic_end(&traffic);
}

static void bit_errors(void)
{
    faults_are_made_good(0, 1e-5, false);
    faults_are_made_good(0, 1e-5, true);
}

static void lost_frames(void)
{
    faults_are_made_good(0.01, 0, false);
}

static void both(void)
{
    faults_are_made_good(0.05, 1e-4, false);
}

static void the_same_seed_makes_the_same_run(void)
{
    uint64_t ends[2], again[2];

    for (int i = 0; i < 2; i++) {
        struct intercept_setup setup = intercept_setup_default(5);

        setup.faults = (struct intercept_faults){.seed = 7, .lost = 0.02, .bit_errors = 1e-5};
        CHECK(traffic_begin(&traffic, &setup, 300, 4) && traffic_run(&traffic), "a run");
        ends[i] = intercept_simulation_now(traffic.simulation);
        again[i] = links_sum().packets_again;
        traffic_end(&traffic);
    }
    CHECK(ends[0] == ends[1] && again[0] == again[1], "to the nanosecond");
}

static void order_is_lost_between_planes_only(void)
{
    struct intercept_setup setup = intercept_setup_default(4);

    setup.faults.skew_ns = 3000;
    CHECK(traffic_begin(&traffic, &setup, 500, 3) && traffic_run(&traffic), "planes of different length");
    CHECK(traffic.inversions > 100, "change the order of packets");
    traffic_end(&traffic);
    setup.faults = (struct intercept_faults){.seed = 3, .lost = 0.02, .bit_errors = 1e-5};
    CHECK(traffic_begin(&traffic, &setup, 500, 3), "the same,");
    traffic.mask = 4;
    CHECK(traffic_run(&traffic), "over one plane,");
    CHECK_EQ(traffic.inversions, 0, "keeps it, also with faults");
    traffic_end(&traffic);
}

static void a_plane_that_is_cut_is_left(void)
{
    struct intercept_setup setup = intercept_setup_default(4);

    setup.planes = 1 | 2 | 8;
    CHECK(traffic_begin(&traffic, &setup, 300, 3) && traffic_run(&traffic), "three planes, as in the thesis");
    CHECK_EQ(intercept_simulation_nic(traffic.simulation, 0)->planes[2].packets, 0, "nothing over the fourth");
    traffic_end(&traffic);
    setup.planes = 15;
    setup.faults.cut = 4;
    CHECK(traffic_begin(&traffic, &setup, 300, 3), "a dead plane that nobody knows of");
    intercept_simulation_patience(traffic.simulation, 10);
    CHECK(traffic_run(&traffic), "what was sent over it arrives over the others");
    CHECK_EQ(intercept_simulation_nic(traffic.simulation, 1)->mask, 11, "which are the ones that stay");
    traffic_end(&traffic);
}

/* When the last packet came, of four nodes; the first of them is slow by so much. */
static uint64_t end_with(uint64_t slow_ns)
{
    struct intercept_setup setup = intercept_setup_default(4);
    uint64_t end_ns;

    CHECK(traffic_begin(&traffic, &setup, 4000, 3), "four nodes");
    intercept_simulation_slow(traffic.simulation, 0, slow_ns);
    CHECK(traffic_run(&traffic), "with one slow by %u ns each packet arrives once", (unsigned)slow_ns);
    end_ns = traffic.last_ns;
    traffic_end(&traffic);
    return end_ns;
}

static void a_slow_receiver_loses_nothing(void)
{
    uint64_t usual_ns = end_with(0), slow_ns = end_with(400000), slower_ns = end_with(8000000);

    CHECK(usual_ns < slow_ns && slow_ns < slower_ns, "and later");
    CHECK(slower_ns >= 8000000, "than its first turn");
}

/* How many packets have come from one node to the peer of that place. */
static unsigned came_from(const struct traffic *of, uint32_t node, unsigned peer)
{
    unsigned came = 0;

    for (unsigned number = 0; number < of->each; number++) {
        came += of->seen[((size_t)node * of->peers + peer) * of->each + number];
    }
    return came;
}

static void a_dead_node_takes_nobody_along(void)
{
    struct intercept_setup setup = intercept_setup_default(6);
    const uint32_t dead = 2;
    unsigned to_dead = 0;

    CHECK(traffic_begin(&traffic, &setup, 400, 5), "six nodes");
    intercept_simulation_patience(traffic.simulation, 10);
    for (uint32_t node = 0; node < setup.nodes; node++) {
        traffic_post(&traffic, node);
        intercept_simulation_pump(traffic.simulation, node);
    }
    (void)intercept_simulation_run(traffic.simulation, 20000);
    intercept_simulation_kill(traffic.simulation, dead);
    uint64_t before = traffic.received;
    (void)traffic_run(&traffic);
    CHECK(before > 0 && traffic.received > before, "one dies while all send");
    for (uint32_t node = 0; node < setup.nodes; node++) {
        for (unsigned peer = 0; peer < traffic.peers; peer++) {
            unsigned came = came_from(&traffic, node, peer);
            uint32_t target = (node + 1 + peer) % setup.nodes;

            CHECK(node == dead || target == dead || came == traffic.each, "%u of node %u came to node %u", came,
                  (unsigned)node, (unsigned)target);
            to_dead += target == dead ? came : 0;
        }
    }
    CHECK(to_dead > 0 && to_dead < 5 * traffic.each, "it has read what came before");
    CHECK(intercept_simulation_run(traffic.simulation, UINT64_MAX), "and nobody waits for it for ever");
    traffic_end(&traffic);
}

static void planes_add_up(void)
{
    uint64_t ends[3];
    static const unsigned masks[] = {1, 3, 15};

    for (int i = 0; i < 3; i++) {
        struct intercept_setup setup = intercept_setup_default(2);

        setup.planes = masks[i];
        CHECK(traffic_begin(&traffic, &setup, 100, 1), "two nodes");
        traffic.payload = WIRE_INTERCEPT_SHORT_MAX;
        CHECK(traffic_run(&traffic), "on %u of the planes", 1U << i);
        ends[i] = traffic.last_ns;
        traffic_end(&traffic);
    }
    CHECK(ends[0] * 10 > ends[1] * 18 && ends[0] * 10 > ends[2] * 35, "two take half the time, four a quarter");
    CHECK(ends[0] > 100 * 524 * 4 && ends[0] < 100 * 560 * 4, "and one the time of its octets at 2.5 Gbit/s");
}

static void everybody_in_a_group_gets_a_copy(void)
{
    struct intercept_setup setup = intercept_setup_default(70);
    struct intercept_simulation *network = intercept_simulation_new(&setup);
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                         .planes = 2,
                                         .flags = WIRE_INTERCEPT_FLAG_MULTICAST,
                                         .destination = ICPT_GROUP_ALL,
                                         .destination_vnic = 1,
                                         .source_vnic = 1};
    unsigned got = 0;

    for (uint32_t node = 0; node < 70; node++) {
        (void)intercept_nic_open(intercept_simulation_nic(network, node), 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    }
    CHECK(intercept_nic_post(intercept_simulation_nic(network, 40), 1, 0, &frame), "one packet");
    intercept_simulation_pump(network, 40);
    (void)intercept_simulation_run(network, UINT64_MAX);
    for (uint32_t node = 0; node < 70; node++) {
        got += intercept_simulation_nic(network, node)->counts.received == (node != 40);
    }
    CHECK_EQ(got, 70, "comes once to every other node, and not to its sender");
    intercept_simulation_free(network);
}

static void cut_through_costs_a_header_a_hop(void)
{
    uint64_t ends[2];

    for (int i = 0; i < 2; i++) {
        struct intercept_setup setup = intercept_setup_default(2);
        struct intercept_simulation *network;
        struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                             .planes = 1,
                                             .destination = 1,
                                             .destination_vnic = 1,
                                             .data = (const unsigned char[504]){0},
                                             .data_len = 504};

        setup.is_store_and_forward = i == 1;
        network = intercept_simulation_new(&setup);
        (void)intercept_nic_open(intercept_simulation_nic(network, 0), 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
        (void)intercept_nic_open(intercept_simulation_nic(network, 1), 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
        (void)intercept_nic_post(intercept_simulation_nic(network, 0), 1, 0, &frame);
        intercept_simulation_pump(network, 0);
        while (intercept_simulation_nic(network, 1)->counts.received == 0) {
            (void)intercept_simulation_run(network, intercept_simulation_now(network) + 1);
        }
        ends[i] = intercept_simulation_now(network);
        intercept_simulation_free(network);
    }
    CHECK_EQ(ends[0], 50 + 16 * 4 + 50 + 524 * 4, "cable, header, cable, packet");
    CHECK_EQ(ends[1], 50 + 524 * 4 + 50 + 524 * 4, "a module that stores takes the packet's time twice");
}

int main(void)
{
    TAP_RUN(a_module_joins_its_nodes);
    TAP_RUN(several_modules_join_more);
    TAP_RUN(a_tree_of_three_levels);
    TAP_RUN(bit_errors);
    TAP_RUN(lost_frames);
    TAP_RUN(both);
    TAP_RUN(the_same_seed_makes_the_same_run);
    TAP_RUN(order_is_lost_between_planes_only);
    TAP_RUN(a_plane_that_is_cut_is_left);
    TAP_RUN(a_slow_receiver_loses_nothing);
    TAP_RUN(a_dead_node_takes_nobody_along);
    TAP_RUN(planes_add_up);
    TAP_RUN(everybody_in_a_group_gets_a_copy);
    TAP_RUN(cut_through_costs_a_header_a_hop);
    return tap_done();
}
