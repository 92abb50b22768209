/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving as Open MPI's matching transport does it, each process from the one before it: what nobody has asked for
 * falls into a block at the end of the list, whose queue is looked into before a receive is posted in front of it, and
 * once more in the same step as that. The functions are called through pointers of the types that programs of the time
 * were compiled with.
 */
#include <string.h>

#include "tests/later/programs/member33.h"

enum { PORTAL = 32, ROUNDS = 200, ROOM = 64, EVENTS = 1024 };

typedef int post_function(ptl_handle_ni_t, ptl_handle_me_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t,
                          ptl_unlink_t, ptl_ins_pos_t, ptl_md_t, ptl_unlink_t, ptl_handle_me_t *, ptl_handle_md_t *,
                          ptl_handle_eq_t);
typedef int insert_function(ptl_handle_me_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t,
                            ptl_ins_pos_t, ptl_handle_me_t *);
typedef int update_function(ptl_handle_md_t, ptl_md_t *, ptl_md_t *, ptl_handle_eq_t);

static post_function *const post = PtlMEMDPost;
static insert_function *const insert = PtlMEInsert;
static update_function *const update = PtlMDUpdate;

static ptl_handle_me_t last;                 /* the entry of what nobody has asked for */
static ptl_handle_eq_t unexpected, expected; /* its queue, and that of receives */
static uint64_t block[ROOM * ROUNDS];
static unsigned taken_early, taken_posted;

static ptl_md_t region(void *start, ptl_size_t length, int threshold, unsigned options, ptl_handle_eq_t queue)
{
    return (ptl_md_t){.start = start,
                      .length = length,
                      .threshold = threshold,
                      .options = options | PTL_MD_EVENT_START_DISABLE,
                      .eq_handle = queue};
}

static ptl_process_id_t of_rank(unsigned which)
{
    ptl_process_id_t id;

    OK(PtlGetRankId(ni, which, &id));
    return id;
}

/* One that was there before it was asked for; nothing else is. 0: none is there. */
static int take_early(ptl_match_bits_t number)
{
    ptl_event_t event;
    int code = PtlEQGet(unexpected, &event);

    if (code == PTL_EQ_EMPTY) {
        return 0;
    }
    MUST(code == PTL_OK && event.type == PTL_EVENT_PUT_END && event.match_bits == number);
    MUST(*(uint64_t *)(void *)((char *)event.md.start + event.offset) == number * 3 && event.hdr_data == number);
    taken_early++;
    return 1;
}

/* A receive; it is posted only when nothing is unexpected. */
static void take(unsigned from, ptl_match_bits_t number)
{
    uint64_t data = 0;
    ptl_handle_me_t me = PTL_INVALID_HANDLE;
    ptl_handle_md_t md = PTL_INVALID_HANDLE;
    ptl_event_t event;
    int code;

    do {
        if (take_early(number)) {
            return;
        }
        code = post(ni, last, of_rank(from), number, 0, PTL_UNLINK, PTL_INS_BEFORE,
                    region(&data, sizeof data, 1, PTL_MD_OP_PUT | PTL_MD_TRUNCATE, expected), PTL_UNLINK, &me, &md,
                    unexpected);
        MUST(code == PTL_OK || (code == PTL_MD_NO_UPDATE && me == PTL_INVALID_HANDLE && md == PTL_INVALID_HANDLE));
    } while (code != PTL_OK);
    OK(PtlEQWait(expected, &event));
    MUST(event.type == PTL_EVENT_PUT_END && event.md_handle == md && event.mlength == sizeof data);
    MUST(data == number * 3);
    OK(PtlEQWait(expected, &event));
    MUST(event.type == PTL_EVENT_UNLINK && PtlMEUnlink(me) == PTL_ME_INVALID);
    taken_posted++;
}

static void give(unsigned to, ptl_match_bits_t number)
{
    uint64_t data = number * 3;
    ptl_handle_eq_t queue;
    ptl_handle_md_t md;
    ptl_event_t event;

    OK(PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &queue));
    OK(PtlMDBind(ni, region(&data, sizeof data, 1, 0, queue), PTL_RETAIN, &md));
    OK(PtlPut(md, PTL_NO_ACK_REQ, of_rank(to), PORTAL, 0, number, 0, number));
    OK(PtlEQWait(queue, &event));
    MUST(event.type == PTL_EVENT_SEND_END);
    OK(PtlMDUnlink(md));
    OK(PtlEQFree(queue));
}

/* What is refused leaves nothing behind. */
static void refusals(void)
{
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_handle_ni_t other;
    ptl_md_t fits = region(block, 8, 1, PTL_MD_OP_PUT, PTL_EQ_NONE), illegal = region(NULL, 8, 1, 0, PTL_EQ_NONE);
    ptl_process_id_t self = of_rank(rank), nobody = {0, 0};

    OK(PtlNIInit(PTL_IFACE_MYR, PTL_PID_ANY, NULL, NULL, &other));
    MUST(post(other, last, self, 0, 0, PTL_UNLINK, PTL_INS_BEFORE, fits, PTL_UNLINK, &me, &md, PTL_EQ_NONE) ==
         PTL_NI_INVALID);
    MUST(post(ni, PTL_INVALID_HANDLE, self, 0, 0, PTL_UNLINK, PTL_INS_BEFORE, fits, PTL_UNLINK, &me, &md,
              PTL_EQ_NONE) == PTL_ME_INVALID);
    MUST(post(ni, last, self, 0, 0, PTL_UNLINK, PTL_INS_BEFORE, illegal, PTL_UNLINK, &me, &md, PTL_EQ_NONE) ==
         PTL_MD_ILLEGAL);
    MUST(post(ni, last, self, 0, 0, PTL_UNLINK, PTL_INS_BEFORE, fits, PTL_UNLINK, &me, &md, 12345) == PTL_EQ_INVALID);
    OK(post(ni, last, nobody, 0, 0, PTL_RETAIN, PTL_INS_AFTER, fits, PTL_UNLINK, &me, &md, PTL_EQ_NONE));
    OK(PtlMDUnlink(md));
    OK(PtlMEUnlink(me));
    OK(insert(last, self, 0, 0, PTL_RETAIN, PTL_INS_BEFORE, &me));
    OK(PtlMDAttach(me, fits, PTL_UNLINK, &md));
    OK(update(md, NULL, &fits, PTL_EQ_NONE));
    OK(PtlMEUnlink(me));
    OK(PtlNIFini(other));
}

int main(void)
{
    ptl_md_t md;

    member_begin(NULL);
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &unexpected));
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &expected));
    OK(PtlMEAttach(ni, PORTAL, anybody, 0, ~(ptl_match_bits_t)0, PTL_RETAIN, PTL_INS_AFTER, &last));
    md = region(block, sizeof block, PTL_MD_THRESH_INF, PTL_MD_OP_PUT | PTL_MD_ACK_DISABLE, unexpected);
    OK(PtlMDAttach(last, md, PTL_RETAIN, NULL));
    refusals();
    OK(PtlRTBarrier(ni));
    for (ptl_match_bits_t number = 1; number <= ROUNDS; number++) {
        if (number % 2) { /* early, or at any time */
            give((rank + 1) % size, number);
        }
        if (number % 10 == 0) {
            OK(PtlRTBarrier(ni));
        }
        if (number % 2 == 0) {
            give((rank + 1) % size, number);
        }
        take((rank + size - 1) % size, number);
    }
    MUST(taken_early + taken_posted == ROUNDS);
    return member_end();
}
