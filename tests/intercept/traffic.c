/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Traffic through a simulated network; see traffic.h.
 */
#include "tests/intercept/traffic.h"

#include "wire/octets/cursor.h"

#include <stdlib.h>
#include <string.h>

static uint64_t all_packets(const struct traffic *traffic)
{
    return (uint64_t)traffic->nodes * traffic->peers * traffic->each;
}

void traffic_post(struct traffic *traffic, uint32_t node)
{
    unsigned char data[WIRE_INTERCEPT_SHORT_MAX] = {0};

    while (traffic->next[node] < traffic->peers * traffic->each) {
        uint32_t number = traffic->next[node] / traffic->peers;
        uint32_t peer = traffic->next[node] % traffic->peers;
        struct wire_writer writer = wire_writer_over(data, sizeof data);
        struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                             .planes = traffic->mask,
                                             .destination = (uint16_t)((node + 1 + peer) % traffic->nodes),
                                             .destination_vnic = 1,
                                             .source_vnic = 1,
                                             .data = data,
                                             .data_len = traffic->payload};

        wire_write_u32(&writer, number);
        wire_write_u32(&writer, peer);
        if (!intercept_nic_post(intercept_simulation_nic(traffic->simulation, node), 1, 0, &frame)) {
            return;
        }
        traffic->next[node]++;
    }
}

static void packet_count(struct traffic *traffic, uint32_t node, const struct wire_intercept_frame *frame)
{
    struct wire_reader reader = wire_reader_over(frame->data, frame->data_len);
    uint32_t number = wire_read_u32(&reader), peer = wire_read_u32(&reader);

    if (number >= traffic->each || peer >= traffic->peers || (frame->source + 1 + peer) % traffic->nodes != node) {
        traffic->misplaced++;
        return;
    }
    size_t pair = (size_t)frame->source * traffic->peers + peer;

    traffic->received++;
    traffic->doubles += traffic->seen[pair * traffic->each + number]++ > 0;
    traffic->inversions += number < traffic->last[pair];
    traffic->last[pair] = number + 1 > traffic->last[pair] ? number + 1 : traffic->last[pair];
}

static void node_run(void *context, uint32_t node, uint64_t now_ns)
{
    struct traffic *traffic = context;
    struct intercept_nic *nic = intercept_simulation_nic(traffic->simulation, node);
    struct wire_intercept_frame frame;

    (void)intercept_nic_interrupts(nic);
    while (intercept_nic_first(nic, 1, &frame)) {
        packet_count(traffic, node, &frame);
        traffic->last_ns = now_ns;
        intercept_nic_drop(nic, 1, now_ns);
    }
}

bool traffic_begin(struct traffic *traffic, const struct intercept_setup *setup, unsigned each, unsigned peers)
{
    size_t pairs = (size_t)setup->nodes * peers;

    *traffic = (struct traffic){.nodes = setup->nodes,
                                .each = each,
                                .peers = peers,
                                .mask = WIRE_INTERCEPT_PLANES_ALL,
                                .payload = 64,
                                .simulation = intercept_simulation_new(setup),
                                .next = calloc(setup->nodes, sizeof(uint32_t)),
                                .seen = calloc(pairs, each),
                                .last = calloc(pairs, sizeof(uint32_t))};
    for (uint32_t node = 0; traffic->simulation && node < setup->nodes; node++) {
        intercept_simulation_host(traffic->simulation, node,
                                  &(struct intercept_host){.run = node_run, .context = traffic});
        if (!intercept_nic_open(intercept_simulation_nic(traffic->simulation, node), 1, ICPT_RX_OCTETS_MIN,
                                ICPT_INTERRUPT_ALL)) {
            return false;
        }
    }
    return traffic->simulation && traffic->next && traffic->seen && traffic->last;
}

bool traffic_run(struct traffic *traffic)
{
    uint64_t before = UINT64_MAX;

    while (traffic->received < all_packets(traffic) && traffic->received != before) {
        before = traffic->received;
        for (uint32_t node = 0; node < traffic->nodes; node++) {
            traffic_post(traffic, node);
            intercept_simulation_pump(traffic->simulation, node);
        }
        (void)intercept_simulation_run(traffic->simulation, intercept_simulation_now(traffic->simulation) + 2000000);
    }
    (void)intercept_simulation_run(traffic->simulation, intercept_simulation_now(traffic->simulation) + 2000000);
    return traffic->received == all_packets(traffic) && traffic->doubles == 0 && traffic->misplaced == 0;
}

void traffic_end(struct traffic *traffic)
{
    intercept_simulation_free(traffic->simulation);
    free(traffic->next);
    free(traffic->seen);
    free(traffic->last);
}
