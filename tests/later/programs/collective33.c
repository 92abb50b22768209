/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations as layers above Portals made them. Sums go up and down a tree in the header data of messages
 * without octets. In an exchange of all with all each has a block in everybody's region, whose descriptor goes when the
 * last one has come: that is the end of the exchange, and one for the next but one takes its place. Two of a kind are
 * there, since who is ahead may begin the next.
 */
#include <string.h>

#include "tests/later/programs/member33.h"

enum { TREE = 4, BLOCKS, MOST = 16, BLOCK = 1000, ROUNDS = 12, CHILDREN = 2, UP = 1, DOWN };

static ptl_process_id_t ids[MOST];
static ptl_handle_eq_t ups, downs, blocks[2], sent;
static ptl_handle_me_t entries[2];
static ptl_handle_md_t nothing;
static unsigned char regions[2][MOST][BLOCK], own[BLOCK];

static ptl_md_t region(void *start, ptl_size_t length, int threshold, ptl_handle_eq_t eq)
{
    return (ptl_md_t){.start = start,
                      .length = length,
                      .threshold = threshold,
                      .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE | PTL_MD_EVENT_START_DISABLE,
                      .eq_handle = eq};
}

static ptl_handle_me_t entry(ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_match_bits_t ignored)
{
    ptl_handle_me_t me;

    OK(PtlMEAttach(ni, portal, anybody, bits, ignored, PTL_RETAIN, PTL_INS_AFTER, &me));
    return me;
}

static void expect_blocks(int parity)
{
    ptl_handle_md_t md;

    OK(PtlMDAttach(entries[parity], region(regions[parity], sizeof regions[0], (int)size, blocks[parity]), PTL_UNLINK,
                   &md));
}

static void set_up(void)
{
    ptl_handle_eq_t *queues[] = {&ups, &downs, &blocks[0], &blocks[1], &sent};
    ptl_handle_md_t md;

    for (int i = 0; i < 5; i++) {
        OK(PtlEQAlloc(ni, 8 * MOST, PTL_EQ_HANDLER_NONE, queues[i]));
    }
    OK(PtlMDAttach(entry(TREE, UP, 0), region(NULL, 0, PTL_MD_THRESH_INF, ups), PTL_RETAIN, &md));
    OK(PtlMDAttach(entry(TREE, DOWN, 0), region(NULL, 0, PTL_MD_THRESH_INF, downs), PTL_RETAIN, &md));
    OK(PtlMDBind(ni, region(NULL, 0, PTL_MD_THRESH_INF, PTL_EQ_NONE), PTL_RETAIN, &nothing));
    for (int parity = 0; parity < 2; parity++) {
        entries[parity] = entry(BLOCKS, (ptl_match_bits_t)parity, 0xff00);
        expect_blocks(parity);
    }
}

static ptl_event_t next(ptl_handle_eq_t queue, ptl_event_kind_t kind)
{
    ptl_event_t event;

    OK(PtlEQWait(queue, &event));
    MUST(event.type == kind && event.ni_fail_type == PTL_NI_OK);
    return event;
}

static void tell(unsigned to, ptl_match_bits_t what, uint64_t value)
{
    OK(PtlPut(nothing, PTL_NOACK_REQ, ids[to], TREE, 0, what, 0, value));
}

/* The sum of what all ranks give. */
static uint64_t sum_of_all(uint64_t sum)
{
    unsigned first = CHILDREN * rank + 1;

    for (unsigned child = first; child < first + CHILDREN && child < size; child++) {
        sum += next(ups, PTL_EVENT_PUT_END).hdr_data;
    }
    if (rank > 0) {
        tell((rank - 1) / CHILDREN, UP, sum);
        sum = next(downs, PTL_EVENT_PUT_END).hdr_data;
    }
    for (unsigned child = first; child < first + CHILDREN && child < size; child++) {
        tell(child, DOWN, sum);
    }
    return sum;
}

static unsigned char octet(unsigned from, unsigned round, unsigned i)
{
    return (unsigned char)(from * 37 + round * 11 + i);
}

/* A block of each rank to each; the blocks are as long as the round says. */
static void exchange(unsigned round)
{
    int parity = round % 2;
    ptl_size_t length = round * 26 % (BLOCK + 1);
    ptl_handle_md_t md;
    unsigned came = 0;

    for (unsigned i = 0; i < length; i++) {
        own[i] = octet(rank, round, i);
    }
    OK(PtlMDBind(ni, region(own, length, (int)size, sent), PTL_UNLINK, &md));
    for (unsigned i = 1; i <= size; i++) {
        OK(PtlPut(md, PTL_NOACK_REQ, ids[(rank + i) % size], BLOCKS, 0, (ptl_match_bits_t)parity | rank << 8,
                  (ptl_size_t)rank * BLOCK, round));
    }
    while (came < size) {
        ptl_event_t event = next(blocks[parity], PTL_EVENT_PUT_END);

        MUST(event.hdr_data == round && event.mlength == length && (event.match_bits & 0xff) == (unsigned)parity);
        MUST(event.offset == (event.match_bits >> 8) * BLOCK);
        came++;
    }
    (void)next(blocks[parity], PTL_EVENT_UNLINK);
    for (unsigned from = 0; from < size; from++) {
        for (unsigned i = 0; i < BLOCK; i++) {
            MUST(regions[parity][from][i] == (i < length ? octet(from, round, i) : 0));
        }
    }
    memset(regions[parity], 0, sizeof regions[parity]);
    for (unsigned i = 0; i < size; i++) {
        (void)next(sent, PTL_EVENT_SEND_END);
    }
    (void)next(sent, PTL_EVENT_UNLINK);
    expect_blocks(parity);
}

int main(void)
{
    member_begin(NULL);
    MUST(size <= MOST);
    for (unsigned i = 0; i < size; i++) {
        OK(PtlGetRankId(ni, i, &ids[i]));
    }
    set_up();
    OK(PtlRTBarrier(ni));
    for (unsigned round = 0; round < ROUNDS; round++) {
        exchange(round);
        MUST(sum_of_all((uint64_t)(rank + 1) << 40 | round) == ((uint64_t)size * (size + 1) / 2 << 40) + size * round);
        exchange(round + 1);
        exchange(round);
    }
    return member_end();
}
