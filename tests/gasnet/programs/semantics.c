/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Every call of gasnet.h once at least, each with what it must do: the program says "right" at the end. With any number
 * of nodes.
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { SEGMENT = 1 << 22, BIG = 300000 };

enum { H_SHORT = 128, H_SHORT_BACK, H_SIXTEEN, H_SIXTEEN_BACK, H_MEDIUM, H_MEDIUM_BACK, H_LONG, H_LONG_BACK, H_SILENT };

static gasnet_seginfo_t *segment;
static gasnet_node_t me, count, right, left;
static int back, silent, long_back;
static unsigned char pattern[BIG];
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;

static void *at(gasnet_node_t node, size_t offset)
{
    return (char *)segment[node].addr + offset;
}

static void short_come(gasnet_token_t token)
{
    gasnet_node_t from;

    MUST(gasnet_AMGetMsgSource(token, &from));
    HOLDS(from == left);
    MUST(gasnet_AMReplyShort0(token, H_SHORT_BACK));
    HOLDS(gasnet_AMReplyShort0(token, H_SHORT_BACK) != GASNET_OK);
}

static void short_back(gasnet_token_t token)
{
    gasnet_node_t from;

    MUST(gasnet_AMGetMsgSource(token, &from));
    HOLDS(from == right);
    HOLDS(gasnet_AMReplyShort0(token, H_SHORT_BACK) != GASNET_OK);
    back++;
}

#define SIXTEEN_INTS                                                                                                   \
    gasnet_handlerarg_t a0, gasnet_handlerarg_t a1, gasnet_handlerarg_t a2, gasnet_handlerarg_t a3,                    \
        gasnet_handlerarg_t a4, gasnet_handlerarg_t a5, gasnet_handlerarg_t a6, gasnet_handlerarg_t a7,                \
        gasnet_handlerarg_t a8, gasnet_handlerarg_t a9, gasnet_handlerarg_t a10, gasnet_handlerarg_t a11,              \
        gasnet_handlerarg_t a12, gasnet_handlerarg_t a13, gasnet_handlerarg_t a14, gasnet_handlerarg_t a15

static void sixteen_come(gasnet_token_t token, void *payload, size_t octets, SIXTEEN_INTS)
{
    HOLDS(octets == gasnet_AMMaxMedium() && !memcmp(payload, pattern, octets));
    HOLDS((uintptr_t)payload % 8 == 0);
    HOLDS(a0 == -1 && a1 == 1 && a2 == 2 && a3 == 3 && a4 == 4 && a5 == 5 && a6 == 6 && a7 == 7 && a8 == 8);
    HOLDS(a9 == 9 && a10 == 10 && a11 == 11 && a12 == 12 && a13 == 13 && a14 == 14 && a15 == INT32_MIN);
    MUST(gasnet_AMReplyMedium16(token, H_SIXTEEN_BACK, payload, octets, a15, a14, a13, a12, a11, a10, a9, a8, a7, a6,
                                a5, a4, a3, a2, a1, a0));
}

static void sixteen_back(gasnet_token_t token, void *payload, size_t octets, SIXTEEN_INTS)
{
    (void)token;
    HOLDS(octets == gasnet_AMMaxMedium() && !memcmp(payload, pattern, octets));
    HOLDS(a0 == INT32_MIN && a1 == 14 && a14 == 1 && a15 == -1 && a2 + a3 + a4 + a5 + a6 == 55);
    HOLDS(a7 + a8 + a9 + a10 + a11 + a12 + a13 == 35);
    back++;
}

static void medium_come(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t n)
{
    HOLDS((gasnet_handlerarg_t)octets == n && !memcmp(payload, pattern, octets));
    gasnet_hsl_lock(&lock);
    HOLDS(gasnet_hsl_trylock(&lock) == GASNET_ERR_NOT_READY);
    gasnet_hsl_unlock(&lock);
    MUST(gasnet_AMReplyMedium1(token, H_MEDIUM_BACK, payload, octets, n));
}

static void medium_back(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t n)
{
    (void)token;
    HOLDS((gasnet_handlerarg_t)octets == n && !memcmp(payload, pattern, octets));
    back++;
}

/* The reply brings the same data to the second half of the requester's segment. */
static void long_come(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t inside)
{
    gasnet_node_t from;

    MUST(gasnet_AMGetMsgSource(token, &from));
    HOLDS(payload == at(me, 4096) && !memcmp(payload, pattern, octets));
    MUST(gasnet_AMReplyLong1(token, H_LONG_BACK, inside ? payload : (void *)pattern, octets, at(from, SEGMENT / 2),
                             (gasnet_handlerarg_t)octets));
}

static void long_is_back(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t n)
{
    (void)token;
    HOLDS((gasnet_handlerarg_t)octets == n && payload == at(me, SEGMENT / 2) && !memcmp(payload, pattern, octets));
    long_back++;
}

static void silent_come(gasnet_token_t token, gasnet_handlerarg_t more)
{
    (void)token;
    silent += more;
}

static gasnet_handlerentry_t handlers[] = {
    {H_SHORT, (void (*)())short_come},     {H_SHORT_BACK, (void (*)())short_back},
    {H_SIXTEEN, (void (*)())sixteen_come}, {H_SIXTEEN_BACK, (void (*)())sixteen_back},
    {H_MEDIUM, (void (*)())medium_come},   {H_MEDIUM_BACK, (void (*)())medium_back},
    {H_LONG, (void (*)())long_come},       {H_LONG_BACK, (void (*)())long_is_back},
    {0, (void (*)())silent_come},
};

//= GASN-136 GASN-145 GASN-146
static void messages(void)
{
    const size_t sizes[] = {0, 1, 7, 8, 255, 256, 257, 511, 600, 951};
    int want = 2;

    MUST(gasnet_AMRequestShort0(right, H_SHORT));
    GASNET_BLOCKUNTIL(back == 1);
    MUST(gasnet_AMRequestMedium16(right, H_SIXTEEN, pattern, gasnet_AMMaxMedium(), -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                  11, 12, 13, 14, INT32_MIN));
    GASNET_BLOCKUNTIL(back == want);
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        MUST(gasnet_AMRequestMedium1(right, H_MEDIUM, pattern, sizes[i], (gasnet_handlerarg_t)sizes[i]));
    }
    want += (int)(sizeof(sizes) / sizeof(*sizes));
    GASNET_BLOCKUNTIL(back == want);
    HOLDS(gasnet_AMRequestMedium0(right, H_MEDIUM, pattern, gasnet_AMMaxMedium() + 1) == GASNET_ERR_BAD_ARG);
    HOLDS(gasnet_AMRequestShort0(count, H_SHORT) == GASNET_ERR_BAD_ARG);
    HOLDS(gasnet_AMRequestLong0(right, H_LONG, pattern, 8, at(right, SEGMENT - 7)) == GASNET_ERR_BAD_ARG);
    barrier_all();
}

//= GASN-052 GASN-056 GASN-057 GASN-076 GASN-137 GASN-147
static void long_messages(void)
{
    const size_t sizes[] = {0, 1, 1000, 1008, 1009, 2000, 65536, BIG};
    int want = 0;

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        memcpy(at(me, SEGMENT - BIG), pattern, BIG);
        MUST(gasnet_AMRequestLong1(right, H_LONG, pattern, sizes[i], at(right, 4096), 1));
        GASNET_BLOCKUNTIL(long_back == want + 1);
        MUST(gasnet_AMRequestLong1(right, H_LONG, at(me, SEGMENT - BIG), sizes[i], at(right, 4096), 0));
        GASNET_BLOCKUNTIL(long_back == want + 2);
        MUST(gasnet_AMRequestLongAsync1(right, H_LONG, pattern, sizes[i], at(right, 4096), 1));
        want += 3;
        GASNET_BLOCKUNTIL(long_back == want);
        barrier_all();
    }
}

//= GASN-014 GASN-030 GASN-064 GASN-141
static void many_messages(void)
{
    enum { MANY = 3000 };

    barrier_all();
    for (int i = 0; i < MANY; i++) {
        MUST(gasnet_AMRequestShort1((gasnet_node_t)i % count, handlers[8].index, 1));
    }
    GASNET_BLOCKUNTIL(silent >= MANY / (int)count * (int)count - (int)count);
    barrier_all();
    while (gasnet_AMPoll() == GASNET_OK && silent < MANY / (int)count * (int)count) {
    }
    barrier_all();
}

static void fill_own(unsigned char *memory, size_t octets, unsigned seed)
{
    for (size_t i = 0; i < octets; i++) {
        memory[i] = (unsigned char)(i * 7 + seed);
    }
}

//= GASN-002 GASN-003 GASN-022 GASN-023 GASN-025 GASN-051 GASN-053 GASN-054 GASN-092 GASN-093 GASN-094 GASN-102
//= GASN-103 GASN-106 GASN-108 GASN-109
static void puts_and_gets(void)
{
    const size_t sizes[] = {0, 1, 8, 1023, 1024, 1025, 4096, BIG};
    static unsigned char out[BIG], in[BIG];

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        for (unsigned place = 0; place < 2; place++) {
            unsigned char *from = place ? at(me, SEGMENT / 2) : out, *to = place ? at(me, 3 * SEGMENT / 4) : in;

            fill_own(from, sizes[i], me + i);
            memset(to, 0, sizes[i]);
            gasnet_put(right, at(right, 64), from, sizes[i]);
            gasnet_get(to, right, at(right, 64), sizes[i]);
            HOLDS(!memcmp(from, to, sizes[i]));
            memset(to, 0, sizes[i]);
            gasnet_get_bulk(to, right, at(right, 64), sizes[i]);
            HOLDS(!memcmp(from, to, sizes[i]));
            barrier_all();
        }
    }
    gasnet_put_bulk(me, at(me, 0), out, 100);
    gasnet_get(in, me, at(me, 0), 100);
    HOLDS(!memcmp(in, out, 100));
    barrier_all();
}

//= GASN-006 GASN-066 GASN-089 GASN-098 GASN-099 GASN-105
static void without_waiting(void)
{
    enum { PIECES = 200, PIECE = 1500 };
    static unsigned char out[PIECES * PIECE], in[PIECES * PIECE], reused[PIECE];
    gasnet_handle_t handles[PIECES];

    fill_own(out, sizeof(out), me + 100);
    for (int i = 0; i < PIECES; i++) {
        memcpy(reused, out + i * PIECE, PIECE);
        handles[i] = i % 2 ? gasnet_put_nb(right, at(right, (size_t)(i * PIECE)), reused, PIECE)
                           : gasnet_put_nb_bulk(right, at(right, (size_t)(i * PIECE)), out + i * PIECE, PIECE);
        memset(reused, 0, PIECE);
    }
    while (gasnet_try_syncnb_some(handles, PIECES) != GASNET_OK) {
    }
    gasnet_wait_syncnb_all(handles, PIECES);
    HOLDS(gasnet_try_syncnb_all(handles, PIECES) == GASNET_OK && handles[0] == GASNET_INVALID_HANDLE);
    for (int i = 0; i < PIECES; i++) {
        handles[i] = gasnet_get_nb(in + i * PIECE, right, at(right, (size_t)(i * PIECE)), PIECE);
    }
    gasnet_wait_syncnb_some(handles, PIECES);
    while (gasnet_try_syncnb_all(handles, PIECES) != GASNET_OK) {
    }
    HOLDS(!memcmp(in, out, sizeof(out)));
    barrier_all();
}

static void implicit(void)
{
    enum { PIECES = 100, PIECE = 700 };
    static unsigned char out[PIECES * PIECE], in[PIECES * PIECE];
    gasnet_handle_t region;

    fill_own(out, sizeof(out), me + 17);
    for (int i = 0; i < PIECES; i++) {
        gasnet_put_nbi(right, at(right, (size_t)(i * PIECE)), out + i * PIECE, PIECE);
    }
    gasnet_wait_syncnbi_puts();
    for (int i = 0; i < PIECES; i++) {
        gasnet_get_nbi(in + i * PIECE, right, at(right, (size_t)(i * PIECE)), PIECE);
    }
    while (gasnet_try_syncnbi_gets() != GASNET_OK) {
    }
    HOLDS(!memcmp(in, out, sizeof(out)));
    memset(in, 0, sizeof(in));
    gasnet_begin_nbi_accessregion();
    gasnet_put_nbi_bulk(right, at(right, 0), out, sizeof(out));
    gasnet_memset_nbi(right, at(right, SEGMENT / 2), 0x5a, 5000);
    region = gasnet_end_nbi_accessregion();
    HOLDS(gasnet_try_syncnbi_all() == GASNET_OK);
    gasnet_wait_syncnb(region);
    gasnet_get_nbi_bulk(in, right, at(right, SEGMENT / 2 - 1), 5002);
    gasnet_wait_syncnbi_all();
    HOLDS(in[1] == 0x5a && in[5000] == 0x5a);
    gasnet_memset(right, at(right, 3), 0xee, 4);
    gasnet_wait_syncnb(gasnet_memset_nb(right, at(right, 5), 0x11, 1));
    gasnet_get(in, right, at(right, 0), 8);
    HOLDS(in[3] == 0xee && in[5] == 0x11 && in[6] == 0xee && in[7] == out[7] && in[2] == out[2]);
    barrier_all();
}

static void values(void)
{
    gasnet_valget_handle_t handle;

    gasnet_put_val(right, at(right, 8), 0x1122334455667788u, 8);
    HOLDS(gasnet_get_val(right, at(right, 8), 8) == 0x1122334455667788u);
    gasnet_put_nbi_val(right, at(right, 8), 0x99, 1);
    gasnet_wait_syncnbi_all();
    gasnet_wait_syncnb(gasnet_put_nb_val(right, at(right, 12), 0xaabb, 2));
    handle = gasnet_get_nb_val(right, at(right, 12), 2);
    HOLDS(gasnet_wait_syncnb_valget(handle) == 0xaabb);
    HOLDS(gasnet_get_val(right, at(right, 8), 1) == 0x99);
    gasnet_put_val(me, at(me, 100000), 7, 4);
    HOLDS(gasnet_get_val(me, at(me, 100000), 4) == 7);
    barrier_all();
}

static void barriers(void)
{
    int code;

    for (int i = 0; i < 50; i++) {
        gasnet_barrier_notify(i, 0);
        MUST(gasnet_barrier_wait(i, 0));
    }
    gasnet_barrier_notify(9, 0);
    while ((code = gasnet_barrier_try(9, 0)) == GASNET_ERR_NOT_READY) {
    }
    MUST(code);
    gasnet_barrier_notify(me == 0 ? 5 : 0, me == 0 ? 0 : GASNET_BARRIERFLAG_ANONYMOUS);
    MUST(gasnet_barrier_wait(me == 0 ? 5 : 0, me == 0 ? 0 : GASNET_BARRIERFLAG_ANONYMOUS));
    gasnet_barrier_notify(me == 0 ? 5 : 6, 0);
    code = gasnet_barrier_wait(me == 0 ? 5 : 6, 0);
    HOLDS(code == (count > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK));
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_MISMATCH);
    HOLDS(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_MISMATCH) == GASNET_ERR_BARRIER_MISMATCH);
    gasnet_barrier_notify(1, 0);
    HOLDS(gasnet_barrier_wait(2, 0) == GASNET_ERR_BARRIER_MISMATCH);
}

static void begin(int argc, char **argv)
{
    HOLDS(gasnet_attach(NULL, 0, 0, 0) == GASNET_ERR_NOT_INIT);
    MUST(gasnet_init(&argc, &argv));
    me = gasnet_mynode();
    count = gasnet_nodes();
    right = (me + 1) % count;
    left = (me + count - 1) % count;
    HOLDS(gasnet_attach(handlers, 9, 17, 0) == GASNET_ERR_BAD_ARG);
    HOLDS(gasnet_attach(handlers, 9, gasnet_getMaxLocalSegmentSize() + GASNET_PAGESIZE, 0) == GASNET_ERR_BAD_ARG);
    HOLDS(gasnet_getMaxGlobalSegmentSize() >= SEGMENT);
    MUST(gasnet_attach(handlers, 9, SEGMENT, 0));
    HOLDS(handlers[8].index >= 128 && handlers[8].index != H_SHORT);
    segment = segments();
    HOLDS(segment[me].size == SEGMENT && segment[right].size == SEGMENT);
    HOLDS(gasnet_AMMaxArgs() == 16 && gasnet_AMMaxMedium() >= 512 && gasnet_AMMaxLongReply() >= 512);
    fill_own(pattern, BIG, 3);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    barrier_all();
    messages();
    long_messages();
    many_messages();
    puts_and_gets();
    without_waiting();
    implicit();
    values();
    barriers();
    if (me == 0) {
        printf("right\n");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}
