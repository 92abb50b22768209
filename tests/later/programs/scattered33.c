/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Regions in pieces: each rank shows the next one three of them, which that puts into, gets from and exchanges with,
 * from pieces of its own. What must be there after each step is told by plain arrays.
 */
#include <string.h>

#include "tests/later/programs/member33.h"

enum { REMOTE = 4, LOCAL, WORDS, OCTETS = 300000, PIECES = 9, EVENTS = 256 };

/* A region: its octets lie in `memory` with holes between them, and in no order. */
struct region {
    unsigned char memory[2 * OCTETS];
    ptl_md_iovec_t pieces[PIECES];
    ptl_md_iovec_t given[PIECES]; /* the same, as the library gets to see it */
    ptl_handle_md_t md;
    ptl_handle_eq_t events;
};

static const ptl_size_t lengths[PIECES] = {0, 1, 7, 0, 4096, 100000, 3, 195893, 0};
static ptl_process_id_t next;
static struct region own, remote, local, words;
static unsigned char model[OCTETS]; /* what must be in `remote` here */

static unsigned char octet(ptl_size_t i, unsigned seed)
{
    return (unsigned char)(i * 7 + (i >> 8) + seed);
}

/* Where octet `i` of a region is. */
static unsigned char *at(const struct region *region, ptl_size_t i)
{
    int piece = 0;

    while (i >= lengths[piece]) {
        i -= lengths[piece++];
    }
    return (unsigned char *)region->pieces[piece].iov_base + i;
}

static void fill(struct region *region, unsigned seed)
{
    for (ptl_size_t i = 0; i < OCTETS; i++) {
        *at(region, i) = octet(i, seed);
    }
}

/* The holes between pieces must stay what they were. */
static void check_holes(const struct region *region)
{
    ptl_size_t zeros = 0, filled = 0;

    for (ptl_size_t i = 0; i < sizeof region->memory; i++) {
        zeros += region->memory[i] == 0xee;
    }
    for (ptl_size_t i = 0; i < OCTETS; i++) {
        filled += *at(region, i) == 0xee;
    }
    MUST(zeros - filled == sizeof region->memory - OCTETS);
}

static ptl_md_t pieces_of(struct region *region, unsigned options)
{
    unsigned char *end = region->memory + sizeof region->memory;

    memset(region->memory, 0xee, sizeof region->memory);
    for (int i = 0; i < PIECES; i++) {
        end -= lengths[i] + 11;
        region->pieces[i] = (ptl_md_iovec_t){lengths[i] ? end : NULL, lengths[i]};
    }
    memcpy(region->given, region->pieces, sizeof region->given);
    fill(region, 0);
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &region->events));
    return (ptl_md_t){.start = region->given,
                      .length = PIECES,
                      .threshold = PTL_MD_THRESH_INF,
                      .options = options | PTL_MD_IOVEC | PTL_MD_EVENT_START_DISABLE,
                      .eq_handle = region->events};
}

static void show(struct region *region, ptl_pt_index_t portal, unsigned options)
{
    ptl_md_t md = pieces_of(region, options | PTL_MD_OP_PUT | PTL_MD_OP_GET);
    ptl_handle_me_t me;

    OK(PtlMEAttach(ni, portal, anybody, 0, 0, PTL_RETAIN, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, md, PTL_RETAIN, &region->md));
    memset(region->given, 0xff, sizeof region->given); /* the array is the program's again */
}

/* The next event of a region, which must be of that kind and tell of so many octets. */
static ptl_event_t expect(const struct region *region, ptl_event_kind_t kind, ptl_size_t mlength)
{
    ptl_event_t event;

    OK(PtlEQWait(region->events, &event));
    if (event.type != kind || event.mlength != mlength) {
        fprintf(stderr, "%s of %llu octets\n", PtlEventKindStr(event.type), (unsigned long long)event.mlength);
    }
    MUST(event.type == kind && event.mlength == mlength);
    MUST(event.md.start == region->given && event.md.length == PIECES && (event.md.options & PTL_MD_IOVEC));
    return event;
}

/* Parts of many lengths at many places, those of one piece and those of several, to and from the next rank. */
static void parts(void)
{
    static const ptl_size_t places[][2] = {{0, OCTETS}, {0, 1},      {1, 7},        {0, 2},
                                           {8, 4096},   {7, 4098},   {4104, 99999}, {104100, 300},
                                           {299999, 1}, {OCTETS, 0}, {3, 0},        {50, 200000}};

    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        ptl_size_t from = places[i][0], length = places[i][1], to = OCTETS - from - length;
        ptl_event_t event;

        fill(&own, i + 1);
        OK(PtlPutRegion(own.md, from, length, PTL_ACK_REQ, next, REMOTE, 0, 0, to, 0));
        (void)expect(&own, PTL_EVENT_SEND_END, length);
        (void)expect(&own, PTL_EVENT_ACK, length);
        event = expect(&remote, PTL_EVENT_PUT_END, length);
        MUST(event.offset == to);
        for (ptl_size_t at_octet = 0; at_octet < length; at_octet++) {
            model[to + at_octet] = octet(from + at_octet, i + 1);
        }
        for (ptl_size_t j = 0; j < OCTETS; j++) {
            MUST(*at(&remote, j) == model[j]);
        }
        fill(&own, 200);
        OK(PtlGetRegion(own.md, from, length, next, REMOTE, 0, 0, to));
        (void)expect(&own, PTL_EVENT_REPLY_END, length);
        (void)expect(&remote, PTL_EVENT_GET_END, length);
        for (ptl_size_t j = 0; j < OCTETS; j++) {
            MUST(*at(&own, j) == octet(j, j >= from && j - from < length ? i + 1 : 200));
        }
        OK(PtlRTBarrier(ni));
    }
    check_holes(&own);
    check_holes(&remote);
}

/* A descriptor that keeps its offset takes one put behind the other, and is cut where it ends. */
static void appended(void)
{
    static unsigned char plain[OCTETS];
    ptl_md_t md = {.start = plain, .length = 70001, .threshold = PTL_MD_THRESH_INF, .eq_handle = PTL_EQ_NONE};
    ptl_handle_md_t source;

    for (ptl_size_t i = 0; i < md.length; i++) {
        plain[i] = octet(i, 77);
    }
    OK(PtlMDBind(ni, md, PTL_RETAIN, &source));
    for (ptl_size_t came = 0; came < OCTETS; came += md.length) {
        ptl_size_t fits = OCTETS - came < md.length ? OCTETS - came : md.length;

        OK(PtlPut(source, PTL_NOACK_REQ, next, LOCAL, 0, 0, 0, 0));
        MUST(expect(&local, PTL_EVENT_PUT_END, fits).offset == came);
        OK(PtlRTBarrier(ni));
    }
    for (ptl_size_t i = 0; i < OCTETS; i++) {
        MUST(*at(&local, i) == octet(i % md.length, 77));
    }
    check_holes(&local);
}

/* Twelve octets, over five pieces, for those of the next rank. */
static void exchange(void)
{
    unsigned char put[12], got[12];
    ptl_md_iovec_t outs[] = {{put, 5}, {put + 5, 0}, {put + 5, 7}}, ins[] = {{got, 1}, {got + 1, 11}};
    ptl_md_t md = {.start = outs, .length = 3, .threshold = PTL_MD_THRESH_INF, .options = PTL_MD_IOVEC};
    ptl_handle_md_t out, in;

    memset(put, 0x5a, sizeof put);
    md.eq_handle = PTL_EQ_NONE;
    OK(PtlMDBind(ni, md, PTL_RETAIN, &out));
    md.start = ins;
    md.length = 2;
    md.options |= PTL_MD_EVENT_START_DISABLE;
    md.eq_handle = own.events;
    OK(PtlMDBind(ni, md, PTL_RETAIN, &in));
    OK(PtlGetPut(in, out, next, WORDS, 0, 0, 0, 0));
    (void)expect(&words, PTL_EVENT_GETPUT_END, sizeof put);
    ptl_event_t event;
    OK(PtlEQWait(own.events, &event));
    MUST(event.type == PTL_EVENT_REPLY_END && event.mlength == sizeof got);
    for (ptl_size_t i = 0; i < OCTETS; i++) {
        MUST(*at(&words, i) == (i < sizeof put ? 0x5a : octet(i, 0)));
        MUST(i >= sizeof got || got[i] == octet(i, 0));
    }
    check_holes(&words);
}

/* What cannot be a region is refused; what can be is told as it was given. */
static void values(void)
{
    ptl_md_iovec_t piece = {NULL, 1}, none[1] = {{NULL, 0}};
    ptl_md_t md = {.start = &piece, .length = 1, .options = PTL_MD_IOVEC, .eq_handle = PTL_EQ_NONE}, old;
    ptl_ni_limits_t limits;
    ptl_handle_ni_t again;
    ptl_handle_md_t made;

    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, &limits, &again));
    MUST(limits.max_md_iovecs >= PIECES);
    MUST(PtlMDBind(ni, md, PTL_RETAIN, &made) == PTL_MD_ILLEGAL);
    md.start = NULL;
    MUST(PtlMDBind(ni, md, PTL_RETAIN, &made) == PTL_MD_ILLEGAL);
    ptl_md_iovec_t *many = calloc((size_t)limits.max_md_iovecs + 1, sizeof *many);
    md.start = many;
    md.length = (ptl_size_t)limits.max_md_iovecs + 1;
    MUST(PtlMDBind(ni, md, PTL_RETAIN, &made) == PTL_MD_ILLEGAL);
    md.length--;
    OK(PtlMDBind(ni, md, PTL_RETAIN, &made));
    md = (ptl_md_t){.start = none, .length = 1, .options = PTL_MD_IOVEC, .eq_handle = PTL_EQ_NONE};
    OK(PtlMDUpdate(made, &old, &md, PTL_EQ_NONE));
    MUST(old.start == many && old.length == (ptl_size_t)limits.max_md_iovecs);
    md.start = &piece;
    MUST(PtlMDUpdate(made, NULL, &md, PTL_EQ_NONE) == PTL_MD_ILLEGAL);
    OK(PtlMDUpdate(made, &old, NULL, PTL_EQ_NONE));
    MUST(old.start == none && old.length == 1);
    OK(PtlMDUnlink(made));
    free(many);
}

/* An interface has the limits that are wished for, where they are less than what there is, and holds its callers to
 * them. */
static void wishes(void)
{
    ptl_ni_limits_t wished = {.max_md_iovecs = 2, .max_getput_md = 8, .max_pt_index = 7, .max_ac_index = 7}, actual;
    ptl_md_iovec_t three[3] = {{own.memory, 4}, {own.memory + 8, 4}, {own.memory + 16, 4}};
    ptl_md_t md = {.start = three, .length = 3, .threshold = 1, .options = PTL_MD_IOVEC, .eq_handle = PTL_EQ_NONE};
    ptl_handle_ni_t second;
    ptl_handle_md_t made, other;
    ptl_process_id_t self;

    OK(PtlNIInit(PTL_IFACE_MYR, PTL_PID_ANY, &wished, &actual, &second));
    MUST(actual.max_md_iovecs == 2 && actual.max_getput_md == 8);
    OK(PtlNIInit(PTL_IFACE_MYR, PTL_PID_ANY, NULL, &actual, &second));
    MUST(actual.max_md_iovecs == 2 && actual.max_getput_md == 8);
    MUST(PtlMDBind(second, md, PTL_RETAIN, &made) == PTL_MD_ILLEGAL);
    md.length = 2;
    OK(PtlMDBind(second, md, PTL_RETAIN, &made));
    md.length = 3;
    MUST(PtlMDUpdate(made, NULL, &md, PTL_EQ_NONE) == PTL_MD_ILLEGAL);
    md = (ptl_md_t){.start = own.memory, .length = 9, .threshold = 1, .eq_handle = PTL_EQ_NONE};
    OK(PtlMDUpdate(made, NULL, &md, PTL_EQ_NONE));
    OK(PtlMDBind(second, md, PTL_RETAIN, &other));
    OK(PtlGetId(second, &self));
    MUST(PtlGetPut(made, other, self, REMOTE, 0, 0, 0, 0) == PTL_MD_ILLEGAL);
    OK(PtlNIFini(second));
}

int main(void)
{
    ptl_md_t md;

    member_begin(NULL);
    OK(PtlGetRankId(ni, (rank + 1) % size, &next));
    values();
    wishes();
    show(&remote, REMOTE, PTL_MD_MANAGE_REMOTE);
    show(&local, LOCAL, PTL_MD_TRUNCATE);
    show(&words, WORDS, PTL_MD_MANAGE_REMOTE);
    md = pieces_of(&own, 0);
    OK(PtlMDBind(ni, md, PTL_RETAIN, &own.md));
    for (ptl_size_t i = 0; i < OCTETS; i++) {
        model[i] = octet(i, 0);
    }
    OK(PtlRTBarrier(ni));
    parts();
    appended();
    exchange();
    return member_end();
}
