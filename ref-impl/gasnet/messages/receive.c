/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The receive space: see receive.h.
 */
#include "ref-impl/gasnet/messages/receive.h"

#include <stdlib.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/settings.h"

static const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};

static void (*on_request)(const ptl_event_t *event);
static size_t buffer_octets;
static ptl_handle_me_t basin;
static char *memory; /* of all buffers, as long as the job lives */

static void take(const ptl_event_t *event);
static void overflow(const ptl_event_t *event);
static const struct poll_sink of_buffers = {take}, of_basin = {overflow};

/* Links a buffer in, in front of the catch-basin. */
static void link_buffer(void *buffer) //= GASN-029 GASN-063 GASN-064
{
    const ptl_md_t md = {.start = buffer,
                         .length = buffer_octets,
                         .threshold = PTL_MD_THRESH_INF,
                         .max_size = CHUNK_OCTETS,
                         .options = PTL_MD_OP_PUT | PTL_MD_MAX_SIZE | PTL_MD_EVENT_START_DISABLE, //= GASN-030
                         .user_ptr = (void *)(uintptr_t)&of_buffers,
                         .eq_handle = poll_queue(QUEUE_AM)};
    ptl_handle_me_t me;

    fatal_portals(PtlMEInsert(basin, anybody, TO_REQRB, BITS_IGNORED, PTL_UNLINK, PTL_INS_BEFORE, &me), "PtlMEInsert");
    fatal_portals(PtlMDAttach(me, md, PTL_UNLINK, NULL), "PtlMDAttach");
}

/* Requests are taken one after the other, so all of a buffer have been handled when it is said to have left. */
static void take(const ptl_event_t *event)
{
    if (event->type == PTL_EVENT_UNLINK) { //= GASN-014
        link_buffer(event->md.start);
    } else if (event->type == PTL_EVENT_PUT_END) {
        on_request(event);
    }
}

static void overflow(const ptl_event_t *event) //= GASN-065
{
    fatal_end("a request of %llu octets found no room: set GASNET_PORTAL_FLOW_CONTROL=1, or a larger "
              "GASNET_PORTAL_AMRECV_SPACE",
              (unsigned long long)event->rlength);
}

static void open_basin(void) //= GASN-031
{
    const ptl_md_t md = {.threshold = PTL_MD_THRESH_INF,
                         .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_ACK_DISABLE | PTL_MD_EVENT_START_DISABLE,
                         .user_ptr = (void *)(uintptr_t)&of_basin,
                         .eq_handle = poll_queue(QUEUE_AM)};

    fatal_portals(PtlMEAttach(nodes_interface(), PORTAL_MESSAGES, anybody, TO_REQRB, BITS_IGNORED, PTL_RETAIN,
                              PTL_INS_AFTER, &basin),
                  "PtlMEAttach");
    fatal_portals(PtlMDAttach(basin, md, PTL_RETAIN, NULL), "PtlMDAttach");
}

void receive_open(unsigned chunks_in_buffer, void (*request)(const ptl_event_t *event))
{
    on_request = request;
    buffer_octets = (size_t)chunks_in_buffer * CHUNK_OCTETS;
    memory = aligned_alloc(CHUNK_OCTETS, RECEIVE_BUFFERS * buffer_octets);
    if (!memory) {
        fatal_end("no memory for %zu octets of requests", RECEIVE_BUFFERS * buffer_octets);
    }
    open_basin();
    for (unsigned i = 0; i < RECEIVE_BUFFERS; i++) {
        link_buffer(memory + i * buffer_octets);
    }
}
