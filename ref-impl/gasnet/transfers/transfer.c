/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Puts and gets: see transfer.h.
 */
#include "ref-impl/gasnet/transfers/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/gasnet/base/chunks.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/base/settings.h"
#include "ref-impl/gasnet/base/tickets.h"

/* What one message carries at most. */
#define PIECE_OCTETS ((size_t)1 << 30) //= GASN-034 GASN-107

/* The memory on this side. */
enum place { PLACE_SEGMENT, PLACE_CHUNK, PLACE_TEMPORARY };
struct local {
    enum place place;
    ptl_handle_md_t md;
    uint64_t offset;
};

/* Events that a message logs here: a put sending and acknowledgement, a get its reply, data sending. */
enum { EVENTS_OF_PUT = 2, EVENTS_OF_GET = 1, EVENTS_OF_DATA = 1 };

/* A temporary descriptor's user_ptr: it goes with the last event that its message will log here. Sending and
 * acknowledgement come in either order. */
struct temporary {
    struct poll_sink sink; /* first: poll.c looks at this alone */
    _Atomic unsigned events_left;
};

static ptl_handle_md_t store;
static const struct poll_sink *on_message, *on_data;

/* ---- what has ended ---------------------------------------------------------------------------------------------- */

static void free_chunk(enum place place, const ptl_event_t *event)
{
    if (place == PLACE_CHUNK) {
        chunks_give(STORE_REQUESTS, bits_offset(event->match_bits)); //= GASN-021
    }
}

/* The memory has been sent, and the message will not be heard of any more if it is data. */
static void sent(const ptl_event_t *event) //= GASN-016 GASN-097
{
    enum bits_kind kind = bits_kind_of(event->match_bits);
    uint32_t number = bits_operation(event->match_bits);

    if (kind == KIND_DATA) {
        tickets_give(TICKET_MESSAGE, 1);
    }
    if ((kind == KIND_DATA || kind == KIND_PUT_TOLD) && number != 0) {
        ops_find(number)->unsent--;
    }
}

static void put_ended(enum place place, const ptl_event_t *event) //= GASN-017 GASN-018 GASN-098
{
    struct gasnet_op *op = ops_find(bits_operation(event->match_bits));

    free_chunk(place, event);
    tickets_give(TICKET_MESSAGE, 1);
    op->puts--;
}

static void get_ended(enum place place, const ptl_event_t *event) //= GASN-103
{
    struct gasnet_op *op = ops_find(bits_operation(event->match_bits));

    if (place == PLACE_CHUNK) {
        chunks_deliver(bits_offset(event->match_bits));
    }
    free_chunk(place, event);
    tickets_give(TICKET_MESSAGE, 1);
    op->gets--;
}

/* Some Portals log that a get was sent. */
static bool is_unasked(const ptl_event_t *event) //= GASN-026
{
    return event->type == PTL_EVENT_SEND_END && bits_kind_of(event->match_bits) == KIND_GET;
}

static void take(enum place place, const ptl_event_t *event) //= GASN-013
{
    if (event->type == PTL_EVENT_ACK) {
        put_ended(place, event);
    } else if (event->type == PTL_EVENT_REPLY_END) {
        get_ended(place, event);
    } else if (event->type == PTL_EVENT_SEND_END && !is_unasked(event)) {
        sent(event);
    }
}

static void take_segment(const ptl_event_t *event)
{
    if (event->type == PTL_EVENT_PUT_END) {
        on_data->take(event);
    } else {
        take(PLACE_SEGMENT, event);
    }
}

static void take_chunk(const ptl_event_t *event)
{
    if (bits_kind_of(event->match_bits) == KIND_MESSAGE) {
        on_message->take(event);
    } else {
        take(PLACE_CHUNK, event);
    }
}

static void take_temporary(const ptl_event_t *event)
{
    struct temporary *temporary = event->md.user_ptr;

    if (is_unasked(event)) {
        return;
    }
    take(PLACE_TEMPORARY, event);
    if (--temporary->events_left == 0) { //= GASN-066 GASN-067 GASN-068 GASN-070
        fatal_portals(PtlMDUnlink(event->md_handle), "PtlMDUnlink");
        free(temporary);
        tickets_give(TICKET_TEMPORARY, 1);
    }
}

static const struct poll_sink of_segment = {take_segment}, of_chunks = {take_chunk};

/* ---- what begins ------------------------------------------------------------------------------------------------- */

void transfer_open(const struct poll_sink *messages)
{
    size_t octets;
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE | PTL_MD_EVENT_START_DISABLE,
                   .user_ptr = (void *)(uintptr_t)&of_chunks,
                   .eq_handle = poll_queue(QUEUE_SAFE)};

    on_message = messages;
    md.start = chunks_region(STORE_REQUESTS, &octets);
    md.length = octets;
    store = nodes_attach(PORTAL_MESSAGES, TO_REQSB, &md); //= GASN-059 GASN-060
}

ptl_handle_md_t transfer_store(void)
{
    return store;
}

const struct poll_sink *transfer_sink(const struct poll_sink *data)
{
    on_data = data;
    return &of_segment;
}

static void wait_for(enum ticket ticket) //= GASN-158
{
    while (!tickets_take(ticket, 1)) {
        poll_wait();
    }
}

/* One whose message will log so many events. */
static struct local temporary(void *memory, size_t octets, unsigned events)
{
    struct temporary *temporary = malloc(sizeof(*temporary));
    const ptl_md_t md = {.start = memory,
                         .length = octets,
                         .threshold = PTL_MD_THRESH_INF,
                         .options = PTL_MD_EVENT_START_DISABLE,
                         .user_ptr = temporary,
                         .eq_handle = poll_queue(QUEUE_SAFE)};
    struct local local = {.place = PLACE_TEMPORARY};

    if (!temporary) {
        fatal_end("no memory for a descriptor");
    }
    temporary->sink.take = take_temporary;
    temporary->events_left = events;
    fatal_portals(PtlMDBind(nodes_interface(), md, PTL_RETAIN, &local.md), "PtlMDBind");
    return local;
}

static bool chunk(struct local *local)
{
    uint32_t offset;

    if (!chunks_take(STORE_REQUESTS, &offset)) {
        return false;
    }
    *local = (struct local){PLACE_CHUNK, store, offset};
    return true;
}

/* Where the memory on this side is, and how it is described; waits for what that takes. */
static struct local describe(void *memory, size_t octets, bool copied, unsigned events)
{
    struct local local;

    while (copied) {
        if (chunk(&local)) {
            return local;
        }
        poll_wait();
    }
    if (segment_offset(nodes_self(), memory, octets, &local.offset)) { //= GASN-092
        local.place = PLACE_SEGMENT;
        local.md = segment_source();
        return local;
    }
    if (octets <= CHUNK_OCTETS && chunk(&local)) { //= GASN-093 GASN-111
        return local;
    }
    wait_for(TICKET_TEMPORARY); //= GASN-094 GASN-095
    return temporary(memory, octets, events);
}

static uint64_t remote_offset(uint32_t node, const void *memory, size_t octets)
{
    uint64_t offset;

    if (node >= nodes_count()) {
        fatal_end("a put or get names node %u of %u", node, nodes_count());
    }
    if (!segment_offset(node, memory, octets, &offset)) { //= GASN-091
        fatal_end("a put or get of %zu octets at %p is not within the segment of node %u", octets, memory, node);
    }
    return offset;
}

static void put_piece(struct gasnet_op *op, uint32_t node, uint64_t offset, const void *source, size_t octets,
                      enum transfer_memory memory)
{
    enum bits_kind kind = KIND_PUT;
    struct local local;

    wait_for(TICKET_MESSAGE);
    local = describe((void *)(uintptr_t)source, octets, memory == MEMORY_COPIED, EVENTS_OF_PUT);
    if (local.place == PLACE_CHUNK) {
        memcpy(chunks_at(STORE_REQUESTS, (uint32_t)local.offset), source, octets);
    } else if (memory == MEMORY_TOLD) {
        kind = KIND_PUT_TOLD;
        op->unsent++;
    }
    op->puts++;
    fatal_portals(
        PtlPutRegion(local.md, local.offset, octets, PTL_ACK_REQ, nodes_process(node), PORTAL_SEGMENT, 0,
                     bits_transfer(TO_RAR, kind, op->number, local.place == PLACE_CHUNK ? (uint32_t)local.offset : 0),
                     offset, 0),
        "PtlPutRegion"); //= GASN-002 GASN-004 GASN-006 GASN-096
}

static void get_piece(struct gasnet_op *op, void *destination, uint32_t node, uint64_t offset, size_t octets)
{
    struct local local;

    wait_for(TICKET_MESSAGE);
    local = describe(destination, octets, false, EVENTS_OF_GET); //= GASN-102
    if (local.place == PLACE_CHUNK) {
        chunks_note((uint32_t)local.offset, destination, octets);
    }
    op->gets++;
    fatal_portals(PtlGetRegion(local.md, local.offset, octets, nodes_process(node), PORTAL_SEGMENT, 0,
                               bits_transfer(TO_RAR, KIND_GET, op->number,
                                             local.place == PLACE_CHUNK ? (uint32_t)local.offset : 0),
                               offset),
                  "PtlGetRegion"); //= GASN-003 GASN-005 GASN-019 GASN-104
}

void transfer_put(struct gasnet_op *op, uint32_t node, void *destination, const void *source, size_t octets,
                  enum transfer_memory memory)
{
    uint64_t offset = remote_offset(node, destination, octets);

    for (size_t at = 0; at < octets; at += PIECE_OCTETS) {
        put_piece(op, node, offset + at, (const char *)source + at,
                  octets - at < PIECE_OCTETS ? octets - at : PIECE_OCTETS, memory);
    }
}

void transfer_get(struct gasnet_op *op, void *destination, uint32_t node, const void *source, size_t octets)
{
    uint64_t offset = remote_offset(node, source, octets);

    for (size_t at = 0; at < octets; at += PIECE_OCTETS) {
        get_piece(op, (char *)destination + at, node, offset + at,
                  octets - at < PIECE_OCTETS ? octets - at : PIECE_OCTETS);
    }
}

bool transfer_needs_temporary(const void *source, size_t octets)
{
    uint64_t offset;

    return !segment_offset(nodes_self(), source, octets, &offset);
}

void transfer_data(struct gasnet_op *op, const struct transfer_data *data)
{
    struct local local = {.place = PLACE_SEGMENT, .md = segment_source()};

    if (!segment_offset(nodes_self(), data->source, data->octets, &local.offset)) {
        local = temporary(data->source, data->octets, EVENTS_OF_DATA);
    }
    if (op) {
        op->unsent++;
    }
    fatal_portals(PtlPutRegion(local.md, local.offset, data->octets, PTL_NOACK_REQ, nodes_process(data->node),
                               PORTAL_SEGMENT, 0, bits_transfer(TO_RARAM, KIND_DATA, op ? op->number : 0, 0),
                               data->offset, data->number),
                  "PtlPutRegion");
}
