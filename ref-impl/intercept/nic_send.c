/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the card sends: the TX-CBs in turn, one packet each, and a packet of the VDMA engine's slice between them. A
 * packet takes the next plane that its mask permits and that has room, so that all are used evenly.
 */
#include "ref-impl/intercept/nic.h"

#include "wire/octets/cursor.h"

#include <string.h>

/* ---- circular buffers ---- */

static size_t entry_octets(const unsigned char *entry)
{
    bool indirect = intercept_cable_flags(entry) & ICPT_FLAG_INDIRECT;

    return WIRE_INTERCEPT_HEADER_OCTETS + (indirect ? (size_t)ICPT_INDIRECT_OCTETS : intercept_cable_length(entry));
}

static bool ring_put(struct intercept_nic *nic, unsigned vnic, unsigned tx, const unsigned char *octets, size_t len)
{
    struct intercept_ring *ring = &nic->vnics[vnic].tx[tx];
    unsigned char *entry = intercept_ring_space(ring, len);

    if (!entry) {
        nic->was_full = true;
        return false;
    }
    memcpy(entry, octets, len);
    intercept_ring_commit(ring, len);
    nic->filled |= UINT32_C(1) << (vnic * ICPT_TX_RINGS + tx);
    nic->counts.posted++;
    nic->counts.posted_octets += len;
    return true;
}

//= ICPT-050
//= ICPT-051
bool intercept_nic_post(struct intercept_nic *nic, unsigned vnic, unsigned tx, const struct wire_intercept_frame *frame)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    struct wire_intercept_frame whole = *frame;
    size_t len = 0;
    size_t measured = 0;

    whole.source = nic->iuca;
    wire_intercept_complete(&whole);
    return wire_intercept_encode(&whole, octets, sizeof octets, &len) == WIRE_OK &&
           wire_intercept_measure(octets, len, &measured) == WIRE_OK && measured == len &&
           ring_put(nic, vnic, tx, octets, len - WIRE_INTERCEPT_CRC_OCTETS);
}

//= ICPT-049
//= ICPT-052
bool intercept_nic_post_indirect(struct intercept_nic *nic, unsigned vnic, unsigned tx,
                                 const struct wire_intercept_frame *frame, const void *payload, size_t len)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    struct wire_intercept_frame head = *frame;
    size_t octets_len = 0;

    head.message = WIRE_INTERCEPT_SHORT_MESSAGE;
    head.data = NULL;
    head.data_len = 0;
    head.source = nic->iuca;
    wire_intercept_complete(&head);
    head.flags |= ICPT_FLAG_INDIRECT;
    if (len > WIRE_INTERCEPT_SHORT_MAX || len % WIRE_INTERCEPT_QUADWORD ||
        wire_intercept_encode(&head, octets, sizeof octets, &octets_len) != WIRE_OK) {
        return false;
    }
    struct wire_writer writer =
        wire_writer_over(octets + WIRE_INTERCEPT_HEADER_OCTETS, sizeof octets - WIRE_INTERCEPT_HEADER_OCTETS);

    wire_write_u64(&writer, (uint64_t)(uintptr_t)payload);
    wire_write_u32(&writer, (uint32_t)len);
    wire_write_u32(&writer, 0);
    return ring_put(nic, vnic, tx, octets, WIRE_INTERCEPT_HEADER_OCTETS + (size_t)ICPT_INDIRECT_OCTETS);
}

/* Makes the packet of an entry, with room for its CRC; returns its octets. */
//= ICPT-286
static size_t packet_make(const unsigned char *entry, unsigned char *packet)
{
    size_t len = intercept_cable_length(entry);
    const unsigned char *payload = entry + WIRE_INTERCEPT_HEADER_OCTETS;

    memcpy(packet, entry, WIRE_INTERCEPT_HEADER_OCTETS);
    if (intercept_cable_flags(entry) & ICPT_FLAG_INDIRECT) {
        struct wire_reader reader = wire_reader_over(payload, ICPT_INDIRECT_OCTETS);

        payload = (const unsigned char *)(uintptr_t)wire_read_u64(&reader);
        len = wire_read_u32(&reader);
        packet[2] = (unsigned char)(packet[2] & ~ICPT_FLAG_INDIRECT);
        packet[10] = (unsigned char)(len >> 8);
        packet[11] = (unsigned char)len;
    }
    if (len > 0) {
        memcpy(packet + WIRE_INTERCEPT_HEADER_OCTETS, payload, len);
    }
    return WIRE_INTERCEPT_HEADER_OCTETS + len + WIRE_INTERCEPT_CRC_OCTETS;
}

/* ---- planes ---- */

/* Where the octets of a packet are that the card is to send. */
enum source { ON_CARD, POSTED, IN_SLICE };

/* The plane that a packet with this mask takes next, or ICPT_PLANES: none has room. */
//= ICPT-015
//= ICPT-057
static unsigned plane_choose(const struct intercept_nic *nic, unsigned mask)
{
    for (unsigned step = 0; step < ICPT_PLANES; step++) {
        unsigned plane = (nic->next_plane + step) % ICPT_PLANES;

        if (mask >> plane & 1 && intercept_link_has_room(&nic->planes[plane].link)) {
            return plane;
        }
    }
    return ICPT_PLANES;
}

/* Brings a packet of `len` octets onto the card. False: not now. */
static bool packet_fetch(struct intercept_nic *nic, enum source source, size_t len, uint64_t *at_ns)
{
    size_t octets = len - WIRE_INTERCEPT_CRC_OCTETS - (source == IN_SLICE ? WIRE_INTERCEPT_HEADER_OCTETS : 0);

    return source == ON_CARD || !nic->ops->fetch || nic->ops->fetch(nic->host, source == IN_SLICE, octets, at_ns);
}

/* Sends a packet; where no plane of its mask is left, over those that are. False: there is no room now. */
//= IW-04
//= ICPT-012
//= ICPT-014
//= ICPT-017
static bool packet_send(struct intercept_nic *nic, enum source source, unsigned char *packet, size_t len,
                        uint64_t at_ns)
{
    unsigned mask = intercept_cable_planes(packet) & nic->mask;
    unsigned plane;

    if (mask == 0) {
        mask = nic->mask & (0U - nic->mask); /* one, for it may have been one */
        packet[1] = (unsigned char)mask;
    }
    plane = plane_choose(nic, mask);
    if (plane == ICPT_PLANES || mask == 0 || !packet_fetch(nic, source, len, &at_ns)) {
        return false;
    }
    nic->next_plane = (plane + 1) % ICPT_PLANES;
    (void)intercept_link_send(&nic->planes[plane].link, packet, len, at_ns);
    nic->planes[plane].packets++;
    nic->counts.sent++;
    return true;
}

/* Sends the first entry of a ring. False: there is none, or no room. */
static bool entry_send(struct intercept_nic *nic, struct intercept_ring *ring, uint64_t at_ns)
{
    unsigned char packet[WIRE_INTERCEPT_FRAME_MAX];
    const unsigned char *entry = intercept_ring_first(ring);
    enum source source = ring == &nic->again ? ON_CARD : POSTED;

    if (!entry || !packet_send(nic, source, packet, packet_make(entry, packet), at_ns)) {
        return false;
    }
    intercept_ring_drop(ring, entry_octets(entry));
    return true;
}

/* Each filled TX-CB sends one packet, beginning with the one whose turn it is. */
static bool rings_send(struct intercept_nic *nic, uint64_t at_ns)
{
    bool any = false;

    for (unsigned step = 0; step < WIRE_INTERCEPT_VNICS * ICPT_TX_RINGS && nic->filled; step++) {
        unsigned number = (nic->next_ring + step) % (WIRE_INTERCEPT_VNICS * ICPT_TX_RINGS);
        struct intercept_ring *ring = &nic->vnics[number / ICPT_TX_RINGS].tx[number % ICPT_TX_RINGS];

        if (!(nic->filled >> number & 1)) {
            continue;
        }
        any = entry_send(nic, ring, at_ns) || any;
        if (!intercept_ring_first(ring)) {
            nic->filled &= ~(UINT32_C(1) << number);
        }
    }
    if (any && nic->was_full) {
        nic->was_full = false;
        intercept_nic_interrupt(nic, WIRE_INTERCEPT_HANDLER_VNIC, at_ns);
    }
    nic->next_ring = (nic->next_ring + 1) % (WIRE_INTERCEPT_VNICS * ICPT_TX_RINGS);
    return any;
}

/* ---- the VDMA engine ---- */

//= ICPT-073
//= ICPT-074
bool intercept_nic_slice(struct intercept_nic *nic, const struct intercept_slice *slice)
{
    if (nic->slice_count == WIRE_INTERCEPT_CHANNELS) {
        return false;
    }
    nic->slices[(nic->first_slice + nic->slice_count) % WIRE_INTERCEPT_CHANNELS] = *slice;
    nic->slice_count++;
    return true;
}

void intercept_nic_forget(struct intercept_nic *nic, const void *cookie)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < nic->slice_count; i++) {
        struct intercept_slice slice = nic->slices[(nic->first_slice + i) % WIRE_INTERCEPT_CHANNELS];

        if (slice.cookie != cookie) {
            nic->slices[(nic->first_slice + kept) % WIRE_INTERCEPT_CHANNELS] = slice;
            kept++;
        }
    }
    nic->slice_count = kept;
}

/* The next packet of the slice that is sent; returns its octets. */
//= ICPT-025
//= ICPT-026
//= ICPT-029
//= ICPT-076
static size_t slice_packet(const struct intercept_nic *nic, const struct intercept_slice *slice, unsigned char *packet)
{
    uint32_t address = slice->window_start + slice->done;
    uint32_t payload = intercept_channel_packet(address, slice->window_start + slice->len);
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_VDMA_DATA,
                                         .planes = (uint8_t)nic->mask,
                                         .destination = slice->destination,
                                         .source = nic->iuca,
                                         .channel = (uint16_t)slice->channel,
                                         .window_address = address,
                                         .data = slice->from + slice->done,
                                         .data_len = payload};
    size_t len = 0;

    wire_intercept_complete(&frame);
    return wire_intercept_encode(&frame, packet, WIRE_INTERCEPT_FRAME_MAX, &len) == WIRE_OK ? len : 0;
}

//= IW-13
//= ICPT-100
static bool slice_send(struct intercept_nic *nic, uint64_t at_ns)
{
    struct intercept_slice *slice = &nic->slices[nic->first_slice];
    unsigned char packet[WIRE_INTERCEPT_FRAME_MAX];
    size_t len;

    if (nic->slice_count == 0 || nic->mask == 0) {
        return false;
    }
    len = slice_packet(nic, slice, packet);
    if (!packet_send(nic, IN_SLICE, packet, len, at_ns)) {
        return false;
    }
    slice->done += (uint32_t)(len - WIRE_INTERCEPT_HEADER_OCTETS - WIRE_INTERCEPT_CRC_OCTETS);
    if (slice->done == slice->len) {
        void *cookie = slice->cookie;

        nic->first_slice = (nic->first_slice + 1) % WIRE_INTERCEPT_CHANNELS;
        nic->slice_count--;
        nic->counts.slices_sent++;
        nic->ops->sent(nic->host, cookie);
    }
    return true;
}

/* ---- all of it ---- */

void intercept_nic_pump(struct intercept_nic *nic, uint64_t at_ns)
{
    bool any = nic->mask != 0;

    while (any) {
        any = entry_send(nic, &nic->again, at_ns);
        any = rings_send(nic, at_ns) || any;
        any = slice_send(nic, at_ns) || any;
    }
}

void intercept_nic_save(struct intercept_nic *nic, const struct intercept_link *link)
{
    for (uint8_t sequence = link->oldest; sequence != link->next; sequence++) {
        const struct intercept_outgoing *slot = &link->window[sequence % ICPT_WINDOW_SLOTS];
        size_t len = slot->len - (size_t)WIRE_INTERCEPT_CRC_OCTETS;
        unsigned char *entry = slot->waiting ? intercept_ring_space(&nic->again, len) : NULL;

        if (entry) {
            memcpy(entry, slot->octets, len);
            intercept_ring_commit(&nic->again, len);
        }
    }
}

bool intercept_nic_idle(const struct intercept_nic *nic)
{
    bool idle = nic->filled == 0 && nic->slice_count == 0 && nic->again.put == nic->again.taken;

    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        idle = idle && intercept_link_outstanding(&nic->planes[plane].link) == 0;
    }
    return idle;
}
