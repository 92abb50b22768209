/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Circular buffers, VDMA channels and the card, two of them joined without a switch.
 */
#include "ref-impl/intercept/simulation.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

static struct intercept_simulation *pair_new(unsigned planes)
{
    struct intercept_setup setup = intercept_setup_default(2);

    setup.is_direct = true;
    setup.planes = planes;
    return intercept_simulation_new(&setup);
}

static struct wire_intercept_frame message_to(uint16_t node, unsigned vnic, const void *data, size_t len)
{
    return (struct wire_intercept_frame){.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                         .planes = WIRE_INTERCEPT_PLANES_ALL,
                                         .destination = node,
                                         .destination_vnic = (uint8_t)vnic,
                                         .source_vnic = 1,
                                         .data = data,
                                         .data_len = len};
}

//= IW-14
static void a_ring_keeps_whole_entries(void)
{
    struct intercept_ring ring;
    unsigned put = 0, got = 0, wrong = 0;

    CHECK(intercept_ring_begin(&ring, 1024), "a ring");
    CHECK(!intercept_ring_space(&ring, 1032) && intercept_ring_space(&ring, 1024), "nothing longer than itself fits");
    for (unsigned turn = 0; turn < 2000; turn++) {
        size_t len = 16 + turn * 40 % 504;
        unsigned char *space = intercept_ring_space(&ring, len);

        if (space) {
            memset(space, 1 + (int)(put % 250), len);
            intercept_ring_commit(&ring, len);
            put++;
        }
        const unsigned char *first = intercept_ring_first(&ring);
        if (first && (!space || turn % 3)) {
            wrong += first[0] != 1 + got % 250 || first[7] != first[0];
            intercept_ring_drop(&ring, 16);
            got++;
            while (intercept_ring_first(&ring) && intercept_ring_first(&ring)[0] == 1 + (got - 1) % 250) {
                intercept_ring_drop(&ring, 8);
            }
        }
    }
    CHECK(put > 500 && got + 70 > put, "entries go through it many times round");
    CHECK_EQ(wrong, 0, "each whole and in its turn");
    intercept_ring_end(&ring);
}

//= IW-12
//= IW-13
static void a_channel_writes_its_slice_only(void)
{
    static unsigned char memory[3 * 4096];
    struct intercept_channel channel = {0};
    uint32_t start = 4096 - 64, end = start + 5000;
    unsigned packets = 0;

    intercept_channel_open(&channel, memory, start, 5000, 1, memory);
    CHECK_EQ(channel.remaining, 11, "64 octets, eight times 512, and 840 in two");
    CHECK(!intercept_channel_place(&channel, start - 8, 8) && !intercept_channel_place(&channel, end, 8),
          "nothing outside");
    CHECK(!intercept_channel_place(&channel, start, 512), "nothing over the end of a page");
    CHECK(!intercept_channel_place(&channel, 4096 + 8, 512), "nothing that is no packet of the slice");
    CHECK(!intercept_channel_place(&channel, UINT32_C(1) << 20, 8), "nothing beyond the table");
    for (uint32_t at = start; at < end; at += intercept_channel_packet(at, end)) {
        packets += intercept_channel_place(&channel, at, intercept_channel_packet(at, end)) == memory + (at - start);
        CHECK(!intercept_channel_place(&channel, at, intercept_channel_packet(at, end)), "no packet counts twice");
    }
    CHECK(packets == 11 && channel.remaining == 0, "all packets have their place");
    intercept_channel_close(&channel);
    CHECK(!intercept_channel_place(&channel, start, 64), "a closed channel takes none");
}

static void sixteen_vnics_open_once(void)
{
    struct intercept_simulation *pair = pair_new(15);
    struct intercept_nic *nic = intercept_simulation_nic(pair, 0);
    unsigned opened = 0;

    CHECK(!intercept_nic_open(nic, 1, ICPT_RX_OCTETS_MIN / 2, ICPT_INTERRUPT_ALL), "512 KB are too little");
    CHECK(!intercept_nic_open(nic, 1, (size_t)ICPT_RX_OCTETS_MAX * 2, ICPT_INTERRUPT_ALL), "256 MB are too much");
    for (unsigned vnic = 0; vnic < WIRE_INTERCEPT_VNICS; vnic++) {
        opened += intercept_nic_open(nic, vnic, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    }
    CHECK_EQ(opened, 16, "sixteen");
    CHECK(!intercept_nic_open(nic, 3, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL), "none of them twice");
    intercept_simulation_free(pair);
}

static void transfers_are_direct_or_indirect(void)
{
    struct intercept_simulation *pair = pair_new(1);
    struct intercept_nic *from = intercept_simulation_nic(pair, 0), *to = intercept_simulation_nic(pair, 1);
    unsigned char data[16] = "first. second..";
    struct wire_intercept_frame frame = message_to(1, 5, data, sizeof data), got;

    (void)intercept_nic_open(from, 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    (void)intercept_nic_open(to, 5, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    CHECK(intercept_nic_post(from, 1, 0, &frame), "a direct transfer");
    CHECK(intercept_nic_post_indirect(from, 1, 0, &frame, data, sizeof data), "an indirect one");
    CHECK(!intercept_nic_post_indirect(from, 1, 0, &frame, data, 12), "whole quadwords only");
    data[0] = 'F';
    intercept_simulation_pump(pair, 0);
    CHECK(intercept_simulation_run(pair, UINT64_MAX), "they arrive");
    CHECK(intercept_nic_first(to, 5, &got) && got.data_len == 16 && got.data[0] == 'f', "the copy was sent as it was");
    CHECK(got.source == 0 && got.destination == 1 && got.source_vnic == 1 && got.flags == 0, "with its header");
    intercept_nic_drop(to, 5, 0);
    CHECK(intercept_nic_first(to, 5, &got) && got.data_len == 16 && got.data[0] == 'F', "the other as it is");
    intercept_nic_drop(to, 5, 0);
    CHECK(!intercept_nic_first(to, 5, &got) && intercept_nic_idle(from), "and that is all");
    intercept_simulation_free(pair);
}

static void interrupts_are_for_all_or_for_marked_packets(void)
{
    struct intercept_simulation *pair = pair_new(1);
    struct intercept_nic *from = intercept_simulation_nic(pair, 0), *to = intercept_simulation_nic(pair, 1);

    (void)intercept_nic_open(from, 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    (void)intercept_nic_open(to, 2, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    (void)intercept_nic_open(to, 3, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_MARKED);
    for (unsigned i = 0; i < 10; i++) {
        struct wire_intercept_frame all = message_to(1, 2, NULL, 0), marked = message_to(1, 3, NULL, 0);

        marked.flags = i == 7 ? WIRE_INTERCEPT_FLAG_INTERRUPT : 0;
        (void)intercept_nic_post(from, 1, 0, &all);
        (void)intercept_nic_post(from, 1, 1, &marked);
    }
    intercept_simulation_pump(pair, 0);
    (void)intercept_simulation_run(pair, UINT64_MAX);
    CHECK_EQ(to->counts.interrupts, 11, "ten for the one, one for the other");
    CHECK_EQ(intercept_nic_interrupts(to), 1U << 2 | 1U << 3, "told apart by VNIC");
    CHECK_EQ(intercept_nic_interrupts(to), 0, "once");
    intercept_simulation_free(pair);
}

static void a_full_buffer_holds_its_senders(void)
{
    struct intercept_simulation *pair = pair_new(3);
    struct intercept_nic *from = intercept_simulation_nic(pair, 0), *to = intercept_simulation_nic(pair, 1);
    unsigned char data[504] = {0};
    unsigned posted = 0, got = 0, next = 0, wrong = 0;
    struct wire_intercept_frame frame;

    (void)intercept_nic_open(from, 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    (void)intercept_nic_open(to, 1, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    for (unsigned turn = 0; turn < 40; turn++) {
        for (;;) {
            data[0] = (unsigned char)(posted >> 8);
            data[1] = (unsigned char)posted;
            frame = message_to(1, 1, data, sizeof data);
            frame.planes = 1;
            if (!intercept_nic_post(from, 1, 0, &frame)) {
                break;
            }
            posted++;
        }
        intercept_simulation_pump(pair, 0);
        (void)intercept_simulation_run(pair, intercept_simulation_now(pair) + 300000);
    }
    CHECK_EQ(to->counts.received, (1 << 20) / 520, "the receive buffer is full");
    CHECK_EQ(posted - to->counts.received, 64 * 1024 / 520 + 7, "and so are transmit buffer and link");
    while (got < posted) {
        while (intercept_nic_first(to, 1, &frame)) {
            wrong += (frame.data[0] << 8 | frame.data[1]) != (int)next++;
            intercept_nic_drop(to, 1, intercept_simulation_now(pair));
            got++;
        }
        (void)intercept_simulation_run(pair, intercept_simulation_now(pair) + 300000);
    }
    CHECK_EQ(wrong, 0, "nothing is lost, and over one plane the order stays");
    intercept_simulation_free(pair);
}

static void slice_sent(void *context, void *cookie)
{
    *(void **)context = cookie;
}

static void a_slice_arrives_whole(void)
{
    struct intercept_simulation *pair = pair_new(15);
    struct intercept_nic *from = intercept_simulation_nic(pair, 0), *to = intercept_simulation_nic(pair, 1);
    enum { LEN = (1 << 20) - 96 };
    unsigned char *data = malloc(LEN), *memory = calloc(1, LEN + 64);
    void *told = NULL;

    for (int i = 0; i < LEN; i++) {
        data[i] = (unsigned char)(i * 7 + i / 1000);
    }
    intercept_simulation_host(pair, 0, &(struct intercept_host){.sent = slice_sent, .context = &told});
    intercept_channel_open(&to->channels[3], memory + 32, 96, LEN, 0, NULL);
    CHECK(intercept_nic_slice(
              from,
              &(struct intercept_slice){
                  .destination = 1, .channel = 3, .window_start = 96, .len = LEN, .from = data, .cookie = data}),
          "a slice is taken");
    intercept_simulation_pump(pair, 0);
    CHECK(intercept_simulation_run(pair, UINT64_MAX) && told == data, "sent");
    CHECK_EQ(intercept_nic_completed(to), 1U << 3, "received, and told once the counter is at zero");
    CHECK_EQ(intercept_nic_completed(to), 0, "once");
    CHECK_EQ(to->counts.interrupts, 1, "by one interrupt for a megabyte");
    CHECK(memcmp(memory + 32, data, LEN) == 0, "the data is there");
    CHECK(memory[31] == 0 && memory[LEN + 32] == 0, "and nothing beside it");
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        CHECK(from->planes[plane].packets >= 511 && from->planes[plane].packets <= 513, "a quarter over plane %u",
              plane);
    }
    free(data);
    free(memory);
    intercept_simulation_free(pair);
}

int main(void)
{
    TAP_RUN(a_ring_keeps_whole_entries);
    TAP_RUN(a_channel_writes_its_slice_only);
    TAP_RUN(sixteen_vnics_open_once);
    TAP_RUN(transfers_are_direct_or_indirect);
    TAP_RUN(interrupts_are_for_all_or_for_marked_packets);
    TAP_RUN(a_full_buffer_holds_its_senders);
    TAP_RUN(a_slice_arrives_whole);
    return tap_done();
}
