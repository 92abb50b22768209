/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication as libraries of symmetric memory had it: all of a process's heap is one descriptor without
 * events, into which the others put and from which they get; who has put waits for acknowledgements, and who is put to
 * looks at its memory and calls nothing. Locks and counters are exchanges.
 */
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "tests/later/programs/member33.h"

enum { HEAP = 3, ROUNDS = 10, ROWS = 40, PATCH = 24, MOST = 16, EPOCHS = 20, COUNTS = 10 };

struct heap {
    uint64_t flags[ROUNDS], lock, count, mail, read;
    double matrix[ROWS][MOST * PATCH]; /* each rank has PATCH columns in everybody's */
    char text[4096];
};

static struct heap heap, mine; /* what others see; what is sent and received */
static ptl_process_id_t ids[MOST];
static ptl_handle_eq_t queue;
static ptl_handle_md_t all;
static unsigned outstanding;

static ptl_handle_md_t bind(void *start, ptl_size_t length, ptl_handle_eq_t eq)
{
    ptl_md_t md = {.start = start,
                   .length = length,
                   .threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_EVENT_START_DISABLE,
                   .eq_handle = eq};
    ptl_handle_md_t bound;

    OK(PtlMDBind(ni, md, PTL_RETAIN, &bound));
    return bound;
}

static void open_heap(void)
{
    ptl_md_t md = {.start = &heap,
                   .length = sizeof heap,
                   .threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE,
                   .eq_handle = PTL_EQ_NONE};
    ptl_handle_me_t me;
    ptl_handle_md_t shown;

    OK(PtlMEAttach(ni, HEAP, anybody, 0, 0, PTL_RETAIN, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, md, PTL_RETAIN, &shown));
    OK(PtlEQAlloc(ni, 256, PTL_EQ_HANDLER_NONE, &queue));
    all = bind(&mine, sizeof mine, queue);
}

/* Takes events until one of this kind has come. */
static void progress(ptl_event_kind_t kind)
{
    ptl_event_t event;

    do {
        OK(PtlEQWait(queue, &event));
        MUST(event.ni_fail_type == PTL_NI_OK);
        outstanding -= event.type == PTL_EVENT_ACK;
    } while (event.type != kind);
}

static void quiet(void)
{
    while (outstanding > 0) {
        progress(PTL_EVENT_ACK);
    }
}

/* What is at `at` of `mine` to the same place of another rank's heap. */
static void put(unsigned to, size_t at, size_t octets)
{
    while (outstanding >= 64) {
        progress(PTL_EVENT_ACK);
    }
    OK(PtlPutRegion(all, at, octets, PTL_ACK_REQ, ids[to], HEAP, 0, 0, at, 0));
    outstanding++;
}

static void get(unsigned from, size_t at, size_t octets)
{
    OK(PtlGetRegion(all, at, octets, ids[from], HEAP, 0, 0, at));
    progress(PTL_EVENT_REPLY_END);
}

static uint64_t swap(unsigned with, size_t at, uint64_t value)
{
    uint64_t old = 0;
    ptl_handle_md_t getting = bind(&old, sizeof old, queue), putting = bind(&value, sizeof value, PTL_EQ_NONE);

    OK(PtlGetPut(getting, putting, ids[with], HEAP, 0, 0, at, 0));
    progress(PTL_EVENT_REPLY_END);
    while (PtlMDUnlink(putting) == PTL_MD_IN_USE) {
    }
    OK(PtlMDUnlink(getting));
    return old;
}

static void until(const volatile uint64_t *word, uint64_t value)
{
    while (*word < value) {
        sched_yield();
    }
}

/* Each tells those that are 1, 2, 4, .. ranks further, and waits for those that are as far before it. */
static void barrier(void)
{
    static uint64_t epoch;

    quiet();
    epoch++;
    for (unsigned round = 0; 1u << round < size; round++) {
        mine.flags[round] = epoch;
        put((rank + (1u << round)) % size, offsetof(struct heap, flags[round]), sizeof epoch);
        quiet();
        until(&heap.flags[round], epoch);
    }
}

static double element(unsigned owner, unsigned row, unsigned column, unsigned step)
{
    return owner * 1e6 + row * 1000 + column + step / 8.0;
}

/* Each rank's patch goes, row by row, into the matrix of all others; then all is there, and can be fetched. */
static void patches(unsigned step)
{
    size_t octets = PATCH * sizeof(double);

    for (unsigned row = 0; row < ROWS; row++) {
        for (unsigned column = 0; column < PATCH; column++) {
            mine.matrix[row][rank * PATCH + column] = element(rank, row, column, step);
        }
        for (unsigned to = 0; to < size; to++) {
            put(to, offsetof(struct heap, matrix[row][rank * PATCH]), octets);
        }
    }
    barrier();
    for (unsigned row = 0; row < ROWS; row++) {
        for (unsigned column = 0; column < size * PATCH; column++) {
            MUST(heap.matrix[row][column] == element(column / PATCH, row, column % PATCH, step));
        }
    }
    memset(mine.matrix, 0, sizeof mine.matrix);
    get((rank + 1) % size, offsetof(struct heap, matrix), sizeof mine.matrix);
    MUST(!memcmp(mine.matrix, heap.matrix, sizeof mine.matrix));
    barrier();
}

static void count_up(void)
{
    size_t lock = offsetof(struct heap, lock), count = offsetof(struct heap, count);

    for (int i = 0; i < COUNTS; i++) {
        while (swap(0, lock, rank + 1) != 0) {
            sched_yield();
        }
        get(0, count, sizeof mine.count);
        mine.count++;
        put(0, count, sizeof mine.count);
        quiet();
        MUST(swap(0, lock, 0) != 0);
    }
    barrier();
    MUST(rank != 0 || heap.count == (uint64_t)COUNTS * size);
}

/* Text to the next rank, whose mail flag rises once it is there, and who says that it has read it. */
static void mail(void)
{
    unsigned next = (rank + 1) % size, previous = (rank + size - 1) % size;

    for (uint64_t number = 1; number <= EPOCHS; number++) {
        memset(mine.text, (int)(rank + number), sizeof mine.text);
        put(next, offsetof(struct heap, text), sizeof mine.text);
        quiet();
        mine.mail = number;
        put(next, offsetof(struct heap, mail), sizeof mine.mail);
        until(&heap.mail, number);
        for (size_t i = 0; i < sizeof heap.text; i++) {
            MUST(heap.text[i] == (char)(previous + number));
        }
        mine.read = number;
        put(previous, offsetof(struct heap, read), sizeof mine.read);
        until(&heap.read, number);
        quiet();
    }
    barrier();
}

int main(void)
{
    member_begin(NULL);
    MUST(size <= MOST);
    for (unsigned i = 0; i < size; i++) {
        OK(PtlGetRankId(ni, i, &ids[i]));
    }
    open_heap();
    OK(PtlRTBarrier(ni));
    for (unsigned step = 0; step < 3; step++) {
        patches(step);
    }
    count_up();
    mail();
    MUST(PtlEQGet(queue, &(ptl_event_t){0}) != PTL_EQ_DROPPED);
    return member_end();
}
