/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The forms of calls that users of GASNet mix in one program, GASNET_PARSYNC: values of each size there and back, lists
 * of handles with holes, an access region, long messages under a handler-safe lock, named and anonymous barriers.
 */
#define GASNET_PARSYNC 1
#include <gasnet.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { SUM = 140, SUMMED, BLOCK = 4096, BLOCKS = 8, HALF = BLOCK * BLOCKS };

#if SIZEOF_GASNET_REGISTER_VALUE_T < 8
#error "a value has eight octets here"
#endif

static gasnet_seginfo_t *segment;
static gasnet_hsl_t lock;
static unsigned long total;
static volatile int answers;

/* The sum of what has come into the second half of the segment. */
static void sum(gasnet_token_t token, void *data, size_t octets, gasnet_handlerarg_t seed)
{
    const unsigned char *octet = data;
    gasnet_node_t source;
    unsigned long sum_here = 0;

    MUST(gasnet_AMGetMsgSource(token, &source));
    HOLDS(source < gasnet_nodes() && (char *)data >= (char *)segment[gasnet_mynode()].addr + HALF);
    for (size_t i = 0; i < octets; i++) {
        HOLDS(octet[i] == (unsigned char)(i + (size_t)seed));
        sum_here += octet[i];
    }
    gasnet_hsl_lock(&lock);
    total += sum_here;
    gasnet_hsl_unlock(&lock);
    MUST(gasnet_AMReplyShort1(token, SUMMED, seed));
}

static void summed(gasnet_token_t token, gasnet_handlerarg_t seed)
{
    (void)token;
    HOLDS(seed == (gasnet_handlerarg_t)gasnet_mynode());
    answers++;
}

static void values(gasnet_node_t peer)
{
    char *there = segment[peer].addr;

    for (size_t octets = 1; octets <= SIZEOF_GASNET_REGISTER_VALUE_T; octets++) {
        gasnet_register_value_t value = UINT64_C(0x8877665544332211) + gasnet_mynode();
        gasnet_register_value_t mask = octets == 8 ? UINT64_MAX : (UINT64_C(1) << octets * 8) - 1;
        gasnet_valget_handle_t later;

        gasnet_put_val(peer, there, value, octets);
        HOLDS(gasnet_get_val(peer, there, octets) == (value & mask));
        gasnet_wait_syncnb(gasnet_put_nb_val(peer, there, ~value, octets));
        later = gasnet_get_nb_val(peer, there, octets);
        HOLDS(gasnet_wait_syncnb_valget(later) == (~value & mask));
        gasnet_put_nbi_val(peer, there, value, octets);
        gasnet_wait_syncnbi_puts();
        HOLDS(gasnet_get_val(peer, there, octets) == (value & mask));
    }
}

/* A list of handles of which every second one is none; then the same blocks fetched in an access region. */
static void handles(gasnet_node_t peer)
{
    static unsigned char blocks[BLOCKS][BLOCK], back[BLOCKS][BLOCK];
    gasnet_handle_t list[2 * BLOCKS];
    char *there = segment[peer].addr;

    for (int i = 0; i < BLOCKS; i++) {
        memset(blocks[i], i + (int)gasnet_mynode(), BLOCK);
        list[2 * i] = gasnet_put_nb_bulk(peer, there + i * BLOCK, blocks[i], BLOCK);
        list[2 * i + 1] = GASNET_INVALID_HANDLE;
    }
    gasnet_wait_syncnb_some(list, 2 * BLOCKS);
    gasnet_wait_syncnb_all(list, 2 * BLOCKS);
    HOLDS(gasnet_try_syncnb_all(list, 2 * BLOCKS) == GASNET_OK);
    gasnet_begin_nbi_accessregion();
    for (int i = 0; i < BLOCKS; i++) {
        gasnet_get_nbi_bulk(back[i], peer, there + i * BLOCK, BLOCK);
    }
    gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    HOLDS(!memcmp(back, blocks, sizeof back));
    gasnet_memset(peer, there, 0x5a, 2 * BLOCK);
    gasnet_get(back, peer, there + BLOCK, BLOCK);
    HOLDS(back[0][0] == 0x5a && back[0][BLOCK - 1] == 0x5a);
}

static void long_messages(gasnet_node_t peer)
{
    static unsigned char data[BLOCK];
    unsigned long expected = 0;

    for (size_t i = 0; i < BLOCK; i++) {
        data[i] = (unsigned char)(i + gasnet_mynode());
    }
    for (int i = 0; i < BLOCKS; i++) {
        char *there = (char *)segment[peer].addr + HALF + i * BLOCK;
        gasnet_handlerarg_t seed = (gasnet_handlerarg_t)gasnet_mynode();

        MUST(i % 2 ? gasnet_AMRequestLong1(peer, SUM, data, BLOCK, there, seed)
                   : gasnet_AMRequestLongAsync1(peer, SUM, data, BLOCK, there, seed));
    }
    GASNET_BLOCKUNTIL(answers == BLOCKS);
    for (int i = 0; i < 256; i++) {
        expected += (unsigned long)i * (BLOCK / 256) * BLOCKS;
    }
    barrier_all();
    gasnet_hsl_lock(&lock);
    HOLDS(total == expected);
    gasnet_hsl_unlock(&lock);
}

static void barriers(void)
{
    int code;

    gasnet_barrier_notify(7, 0);
    while ((code = gasnet_barrier_try(7, 0)) == GASNET_ERR_NOT_READY) {
        MUST(gasnet_AMPoll());
    }
    MUST(code);
    if (gasnet_nodes() > 1) {
        int id = (int)gasnet_mynode();

        gasnet_barrier_notify(id, 0);
        HOLDS(gasnet_barrier_wait(id, 0) == GASNET_ERR_BARRIER_MISMATCH);
    }
    barrier_all();
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[] = {{SUM, (void (*)())sum}, {SUMMED, (void (*)())summed}};
    gasnet_node_t peer;

    MUST(gasnet_init(&argc, &argv));
    HOLDS(gasnet_getMaxLocalSegmentSize() >= gasnet_getMaxGlobalSegmentSize());
    MUST(gasnet_attach(table, 2, 2 * HALF, 0));
    gasnet_hsl_init(&lock);
    segment = segments();
    peer = (gasnet_mynode() + 1) % gasnet_nodes();
    HOLDS(segment[peer].size >= 2 * HALF && gasnet_AMMaxArgs() >= 16 && gasnet_AMMaxLongRequest() >= BLOCK);
    barrier_all();
    values(peer);
    handles(peer);
    long_messages(peer);
    barriers();
    gasnet_hsl_destroy(&lock);
    if (gasnet_mynode() == 0) {
        puts("right");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}
