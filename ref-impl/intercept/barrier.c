/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The barrier; see barrier.h. Each packet has eight octets: what it says, and the round.
 */
#include "ref-impl/intercept/barrier.h"

#include "wire/octets/cursor.h"

enum { SAYS_ENTERED = 1, SAYS_RELEASED = 2, PACKET_OCTETS = 8, EVERYBODY = 0xffff };

bool intercept_barrier_begin(struct intercept_barrier *barrier, struct intercept_nic *nic, uint32_t nodes,
                             bool is_broadcast)
{
    *barrier = (struct intercept_barrier){.nic = nic, .nodes = nodes, .is_broadcast = is_broadcast};
    return intercept_nic_open(nic, ICPT_BARRIER_VNIC, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
}

void intercept_barrier_enter(struct intercept_barrier *barrier)
{
    barrier->is_entered = true;
}

static uint32_t first_below(const struct intercept_barrier *barrier)
{
    return barrier->nic->iuca * (uint32_t)ICPT_BARRIER_BELOW + 1;
}

static unsigned count_below(const struct intercept_barrier *barrier)
{
    uint32_t first = first_below(barrier);
    uint32_t left = first < barrier->nodes ? barrier->nodes - first : 0;

    return left < ICPT_BARRIER_BELOW ? (unsigned)left : ICPT_BARRIER_BELOW;
}

static bool post(const struct intercept_barrier *barrier, uint32_t says, uint32_t to, bool is_broadcast)
{
    unsigned char data[PACKET_OCTETS];
    struct wire_writer writer = wire_writer_over(data, sizeof data);
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                         .planes = (uint8_t)barrier->nic->mask,
                                         .flags = WIRE_INTERCEPT_FLAG_INTERRUPT,
                                         .destination = (uint16_t)to,
                                         .destination_vnic = ICPT_BARRIER_VNIC,
                                         .source_vnic = ICPT_BARRIER_VNIC,
                                         .data = data,
                                         .data_len = sizeof data};

    frame.flags |= is_broadcast ? WIRE_INTERCEPT_FLAG_MULTICAST : 0;
    wire_write_u32(&writer, says);
    wire_write_u32(&writer, barrier->round);
    return intercept_nic_post(barrier->nic, ICPT_BARRIER_VNIC, 0, &frame);
}

static void packets_take(struct intercept_barrier *barrier, uint64_t now_ns)
{
    struct wire_intercept_frame frame;

    while (intercept_nic_first(barrier->nic, ICPT_BARRIER_VNIC, &frame)) {
        struct wire_reader reader = wire_reader_over(frame.data, frame.data_len);
        uint32_t says = wire_read_u32(&reader), round = wire_read_u32(&reader);

        if (says == SAYS_ENTERED && frame.data_len == PACKET_OCTETS && round - barrier->round <= 1) {
            barrier->told[round & 1]++;
        } else if (says == SAYS_RELEASED && frame.data_len == PACKET_OCTETS && round == barrier->round) {
            barrier->is_released = true;
        }
        intercept_nic_drop(barrier->nic, ICPT_BARRIER_VNIC, now_ns);
    }
}

/* Tells the node above that all here and below have entered. */
static void up_tell(struct intercept_barrier *barrier)
{
    if (!barrier->is_entered || barrier->is_up || barrier->told[barrier->round & 1] < count_below(barrier)) {
        return;
    }
    if (barrier->nic->iuca == 0) {
        barrier->is_up = barrier->is_released = true;
    } else {
        barrier->is_up = post(barrier, SAYS_ENTERED, (barrier->nic->iuca - 1U) / ICPT_BARRIER_BELOW, false);
    }
}

/* Whether all have been told that this node has to tell. */
static bool down_tell(struct intercept_barrier *barrier)
{
    unsigned below = barrier->is_broadcast ? barrier->nic->iuca == 0 && barrier->nodes > 1 : count_below(barrier);

    while (barrier->down < below) {
        uint32_t to = barrier->is_broadcast ? EVERYBODY : first_below(barrier) + barrier->down;

        if (!post(barrier, SAYS_RELEASED, to, barrier->is_broadcast)) {
            return false;
        }
        barrier->down++;
    }
    return true;
}

//= ICPT-274
bool intercept_barrier_turn(struct intercept_barrier *barrier, uint64_t now_ns)
{
    bool is_over;

    packets_take(barrier, now_ns);
    up_tell(barrier);
    is_over = barrier->is_up && barrier->is_released && down_tell(barrier);
    if (is_over) {
        barrier->told[barrier->round & 1] = 0;
        barrier->round++;
        barrier->is_entered = barrier->is_up = barrier->is_released = false;
        barrier->down = 0;
    }
    intercept_nic_pump(barrier->nic, now_ns);
    return is_over;
}
