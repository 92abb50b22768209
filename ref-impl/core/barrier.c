/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The barrier: see barrier.h for how it works. Chapter 3.5.3; messages as in specs/portals-wire.md.
 */
#include "ref-impl/core/barrier.h"

#include "ref-impl/core/ni.h"

/* The rank 2^round behind this one, and before it. */
static uint32_t rank_behind(const struct ni *ni, uint32_t round)
{
    return (uint32_t)((ni->config.self.rid + ((uint64_t)1 << round)) % ni->config.group_size);
}

static uint32_t rank_before(const struct ni *ni, uint32_t round)
{
    uint64_t size = ni->config.group_size;

    return (uint32_t)((ni->config.self.rid + size - ((uint64_t)1 << round) % size) % size);
}

static bool round_exists(const struct ni *ni, uint32_t round)
{
    return round < BARRIER_ROUNDS && (uint64_t)1 << round < ni->config.group_size;
}

bool barrier_hear(struct ni *ni, const struct wire_portals_header *header)
{
    uint64_t *heard;

    if (!round_exists(ni, header->round) || header->initiator.gid != ni->config.self.gid ||
        header->initiator.rid != rank_before(ni, header->round)) {
        return false;
    }
    heard = &ni->barrier.heard[header->round];
    if (header->sequence > *heard) {
        *heard = header->sequence;
        gate_tell_all(&ni->barrier.arrived);
    }
    return true;
}

/* Sends the message of one round. Called with the lock, which it gives back for the time of the call to the NAL. */
static enum core_status tell(struct ni *ni, uint64_t sequence, uint32_t round)
{
    struct wire_portals_header header = {
        .operation = WIRE_PORTALS_BARRIER, .initiator = ni->config.self, .sequence = sequence, .round = round};
    enum nal_status sent;

    if (!ni->config.member(ni->config.self.gid, rank_behind(ni, round), &header.target)) {
        return CORE_BAD_PROCESS;
    }
    lock_give(&ni->lock);
    sent = nal_send(ni->nal, &header, NULL, 0, NULL);
    lock_take(&ni->lock);
    if (sent == NAL_OK) {
        return CORE_OK;
    }
    return sent == NAL_NO_MEMORY ? CORE_NO_SPACE : CORE_BAD_PROCESS;
}

/* Waits until the rank before this one in this round has come as far. */
static enum core_status hear(struct ni *ni, uint64_t sequence, uint32_t round)
{
    bool first = true;

    while (ni->state == NI_OPEN && ni->barrier.heard[round] < sequence) {
        gate_await(&ni->barrier.arrived, first);
        first = false;
    }
    return ni->state == NI_OPEN ? CORE_OK : CORE_BAD_INTERFACE;
}

enum core_status barrier_wait(uint64_t interface)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_OK;
    uint64_t sequence;

    if (!ni) {
        return CORE_BAD_INTERFACE; //= P30-091
    }
    while (ni->barrier.busy && ni->state == NI_OPEN) {
        gate_await(&ni->barrier.arrived, false); /* the one before drives */
    }
    if (ni->state != NI_OPEN) {
        status = CORE_BAD_INTERFACE;
        goto leave;
    }
    ni->barrier.busy = true;
    sequence = ++ni->barrier.sequence;
    //= P30-090
    for (uint32_t round = 0; status == CORE_OK && round_exists(ni, round); round++) {
        status = tell(ni, sequence, round);
        if (status == CORE_OK) {
            status = hear(ni, sequence, round);
        }
    }
    ni->barrier.busy = false;
    gate_tell_all(&ni->barrier.arrived);
leave:
    ni_leave(ni);
    return status;
}
