/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A match list that is kept in the order of priorities: each entry is inserted before or after one that is there, some
 * go again, and every put of a neighbour, which fits all of them, takes the first that is left. Begins are logged in
 * the order of the puts; ends, and what tells of descriptors that go, may come in another.
 */
#include <string.h>

#include "tests/later/programs/member33.h"

enum { PORTAL = 2, ENTRIES = 120, ANY_BITS = -1 };

static ptl_handle_eq_t queue;
static ptl_handle_me_t entries[ENTRIES];
static uint32_t cells[ENTRIES];
static int list[ENTRIES], left;

/* The place of entry i: priorities are 0, 49, 98, .. modulo 127, so that no two are alike. */
static int place_of(int i)
{
    int at = 0;

    while (at < left && list[at] * 49 % 127 < i * 49 % 127) {
        at++;
    }
    return at;
}

static void insert(int i)
{
    const ptl_match_bits_t all = (ptl_match_bits_t)ANY_BITS;
    ptl_md_t md = {.start = &cells[i],
                   .length = sizeof cells[i],
                   .threshold = 1,
                   .options = PTL_MD_OP_PUT,
                   .user_ptr = &cells[i],
                   .eq_handle = queue};
    int at = place_of(i);

    if (left == 0) {
        OK(PtlMEAttach(ni, PORTAL, anybody, 0, all, PTL_UNLINK, PTL_INS_BEFORE, &entries[i]));
    } else if (at == 0 || (at < left && i % 2)) {
        OK(PtlMEInsert(entries[list[at]], anybody, 0, all, PTL_UNLINK, PTL_INS_BEFORE, &entries[i]));
    } else {
        OK(PtlMEInsert(entries[list[at - 1]], anybody, 0, all, PTL_UNLINK, PTL_INS_AFTER, &entries[i]));
    }
    OK(PtlMDAttach(entries[i], md, PTL_UNLINK, NULL));
    memmove(list + at + 1, list + at, sizeof *list * (size_t)(left - at));
    list[at] = i;
    left++;
}

/* Nothing can be inserted beside what has gone. */
static void take_out(int at)
{
    ptl_handle_me_t other, gone = entries[list[at]];

    OK(PtlMEUnlink(gone));
    MUST(PtlMEUnlink(gone) == PTL_ME_INVALID);
    MUST(PtlMEInsert(gone, anybody, 0, 0, PTL_UNLINK, PTL_INS_AFTER, &other) == PTL_ME_INVALID);
    left--;
    memmove(list + at, list + at + 1, sizeof *list * (size_t)(left - at));
}

static void send(ptl_process_id_t neighbour)
{
    uint32_t value = 4711;
    ptl_md_t md = {.start = &value, .length = sizeof value, .threshold = 2 * left};
    ptl_handle_eq_t sent;
    ptl_handle_md_t handle;
    ptl_event_t event;

    OK(PtlEQAlloc(ni, 4 * ENTRIES, PTL_EQ_HANDLER_NONE, &sent));
    md.eq_handle = sent;
    OK(PtlMDBind(ni, md, PTL_UNLINK, &handle));
    for (int i = 0; i < left; i++) {
        OK(PtlPut(handle, PTL_ACK_REQ, neighbour, PORTAL, 0, (ptl_match_bits_t)i, 0, (ptl_hdr_data_t)i));
    }
    do {
        OK(PtlEQWait(sent, &event));
    } while (event.type != PTL_EVENT_UNLINK);
    OK(PtlEQFree(sent));
}

static void look(void)
{
    ptl_seq_t ends[ENTRIES] = {0};
    int begun = 0, ended = 0, gone = 0;
    ptl_event_t event;

    while (gone < left) {
        OK(PtlEQWait(queue, &event));
        uint32_t *cell = event.md.user_ptr;
        if (event.type == PTL_EVENT_PUT_START) {
            MUST(cell == &cells[list[begun]] && event.hdr_data == (ptl_hdr_data_t)begun);
            begun++;
        } else if (event.type == PTL_EVENT_PUT_END) {
            MUST(*cell == 4711 && event.mlength == sizeof *cell);
            ends[cell - cells] = event.sequence;
            ended++;
        } else {
            MUST(event.type == PTL_EVENT_UNLINK && event.link == ends[cell - cells]);
            gone++;
        }
    }
    MUST(begun == left && ended == left && PtlEQGet(queue, &event) == PTL_EQ_EMPTY);
}

int main(void)
{
    ptl_process_id_t neighbour;

    member_begin(NULL);
    OK(PtlGetRankId(ni, (rank + 1) % size, &neighbour));
    OK(PtlEQAlloc(ni, 4 * ENTRIES, PTL_EQ_HANDLER_NONE, &queue));
    for (int i = 0; i < ENTRIES; i++) {
        insert(i);
    }
    for (int at = 2; at < left; at += 4) {
        take_out(at);
    }
    OK(PtlRTBarrier(ni));
    send(neighbour);
    look();
    return member_end();
}
