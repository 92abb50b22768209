/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The card: opening, receiving, interrupts; see nic.h. What it sends is in nic_send.c.
 */
#include "ref-impl/intercept/nic.h"

#include "wire/intercept/rules.h"

#include <string.h>

enum { AGAIN_OCTETS = 16 * 1024 /* more than all windows together */ };

/* Octets of an entry of an RX-CB. */
static size_t entry_octets(const unsigned char *entry)
{
    return WIRE_INTERCEPT_HEADER_OCTETS + intercept_cable_length(entry);
}

//= ICPT-054
void intercept_nic_interrupt(struct intercept_nic *nic, unsigned vnic, uint64_t at_ns)
{
    bool first = nic->interrupts == 0;

    nic->counts.interrupts++;
    nic->interrupts |= UINT32_C(1) << vnic;
    if (first) {
        nic->ops->interrupt(nic->host, at_ns);
    }
}

/* A packet for the circular buffer of a VNIC. False: it is full. */
//= ICPT-022
//= ICPT-058
//= ICPT-287
static bool store_entry(struct intercept_nic *nic, unsigned plane, const unsigned char *octets, uint64_t at_ns)
{
    unsigned number = intercept_cable_vnic(octets);
    struct intercept_vnic *vnic = &nic->vnics[number];
    size_t len = entry_octets(octets);
    unsigned char *entry;

    if (!vnic->rx.octets) {
        nic->counts.discarded++;
        return true; /* IW-14 */
    }
    entry = intercept_ring_space(&vnic->rx, len);
    if (!entry) {
        vnic->starved |= 1U << plane;
        return false;
    }
    memcpy(entry, octets, len);
    intercept_ring_commit(&vnic->rx, len);
    if (vnic->mode == ICPT_INTERRUPT_ALL || intercept_cable_flags(octets) & WIRE_INTERCEPT_FLAG_INTERRUPT) {
        intercept_nic_interrupt(nic, number, at_ns);
    }
    return true;
}

/* A packet of a slice. What another card sends than the one that was asked for it is none of the slice's. */
//= IW-13
//= ICPT-065
//= ICPT-072
static void store_slice(struct intercept_nic *nic, const struct wire_intercept_frame *frame, uint64_t at_ns)
{
    struct intercept_channel *channel = &nic->channels[frame->channel];

    if (frame->source != channel->from) {
        nic->counts.discarded++;
        return;
    }
    unsigned char *to = intercept_channel_place(channel, frame->window_address, frame->data_len);

    if (!to) {
        nic->counts.discarded++;
        return;
    }
    if (nic->ops->write) {
        nic->ops->write(nic->host, channel->token, to, frame->data, frame->data_len);
    } else {
        memcpy(to, frame->data, frame->data_len);
    }
    if (channel->remaining == 0) {
        nic->counts.slices_received++;
        nic->completed |= 1U << frame->channel;
        intercept_nic_interrupt(nic, WIRE_INTERCEPT_HANDLER_VNIC, at_ns);
    }
}

static bool plane_deliver(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct intercept_nic_plane *plane = owner;
    struct intercept_nic *nic = plane->nic;
    struct wire_intercept_frame frame;
    enum wire_intercept_rule broken;
    bool stored = true;

    if (wire_intercept_decode_entry(octets, len - WIRE_INTERCEPT_CRC_OCTETS, &frame) != WIRE_OK) {
        return true;
    }
    broken = wire_intercept_judge(&frame);
    if (broken != WIRE_INTERCEPT_LEGAL &&
        (broken < WIRE_INTERCEPT_BAD_CONTENT || broken == WIRE_INTERCEPT_BAD_COMMAND)) {
        nic->counts.discarded++; /* what is in a short message the software judges */
        return true;
    }
    if (frame.kind == WIRE_INTERCEPT_VDMA) {
        store_slice(nic, &frame, at_ns);
    } else {
        stored = store_entry(nic, plane->link.plane, octets, at_ns);
    }
    nic->counts.received += stored;
    return stored;
}

static void plane_room(void *owner, uint64_t at_ns)
{
    struct intercept_nic_plane *plane = owner;

    intercept_nic_pump(plane->nic, at_ns);
}

static void plane_transmit(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct intercept_nic_plane *plane = owner;

    plane->nic->ops->transmit(plane->nic->host, plane->link.plane, octets, len, at_ns);
}

static void plane_arm(void *owner, uint64_t at_ns)
{
    struct intercept_nic_plane *plane = owner;

    if (plane->nic->ops->arm) {
        plane->nic->ops->arm(plane->nic->host, plane->link.plane, at_ns);
    }
}

/* What was on its way over a plane that has died goes over the others. */
//= ICPT-018
static void plane_dead(void *owner, uint64_t at_ns)
{
    struct intercept_nic_plane *plane = owner;

    plane->nic->mask &= ~(1U << plane->link.plane);
    intercept_nic_save(plane->nic, &plane->link);
    intercept_nic_pump(plane->nic, at_ns);
}

static const struct intercept_link_ops link_ops = {
    .transmit = plane_transmit,
    .deliver = plane_deliver,
    .room = plane_room,
    .dead = plane_dead,
    .arm = plane_arm,
};

bool intercept_nic_begin(struct intercept_nic *nic, uint16_t iuca, unsigned mask, const struct intercept_nic_ops *ops,
                         void *host)
{
    memset(nic, 0, sizeof *nic);
    nic->ops = ops;
    nic->host = host;
    nic->iuca = iuca;
    nic->mask = mask;
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        nic->planes[plane].nic = nic;
        intercept_link_begin(&nic->planes[plane].link, &link_ops, &nic->planes[plane], plane);
    }
    return intercept_ring_begin(&nic->again, AGAIN_OCTETS);
}

void intercept_nic_end(struct intercept_nic *nic)
{
    for (unsigned vnic = 0; vnic < WIRE_INTERCEPT_VNICS; vnic++) {
        intercept_ring_end(&nic->vnics[vnic].rx);
        intercept_ring_end(&nic->vnics[vnic].tx[0]);
        intercept_ring_end(&nic->vnics[vnic].tx[1]);
    }
    intercept_ring_end(&nic->again);
}

//= ICPT-041
//= ICPT-044
//= ICPT-046
//= ICPT-047
//= ICPT-048
bool intercept_nic_open(struct intercept_nic *nic, unsigned vnic, size_t rx_octets, enum intercept_interrupts mode)
{
    struct intercept_vnic *opened = &nic->vnics[vnic];

    if (opened->rx.octets || rx_octets < ICPT_RX_OCTETS_MIN || rx_octets > ICPT_RX_OCTETS_MAX ||
        rx_octets % WIRE_INTERCEPT_QUADWORD) {
        return false;
    }
    opened->mode = mode;
    if (intercept_ring_begin(&opened->rx, rx_octets) && intercept_ring_begin(&opened->tx[0], ICPT_TX_OCTETS) &&
        intercept_ring_begin(&opened->tx[1], ICPT_TX_OCTETS)) {
        return true;
    }
    intercept_ring_end(&opened->rx);
    intercept_ring_end(&opened->tx[0]);
    return false;
}

uint32_t intercept_nic_interrupts(struct intercept_nic *nic)
{
    uint32_t raised = nic->interrupts;

    nic->interrupts = 0;
    return raised;
}

unsigned intercept_nic_completed(struct intercept_nic *nic)
{
    unsigned completed = nic->completed;

    nic->completed = 0;
    return completed;
}

bool intercept_nic_first(struct intercept_nic *nic, unsigned vnic, struct wire_intercept_frame *frame)
{
    const unsigned char *entry = intercept_ring_first(&nic->vnics[vnic].rx);

    return entry && wire_intercept_decode_entry(entry, entry_octets(entry), frame) == WIRE_OK;
}

void intercept_nic_drop(struct intercept_nic *nic, unsigned vnic, uint64_t at_ns)
{
    struct intercept_vnic *from = &nic->vnics[vnic];
    unsigned starved = from->starved;

    intercept_ring_drop(&from->rx, entry_octets(intercept_ring_first(&from->rx)));
    nic->counts.taken++;
    from->starved = 0;
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        if (starved >> plane & 1) {
            intercept_link_resume(&nic->planes[plane].link, at_ns);
        }
    }
}
