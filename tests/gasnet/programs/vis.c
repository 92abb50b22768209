/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Vector, indexed and strided puts and gets between a node and the next one, and the node itself, each in its three
 * forms. After each put the whole area of the other side is fetched and held against a model of it; after each get the
 * own memory is. Where pieces are is random, by a seed that each failure names.
 */
#define GASNET_SEQ 1
#include <gasnet_vis.h>
#include <stdbool.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { AREA = 20000, PIECES = 40, LONGEST = 300, ROUNDS = 12 };

static gasnet_seginfo_t *segment;
static unsigned seed;
static gasnet_node_t node;
static unsigned char own[AREA], model[AREA], fetched[AREA], *theirs;

static unsigned pick(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 8) % below;
}

static void fill(unsigned char *area)
{
    for (size_t i = 0; i < AREA; i++) {
        area[i] = (unsigned char)pick(256);
    }
}

/* Pieces one behind the other, with holes between them and in the order that `backward` says, of `octets` together. */
static size_t cut(gasnet_memvec_t *list, unsigned char *area, size_t octets, bool backward)
{
    size_t at = pick(8), count = 0;

    while (octets > 0) {
        size_t length = count + 2 < PIECES ? pick(LONGEST) : octets;

        length = length < octets ? length : octets;
        list[count++] = (gasnet_memvec_t){area + at, length};
        at += length + pick(20);
        octets -= length;
    }
    for (size_t i = 0; backward && i < count / 2; i++) {
        gasnet_memvec_t kept = list[i];

        list[i] = list[count - 1 - i];
        list[count - 1 - i] = kept;
    }
    return count;
}

/* Octet `i` of a list. */
static unsigned char *of_list(const gasnet_memvec_t *list, size_t i)
{
    while (i >= list->len) {
        i -= list++->len;
    }
    return (unsigned char *)list->addr + i;
}

/* Holds the area over there against the model, in which offsets are the same. */
static void check_theirs(void)
{
    gasnet_get(fetched, node, theirs, AREA);
    HOLDS(!memcmp(fetched, model, AREA));
}

static void vectors(unsigned form)
{
    gasnet_memvec_t there[PIECES], here[PIECES];
    size_t octets = pick(3000), there_count = cut(there, theirs, octets, form == 1);
    size_t here_count = cut(here, own, octets, form == 2);

    fill(own);
    for (size_t i = 0; i < octets; i++) {
        model[of_list(there, i) - theirs] = *of_list(here, i);
    }
    if (form == 0) {
        gasnet_putv_bulk(node, there_count, there, here_count, here);
    } else if (form == 1) {
        gasnet_wait_syncnb(gasnet_putv_nb_bulk(node, there_count, there, here_count, here));
    } else {
        gasnet_putv_nbi_bulk(node, there_count, there, here_count, here);
        gasnet_wait_syncnbi_puts();
    }
    check_theirs();
    fill(own);
    memcpy(fetched, own, AREA);
    for (size_t i = 0; i < octets; i++) {
        fetched[of_list(here, i) - own] = model[of_list(there, i) - theirs];
    }
    if (form == 0) {
        gasnet_getv_bulk(here_count, here, node, there_count, there);
    } else if (form == 1) {
        gasnet_wait_syncnb(gasnet_getv_nb_bulk(here_count, here, node, there_count, there));
    } else {
        gasnet_getv_nbi_bulk(here_count, here, node, there_count, there);
        gasnet_wait_syncnbi_gets();
    }
    HOLDS(!memcmp(fetched, own, AREA));
}

/* Pieces of 12 octets over there, of 8 here. */
static void indexes(unsigned form)
{
    enum { THERE = 12, HERE = 8, MOST = 30 };
    void *there[MOST * HERE / 4], *here[MOST * THERE / 4];
    size_t parts = pick(MOST), there_count = parts * 2, here_count = parts * 3;

    fill(own);
    for (size_t i = 0; i < there_count; i++) {
        there[i] = theirs + (there_count - 1 - i) * (THERE + 5);
    }
    for (size_t i = 0; i < here_count; i++) {
        here[i] = own + i * (HERE + pick(9) * (form == 0)) * 2;
    }
    for (size_t i = 0; i < parts * 24; i++) {
        model[(unsigned char *)there[i / THERE] + i % THERE - theirs] = ((unsigned char *)here[i / HERE])[i % HERE];
    }
    if (form == 0) {
        gasnet_puti_bulk(node, there_count, there, THERE, here_count, here, HERE);
    } else if (form == 1) {
        gasnet_wait_syncnb(gasnet_puti_nb_bulk(node, there_count, there, THERE, here_count, here, HERE));
    } else {
        gasnet_puti_nbi_bulk(node, there_count, there, THERE, here_count, here, HERE);
        gasnet_wait_syncnbi_all();
    }
    check_theirs();
    memset(own, 0, AREA);
    for (size_t i = 0; i < here_count; i++) {
        here[i] = own + i * HERE;
    }
    if (form == 0) {
        gasnet_geti_bulk(here_count, here, HERE, node, there_count, there, THERE);
    } else if (form == 1) {
        gasnet_wait_syncnb(gasnet_geti_nb_bulk(here_count, here, HERE, node, there_count, there, THERE));
    } else {
        gasnet_geti_nbi_bulk(here_count, here, HERE, node, there_count, there, THERE);
        gasnet_wait_syncnbi_all();
    }
    for (size_t i = 0; i < AREA; i++) {
        HOLDS(own[i] == (i < parts * 24 ? model[(unsigned char *)there[i / THERE] + i % THERE - theirs] : 0));
    }
}

/* A block of a cube there, which is packed here. */
static void strides(unsigned form)
{
    const size_t there[] = {40, 40 * 25}, here[] = {7, 7 * 5}, count[] = {7, 5, 1 + pick(6)};
    unsigned char *corner = theirs + pick(30);

    fill(own);
    for (size_t i = 0; i < count[0] * count[1] * count[2]; i++) {
        model[corner - theirs + i / 35 * there[1] + i / 7 % 5 * there[0] + i % 7] = own[i];
    }
    if (form == 0) {
        gasnet_puts_bulk(node, corner, there, own, here, count, 2);
    } else if (form == 1) {
        gasnet_wait_syncnb(gasnet_puts_nb_bulk(node, corner, there, own, here, count, 2));
    } else {
        gasnet_puts_nbi_bulk(node, corner, there, own, here, count, 2);
        gasnet_wait_syncnbi_puts();
    }
    check_theirs();
    memset(own, 0, AREA);
    if (form == 0) {
        gasnet_gets_bulk(own, here, node, corner, there, count, 2);
    } else if (form == 1) {
        gasnet_wait_syncnb(gasnet_gets_nb_bulk(own, here, node, corner, there, count, 2));
    } else {
        gasnet_gets_nbi_bulk(own, here, node, corner, there, count, 2);
        gasnet_wait_syncnbi_gets();
    }
    for (size_t i = 0; i < AREA; i++) {
        HOLDS(own[i] == (i < count[0] * count[1] * count[2]
                             ? model[(size_t)(corner - theirs) + i / 35 * there[1] + i / 7 % 5 * there[0] + i % 7]
                             : 0));
    }
}

/* Nothing at all, and one stretch. */
static void edges(void)
{
    const size_t none[] = {3, 0}, one[] = {9}, stride[] = {3};

    gasnet_putv_bulk(node, 0, NULL, 0, NULL);
    HOLDS(gasnet_geti_nb_bulk(0, NULL, 4, node, 0, NULL, 4) == GASNET_INVALID_HANDLE);
    gasnet_puts_bulk(node, theirs, stride, own, stride, none, 1);
    check_theirs();
    memcpy(model, own, 9);
    gasnet_puts_bulk(node, theirs, NULL, own, NULL, one, 0);
    check_theirs();
}

int main(int argc, char **argv)
{
    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(NULL, 0, 2 * GASNET_PAGESIZE * (1 + AREA / GASNET_PAGESIZE), 0));
    segment = segments();
    seed = argc > 1 ? (unsigned)atoi(argv[1]) : gasnet_mynode() + 1;
    fprintf(stderr, "node %u: seed %u\n", gasnet_mynode(), seed);
    for (unsigned which = 0; which < 2; which++) {
        /* The second area of this node is its own, the first one its predecessor's. */
        node = which == 0 ? (gasnet_mynode() + 1) % gasnet_nodes() : gasnet_mynode();
        theirs = (unsigned char *)segment[node].addr + which * segment[node].size / 2;
        fill(model);
        gasnet_put(node, theirs, model, AREA);
        for (unsigned round = 0; round < ROUNDS; round++) {
            vectors(round % 3);
            indexes(round % 3);
            strides(round % 3);
        }
        edges();
    }
    barrier_all();
    if (gasnet_mynode() == 0) {
        printf("right\n");
    }
    barrier_all(); /* who leaves takes all others along */
    gasnet_exit(0);
}
