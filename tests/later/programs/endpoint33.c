/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An endpoint as layers for communication had it on Cray's systems: two receive buffers that PtlMEMDAttach posts and
 * that take each other's place when less than a chunk is left of them, chunks of one descriptor that PtlPutRegion
 * sends and whose number comes back in the match bits, and the sender in the header data.
 */
#include <p3nal_utcp.h>
#include <portals/portals3.h>
#include <stdint.h>
#include <string.h>

#include "tests/later/programs/member33.h"

enum { ENDPOINT = 17, CHUNK = 128, CHUNKS = 8, ROUNDS = 30, BUFFERS = 2, EVENTS = 4096, RANKS = 16, NUMBER = 48 };

struct buffer {
    uint32_t words[10][CHUNK / 4];
    ptl_handle_me_t me;
    ptl_handle_md_t md;
};

static ptl_handle_eq_t eq;
static ptl_handle_md_t sender;
static struct buffer buffers[BUFFERS];
static uint32_t chunks[CHUNKS][CHUNK / 4], received[RANKS];
static unsigned idle[CHUNKS], idle_count, total, reposted;

static void post(struct buffer *buffer)
{
    ptl_md_t md = {.start = buffer->words, .length = sizeof buffer->words, .threshold = PTL_MD_THRESH_INF};

    md.max_size = CHUNK;
    md.options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_MAX_SIZE;
    md.user_ptr = buffer;
    md.eq_handle = eq;
    OK(PtlMEMDAttach(ni, ENDPOINT, anybody, 0, ~(ptl_match_bits_t)0, PTL_UNLINK, PTL_INS_AFTER, md, PTL_UNLINK,
                     &buffer->me, &buffer->md));
}

static void receive(const ptl_event_t *event)
{
    const uint32_t *words = (const uint32_t *)((const char *)event->md.start + event->offset);
    uint32_t from = (uint32_t)event->hdr_data;

    MUST(from < size && event->mlength == event->rlength && words[0] == received[from]);
    for (unsigned i = 1; i < event->mlength / 4; i++) {
        MUST(words[i] == (from << 16 | words[0]) + i);
    }
    received[from]++;
    total++;
}

static void progress(void)
{
    ptl_event_t event;

    OK(PtlEQWait(eq, &event));
    MUST(event.ni_fail_type == PTL_NI_OK);
    if (event.type == PTL_EVENT_PUT_END) {
        receive(&event);
    } else if (event.type == PTL_EVENT_SEND_END) {
        idle[idle_count++] = (unsigned)(event.match_bits >> NUMBER);
    } else if (event.type == PTL_EVENT_UNLINK) {
        struct buffer *buffer = event.md.user_ptr;

        MUST(PtlHandleIsEqual(event.md_handle, buffer->md));
        post(buffer);
        reposted++;
    } else {
        MUST(event.type == PTL_EVENT_PUT_START);
    }
}

static void send(unsigned to, uint32_t round)
{
    ptl_size_t length = 4 + (round * 7 + to) % (CHUNK / 4) * 4;
    ptl_process_id_t target;
    unsigned chunk;

    while (idle_count == 0) {
        progress();
    }
    chunk = idle[--idle_count];
    chunks[chunk][0] = round;
    for (uint32_t i = 1; i < length / 4; i++) {
        chunks[chunk][i] = (rank << 16 | round) + i;
    }
    OK(PtlGetRankId(ni, to, &target));
    OK(PtlPutRegion(sender, (ptl_size_t)chunk * CHUNK, length < CHUNK ? length : CHUNK, PTL_NOACK_REQ, target, ENDPOINT,
                    0, (ptl_match_bits_t)chunk << NUMBER, 0, rank));
}

/* What cannot be posted leaves neither entry nor handles, and so the portal is still one that has no entry. */
static void refused(void)
{
    ptl_md_t md = {.threshold = 1, .options = PTL_MD_OP_PUT, .eq_handle = ni};
    ptl_handle_me_t me = PTL_HANDLE_NONE;
    ptl_handle_md_t descriptor = PTL_HANDLE_NONE;

    MUST(PtlMEMDAttach(ni, 0, anybody, 0, 0, PTL_RETAIN, PTL_INS_BEFORE, md, PTL_RETAIN, &me, &descriptor) != PTL_OK);
    md.eq_handle = PTL_EQ_NONE;
    MUST(PtlMEMDAttach(eq, 0, anybody, 0, 0, PTL_RETAIN, PTL_INS_BEFORE, md, PTL_RETAIN, &me, &descriptor) ==
         PTL_NI_INVALID);
    MUST(PtlMEMDAttach(ni, 0, anybody, 0, 0, PTL_RETAIN, PTL_INS_BEFORE, md, PTL_RETAIN, NULL, NULL) == PTL_SEGV);
    MUST(me == PTL_HANDLE_NONE && descriptor == PTL_HANDLE_NONE);
    for (ptl_pt_index_t portal = 1; portal != 0;) {
        OK(PtlMEAttachAny(ni, &portal, anybody, 0, 0, PTL_RETAIN, &me));
    }
}

int main(void)
{
    ptl_md_t md = {.start = chunks, .length = sizeof chunks, .threshold = PTL_MD_THRESH_INF};
    ptl_sr_value_t dropped;

    member_begin(NULL);
    MUST(size <= RANKS);
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &eq));
    md.options = PTL_MD_EVENT_START_DISABLE;
    md.eq_handle = eq;
    OK(PtlMDBind(ni, md, PTL_RETAIN, &sender));
    for (unsigned i = 0; i < CHUNKS; i++) {
        idle[idle_count++] = i;
    }
    for (unsigned i = 0; i < BUFFERS; i++) {
        post(&buffers[i]);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        OK(PtlRTBarrier(ni)); /* so that what is sent in a round finds room */
        for (unsigned to = 0; to < size; to++) {
            send((rank + to) % size, round);
        }
        while (total < (round + 1) * size) {
            progress();
        }
    }
    OK(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &dropped));
    MUST(dropped == 0 && reposted > 0);
    refused();
    return member_end();
}
