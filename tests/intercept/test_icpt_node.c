/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * RMPP and VDMA between drivers: every length and alignment, order, grants, credits, with and without faults, and
 * packets that break the rules.
 */
#include "tests/intercept/player.h"
#include "tests/unit/heap.h"
#include "tests/unit/tap.h"

static struct player player;

static void network_of(uint32_t nodes, double lost, double bit_errors, uint32_t skew_ns)
{
    struct intercept_setup setup = intercept_setup_default(nodes);

    setup.faults = (struct intercept_faults){.seed = 11, .lost = lost, .bit_errors = bit_errors};
    setup.faults.skew_ns = skew_ns;
    CHECK(player_begin(&player, &setup), "%u nodes", (unsigned)nodes);
}

static void received_is(uint32_t node, uint64_t packets, const char *what)
{
    CHECK_EQ(intercept_simulation_nic(player.simulation, node)->counts.received, packets, what);
}

//= IW-31
//= IW-34
static void short_messages_take_few_packets(void)
{
    network_of(2, 0, 0, 0);
    (void)player_send(&player, 0, 1, 8, 8);
    CHECK(player_run(&player), "eight octets arrive");
    received_is(1, 1, "in an RTS");
    received_is(0, 1, "which is answered with MSGEND");
    (void)player_send(&player, 0, 1, 408, 408);
    CHECK(player_run(&player), "408 too");
    received_is(1, 2, "in one RTS");
    (void)player_send(&player, 0, 1, 409, 409);
    CHECK(player_run(&player), "409");
    received_is(1, 4, "in an RTS and a data packet");
    received_is(0, 4, "for CTS and MSGEND");
    (void)player_send(&player, 0, 1, 8088, 8088);
    CHECK(player_run(&player), "8088");
    received_is(1, 21, "in an RTS and sixteen data packets");
    CHECK_EQ(player.node[0].counts.long_messages, 0, "all of them short");
    (void)player_send(&player, 0, 1, 8089, 8089);
    CHECK(player_run(&player), "8089 octets arrive");
    CHECK_EQ(player.node[0].counts.long_messages, 1, "by VDMA");
    player_end(&player);
}

static void what_is_not_wanted_does_not_travel(void)
{
    network_of(2, 0, 0, 0);
    (void)player_send(&player, 0, 1, 8000, 0);
    CHECK(player_run(&player), "nothing is wanted of a short message");
    received_is(1, 1, "nothing is sent but the RTS");
    (void)player_send(&player, 0, 1, 8000, 500);
    CHECK(player_run(&player), "some of it");
    received_is(1, 3, "one data packet");
    (void)player_send(&player, 0, 1, 1000000, 0);
    CHECK(player_run(&player), "nothing of a long one");
    CHECK_EQ(intercept_simulation_nic(player.simulation, 0)->counts.slices_sent, 0, "no slice");
    (void)player_send(&player, 0, 1, 1000000, 40);
    (void)player_send(&player, 0, 1, 1000000, 5);
    (void)player_send(&player, 0, 1, 1000000, 999999);
    CHECK(player_run(&player), "some of it");
    player_end(&player);
}

static void every_length_and_alignment_arrives(void)
{
    static const uint64_t edges[] = {407,  408,  409,  887,   888,     889,     8087,
                                     8088, 8089, 8200, 65536, 1048575, 1048576, 1048577};
    uint64_t seed = 5;

    network_of(2, 0, 0, 300);
    for (uint64_t length = 0; length <= 100; length++) {
        (void)player_send(&player, 0, 1, length, length);
    }
    for (unsigned i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        (void)player_send(&player, 1, 0, edges[i], edges[i]);
    }
    CHECK(player_run(&player), "all lengths up to 100, and around every edge");
    for (unsigned i = 0; i < 300; i++) {
        uint64_t random = intercept_faults_random(&seed);
        uint64_t length = 8089 + random % 30000;
        unsigned offsets[2] = {(unsigned)(random >> 20) % 5000, (unsigned)(random >> 40) % 5000};

        (void)player_send_at(&player, (uint16_t[]){i % 2, 1 - i % 2}, 1,
                             (uint64_t[]){length, i % 5 ? length : length / 2}, offsets);
    }
    CHECK(player_run(&player), "long ones from anywhere to anywhere");
    player_end(&player);
}

//= IW-45
/* How often memory is taken while one message of that length travels over bad cables. */
static size_t taken_for(uint64_t length)
{
    size_t before;

    network_of(2, 0.01, 1e-5, 300);
    (void)player_send(&player, 0, 1, length, length);
    before = heap_taken();
    CHECK(player_run(&player), "%u octets arrive", (unsigned)length);
    before = heap_taken() - before;
    player_end(&player);
    return before;
}

static void packets_take_no_memory(void)
{
    CHECK_EQ(taken_for(8000), taken_for(500), "seventeen packets of a message take no more than two");
    CHECK_EQ(taken_for(64 << 20), taken_for(64 << 10), "131072 of a slice no more than 128");
}

static void big_messages_go_in_slices(void)
{
    uint64_t lengths[2] = {(5 << 20) + 1234, (5 << 20) + 1234};

    network_of(2, 0, 0, 0);
    (void)player_send_at(&player, (uint16_t[]){0, 1}, 1, lengths, (unsigned[]){64, 64});
    CHECK(player_run(&player), "five megabytes, both ends aligned alike");
    CHECK_EQ(player.node[0].counts.copied, 0, "nothing is copied");
    CHECK(intercept_simulation_nic(player.simulation, 0)->counts.slices_sent == 6, "six slices");
    CHECK(intercept_simulation_nic(player.simulation, 1)->counts.interrupts < 30, "few interrupts");
    (void)player_send_at(&player, (uint16_t[]){0, 1}, 1, lengths, (unsigned[]){17, 4001});
    CHECK(player_run(&player), "aligned differently");
    CHECK(player.node[0].counts.copied > (5 << 20), "the sender copies");
    player_end(&player);
}

static void order_holds_between_short_and_long(double lost, double bit_errors)
{
    uint64_t seed = 9;

    network_of(4, lost, bit_errors, 2500);
    for (unsigned i = 0; i < 1200; i++) {
        uint64_t random = intercept_faults_random(&seed);
        uint32_t from = i % 4, to = (from + 1 + (uint32_t)(random % 3)) % 4;
        uint64_t length = random % 11 == 0 ? random >> 40 & 0x7fff : random >> 40 & 0x3ff;

        (void)player_send(&player, from, to, length, length);
    }
    CHECK(player_run(&player), "1200 messages among four nodes begin in order, with %g lost, bit errors %g", lost,
          bit_errors);
    CHECK(player.node[0].counts.reordered > 0, "though they come in another one");
    CHECK_EQ(player.node[0].counts.unknown, 0, "no packet is unknown");
    player_end(&player);
}

static void order_without_faults(void)
{
    order_holds_between_short_and_long(0, 0);
}

static void order_with_faults(void)
{
    order_holds_between_short_and_long(0.01, 1e-5);
}

static void long_messages_can_go_by_rmpp(void)
{
    network_of(2, 0.01, 0, 5000);
    player.node[0].short_max = UINT64_MAX;
    (void)player_send(&player, 0, 1, 500000, 500000);
    (void)player_send(&player, 0, 1, 100, 100);
    CHECK(player_run(&player), "half a megabyte in more than a thousand data packets");
    CHECK_EQ(player.node[0].counts.long_messages, 0, "none of it by VDMA");
    player_end(&player);
}

static void nothing_is_sent_behind_a_boot_message(void)
{
    network_of(2, 0, 0, 0);
    for (unsigned i = 0; i < 200; i++) {
        (void)player_send(&player, 0, 1, 8, 8);
    }
    (void)intercept_simulation_run(player.simulation, 1);
    CHECK_EQ(intercept_simulation_nic(player.simulation, 0)->counts.sent, 1, "until it has been answered");
    CHECK(player_run(&player), "then all follow");
    player_end(&player);
}

//= IW-46
static void a_put_is_pulled(void)
{
    struct player_message *message;

    network_of(2, 0.01, 1e-5, 0);
    (void)player_send_at(&player, (uint16_t[]){0, 1}, 0, (uint64_t[]){3000000, 3000000}, (unsigned[]){8, 1000});
    (void)player_send(&player, 0, 1, 8, 8);
    CHECK(player_run(&player), "a VDMA_PUT is answered with GETs and DONE");
    player.refuses_puts = true;
    message = player_send_at(&player, (uint16_t[]){0, 1}, 0, (uint64_t[]){30000, 30000}, (unsigned[]){0, 0});
    (void)intercept_simulation_run(player.simulation, UINT64_MAX);
    CHECK(message->sent == 1 && !message->sent_well && message->begun == 0,
          "where nobody takes it, the sender hears so");
    player_end(&player);
}

static void a_dead_plane_is_made_good(void)
{
    uint64_t seed = 3;

    network_of(3, 0, 0, 0);
    intercept_simulation_cut(player.simulation, 2);
    intercept_simulation_patience(player.simulation, 20);
    for (unsigned i = 0; i < 300; i++) {
        uint64_t length = intercept_faults_random(&seed) % 20000;

        (void)player_send(&player, i % 3, (i + 1) % 3, length, length);
    }
    CHECK(player_run(&player), "what went over it arrives over the others");
    player_end(&player);
}

static void abandoned_messages_leave_no_hole(void)
{
    struct player_message *taken;

    network_of(2, 0, 0, 0);
    (void)player_send(&player, 0, 1, 8, 8);
    taken = player_send(&player, 0, 1, 8, 8);
    (void)player_send(&player, 0, 1, 20000, 20000);
    intercept_node_abandon(&player.node[0], &taken->send);
    CHECK(intercept_simulation_run(player.simulation, UINT64_MAX) && taken->begun == 0, "one is taken back");
    CHECK(player_is_good(&player.messages[0]) && player_is_good(&player.messages[2]), "those around it arrive");
    player_end(&player);
}

/* A frame of a hostile node: any message, with fields that are partly those of real traffic. */
static void hostile_post(struct intercept_nic *nic, uint64_t *seed)
{
    unsigned char data[WIRE_INTERCEPT_SHORT_MAX];
    uint64_t random = intercept_faults_random(seed);
    struct wire_intercept_frame frame = {.planes = 1, .destination = 1};
    unsigned message = (unsigned)(random % WIRE_INTERCEPT_COUNT);

    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (unsigned char)(intercept_faults_random(seed) >> 5);
    }
    frame.message = (enum wire_intercept_message)message;
    if (message == WIRE_INTERCEPT_LINK_ACKNOWLEDGE || message == WIRE_INTERCEPT_LINK_RETRANSMIT) {
        return;
    }
    frame.destination_vnic = message >= WIRE_INTERCEPT_RTS && message <= WIRE_INTERCEPT_MSGERROR;
    frame.message_number = random >> 8 & 7;
    frame.key = random >> 12 & 15;
    frame.n = random >> 16 & 1 ? 16 : (uint32_t)intercept_faults_random(seed);
    frame.mlength = random >> 17 & 1 ? 5000 : intercept_faults_random(seed);
    frame.packet_number = random >> 18 & 1 ? (uint32_t)(random >> 20 & 31) : (uint32_t)intercept_faults_random(seed);
    frame.channel_granted = random >> 26 & 3;
    frame.channel = (uint16_t)frame.channel_granted;
    frame.window_address = (uint32_t)(random >> 28 & 0x3ff) * 512;
    frame.slices = 1 + (random >> 38 & 3);
    frame.address = intercept_faults_random(seed);
    frame.slice_length = (random >> 40 & 0xff) * 32;
    frame.key_remaining = random >> 48 & 7;
    frame.match_length = random >> 51 & 1 ? 20000 : intercept_faults_random(seed);
    frame.put_length = random >> 52 & 0xfff;
    frame.command = 1;
    frame.amount = (uint16_t)(random >> 48);
    frame.data = data;
    frame.data_len = message == WIRE_INTERCEPT_TRY_MATCH ? 80 : (random >> 55) % 400 / 8 * 8;
    if (message == WIRE_INTERCEPT_UPD_CONN) {
        frame.data_len = 2;
        frame.nic_count = 1;
    }
    (void)intercept_nic_post(nic, 0, 0, &frame);
}

static void hostile_packets_harm_nobody_else(void)
{
    uint64_t seed = 1;

    network_of(3, 0, 0, 0);
    for (unsigned round = 0; round < 400; round++) {
        for (unsigned i = 0; i < 20; i++) {
            hostile_post(intercept_simulation_nic(player.simulation, 2), &seed);
        }
        intercept_simulation_pump(player.simulation, 2);
        (void)player_send(&player, 0, 1, round * 50, round * 50);
        (void)player_send(&player, 1, 0, round * 60, round * 60);
        (void)intercept_simulation_run(player.simulation, intercept_simulation_now(player.simulation) + 50000);
    }
    (void)intercept_simulation_run(player.simulation, UINT64_MAX);
    unsigned good = 0;
    for (unsigned i = 0; i < player.count; i++) {
        good += player_is_good(&player.messages[i]);
    }
    CHECK_EQ(good, player.count, "all messages between the others arrive");
    CHECK(player.node[1].counts.unknown > 1000, "while thousands of packets are refused");
    player_end(&player);
}

int main(void)
{
    TAP_RUN(short_messages_take_few_packets);
    TAP_RUN(what_is_not_wanted_does_not_travel);
    TAP_RUN(every_length_and_alignment_arrives);
    TAP_RUN(packets_take_no_memory);
    TAP_RUN(big_messages_go_in_slices);
    TAP_RUN(order_without_faults);
    TAP_RUN(order_with_faults);
    TAP_RUN(long_messages_can_go_by_rmpp);
    TAP_RUN(nothing_is_sent_behind_a_boot_message);
    TAP_RUN(a_put_is_pulled);
    TAP_RUN(a_dead_plane_is_made_good);
    TAP_RUN(abandoned_messages_leave_no_hole);
    TAP_RUN(hostile_packets_harm_nobody_else);
    return tap_done();
}
