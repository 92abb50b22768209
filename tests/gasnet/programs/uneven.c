/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Segments of unequal sizes, the last node's the largest and the first node's of no octets at all: values, fills and
 * blocks go to the first and the last octets of each, by all the ways that there are. A program that takes no
 * arguments, and lets the library number its handlers.
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { PART = 3 * GASNET_PAGESIZE, FILLED = 1000 };

static gasnet_seginfo_t *segment;
static gasnet_node_t me, count;
static volatile int asked, told;
static gasnet_handlerentry_t table[2];

static void ask(gasnet_token_t token)
{
    uintptr_t size = segment[me].size;

    asked++;
    MUST(gasnet_AMReplyShort2(token, table[1].index, (gasnet_handlerarg_t)(size >> 32), (gasnet_handlerarg_t)size));
}

static void tell(gasnet_token_t token, gasnet_handlerarg_t high, gasnet_handlerarg_t low)
{
    gasnet_node_t source;

    MUST(gasnet_AMGetMsgSource(token, &source));
    HOLDS(segment[source].size == ((uint64_t)(uint32_t)high << 32 | (uint32_t)low));
    told++;
}

/* One octet and eight, at either end, as values. */
static void values(gasnet_node_t node)
{
    char *first = segment[node].addr, *last = first + segment[node].size - 8;
    gasnet_register_value_t value = UINT64_C(0xfedcba9876543210) ^ me;
    gasnet_valget_handle_t both[2];

    gasnet_put_nbi_val(node, first, value, 8);
    gasnet_put_nbi_val(node, last, ~value, 8);
    gasnet_wait_syncnbi_all();
    both[0] = gasnet_get_nb_val(node, first, 8);
    both[1] = gasnet_get_nb_val(node, last, 8);
    HOLDS(gasnet_wait_syncnb_valget(both[1]) == ~value);
    HOLDS(gasnet_wait_syncnb_valget(both[0]) == value);
    gasnet_put_val(node, last + 7, 0x1ab, 1);
    HOLDS(gasnet_get_val(node, last + 7, 1) == 0xab);
    HOLDS(gasnet_get_val(node, last + 6, 1) == ((~value >> 48) & 0xff));
}

/* What is filled, and what is beside it. */
static void fills(gasnet_node_t node)
{
    char *first = segment[node].addr, *last = first + segment[node].size;
    unsigned char back[FILLED + 2];
    gasnet_handle_t handle;

    gasnet_memset(node, first, 1, FILLED + 2);
    handle = gasnet_memset_nb(node, first + 1, 0x7f, FILLED);
    gasnet_memset_nbi(node, last - FILLED, -2, FILLED);
    gasnet_wait_syncnb(handle);
    gasnet_wait_syncnbi_puts();
    gasnet_get(back, node, first, FILLED + 2);
    HOLDS(back[0] == 1 && back[FILLED + 1] == 1);
    for (int i = 1; i <= FILLED; i++) {
        HOLDS(back[i] == 0x7f);
    }
    gasnet_get_bulk(back, node, last - FILLED, FILLED);
    HOLDS(back[0] == 0xfe && back[FILLED - 1] == 0xfe);
    gasnet_memset(node, last, 9, 0); /* nothing, at the very end */
}

/* The whole segment there and back, in odd pieces. */
static void blocks(gasnet_node_t node)
{
    size_t size = segment[node].size, piece = 1237;
    unsigned char *out = malloc(size), *in = calloc(size, 1);
    char *there = segment[node].addr;

    HOLDS(out && in);
    for (size_t i = 0; i < size; i++) {
        out[i] = (unsigned char)(i * 31 + i / 251 + me);
    }
    for (size_t at = 0; at < size; at += piece) {
        gasnet_put_nbi_bulk(node, there + at, out + at, size - at < piece ? size - at : piece);
    }
    while (gasnet_try_syncnbi_puts() == GASNET_ERR_NOT_READY) {
    }
    for (size_t at = 0; at < size; at += piece) {
        gasnet_get_nbi(in + at, node, there + at, size - at < piece ? size - at : piece);
    }
    gasnet_wait_syncnbi_gets();
    HOLDS(!memcmp(in, out, size));
    free(out);
    free(in);
}

int main(void)
{
    MUST(gasnet_init(NULL, NULL));
    me = gasnet_mynode();
    count = gasnet_nodes();
    table[0].fnptr = (void (*)())ask;
    table[1].fnptr = (void (*)())tell;
    MUST(gasnet_attach(table, 2, (uintptr_t)me * PART, 0));
    HOLDS(table[0].index != table[1].index && table[0].index >= 128 && table[1].index >= 128);
    segment = segments();
    barrier_all();
    for (gasnet_node_t node = 0; node < count; node++) {
        HOLDS(segment[node].size >= (uintptr_t)node * PART);
        MUST(gasnet_AMRequestShort0(node, table[0].index));
    }
    GASNET_BLOCKUNTIL(told == (int)count && asked == (int)count);
    for (gasnet_node_t turn = 0; turn < count; turn++) {
        gasnet_node_t node = (me + turn) % count; /* no two at one node at once */

        if (segment[node].size > 0) {
            values(node);
            fills(node);
            blocks(node);
        }
        gasnet_put(0, segment[0].addr, &turn, 0);
        barrier_all();
    }
    if (me == 0) {
        puts("right");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}
