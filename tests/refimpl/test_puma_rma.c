/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication of Puma: ref-impl/puma/rma.h. A process and its own window, over the loop.
 */
#include <stdlib.h>
#include <string.h>

#include "ref-impl/puma/rma.h"
#include "tests/refimpl/support.h"

enum { PUTS = 1, GETS = 2 };

static ptl_handle_ni_t ni;
static struct puma_rma rma;

static struct puma_part at(size_t offset)
{
    return (struct puma_part){support_self(), 0, offset};
}

static struct puma_buffer text(const char *octets)
{
    return (struct puma_buffer){(void *)(uintptr_t)octets, strlen(octets)};
}

//= PUMA-108
//= PUMA-109
//= PUMA-110
//= PUMA-111
//= PUMA-116
//= PUMA-117
//= PUMA-123
static void put_and_get(void)
{
    char *memory = puma_rma_malloc(8), got[4] = "";
    const size_t sizes[1] = {8};
    struct puma_window window;
    struct puma_part part = at(3);

    memset(memory, '.', 8);
    CHECK(puma_rma_init(&window, &rma, 5, (struct puma_buffer){memory, 8}, sizes, 1), "a window");
    CHECK(puma_put(&window, text("abc"), &part), "a put");
    CHECK_MEM(memory, "...abc..", 8, "is at its offset, without a call of the target");
    part = at(4);
    CHECK(puma_get(&window, (struct puma_buffer){got, 3}, &part), "a get");
    CHECK_MEM(got, "bc.", 3, "brings what is there");
    //= PUMA-119
    CHECK(puma_put(&window, text("1"), &part) && puma_put(&window, text("2"), &part), "two puts to one place");
    CHECK_EQ(memory[4], '2', "the last one stays");
    puma_rma_free(&window);
    CHECK_EQ(support_drops(ni), 0, "nothing was dropped");
    free(memory);
}

//= PUMA-118
//= PUMA-120
//= PUMA-122
//= PUMA-124
static void requests(void)
{
    char memory[8] = "01234567", one[2] = "", two[5] = "";
    const size_t sizes[1] = {8};
    struct puma_window window;
    struct puma_part first = at(0), second = at(3);
    struct puma_sending a, b;

    CHECK(puma_rma_init(&window, &rma, 6, (struct puma_buffer){memory, 8}, sizes, 1), "a window");
    CHECK(puma_iput(&window, text("x"), &first, &a), "a put with a request");
    CHECK(puma_test(&a), "which is done");
    CHECK(puma_iget(&window, (struct puma_buffer){one, 2}, &first, &a), "a get");
    CHECK(puma_iget(&window, (struct puma_buffer){two, 5}, &second, &b), "and a second one of another length");
    puma_wait(&b);
    puma_wait(&a);
    CHECK_MEM(one, "x1", 2, "each has its own");
    CHECK_MEM(two, "34567", 5, "whichever is asked for first");
    puma_rma_free(&window);
}

//= PUMA-112
//= PUMA-113
//= PUMA-114
//= PUMA-115
//= PUMA-121
static void windows_are_apart(void)
{
    char left[4] = "....", right[4] = "....", got[2] = "";
    const size_t sizes[1] = {4};
    struct puma_window one, other;
    struct puma_part part = at(1);

    CHECK(puma_rma_init(&one, &rma, 7, (struct puma_buffer){left, 4}, sizes, 1), "a window");
    CHECK(puma_rma_init(&other, &rma, 8, (struct puma_buffer){right, 4}, sizes, 1), "another context");
    CHECK(puma_put(&one, text("l"), &part) && puma_put(&other, text("r"), &part), "puts to both");
    CHECK_MEM(left, ".l..", 4, "each to its own");
    CHECK_MEM(right, ".r..", 4, "each to its own");
    CHECK(puma_get(&other, (struct puma_buffer){got, 2}, &part), "a get");
    CHECK_MEM(got, "r.", 2, "of the right one");
    puma_rma_free(&one);
    CHECK(puma_put(&other, text("s"), &part), "the other one stays");
    CHECK_EQ(right[1], 's', "and is reached");
    puma_rma_free(&other);
}

/* The window belongs to two ranks, which say different sizes. */
//= PUMA-127
static void outside(void)
{
    char memory[4] = "....";
    const size_t sizes[2] = {1, 4};
    struct puma_window window;
    struct puma_part part = {support_self(), 1, 2};

    CHECK(puma_rma_init(&window, &rma, 9, (struct puma_buffer){memory, 4}, sizes, 2), "a window");
    CHECK(!puma_put(&window, text("abc"), &part), "a part that leaves the window");
    CHECK(puma_put(&window, text("ab"), &part), "one that ends with it");
    part.offset = SIZE_MAX;
    CHECK(!puma_put(&window, text("a"), &part), "an offset far away");
    part = at(0);
    CHECK(!puma_put(&window, text("cd"), &part), "what only the other rank has room for");
    part.rank = 2;
    CHECK(!puma_put(&window, text("a"), &part), "a rank that is none");
    CHECK_MEM(memory, "..ab", 4, "what was refused changes nothing");
    puma_rma_free(&window);
}

int main(void)
{
    ni = support_open();
    CHECK(puma_rma_start(&rma, ni, PUTS, GETS), "two portals");
    put_and_get();
    requests();
    windows_are_apart();
    outside();
    puma_rma_end(&rma);
    PtlFini();
    return tap_done();
}
