/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The relay of labels as a machine (chapter 2.3.5).
 */
#include "ref-impl/impi/server/collect.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

/* Whether the next broadcast is exactly these octets; with `len` 0, whether there is none. */
static void expect(struct collect *c, const void *want, size_t len, const char *what)
{
    unsigned char *octets = NULL;
    size_t got = 0;
    bool no_memory = true;
    bool any = collect_next(c, &octets, &got, &no_memory);

    CHECK(!no_memory && any == (len > 0), "%s: %s", what, len ? "it is complete" : "nothing is complete");
    if (any && CHECK_EQ(got, len, "its length")) {
        CHECK_MEM(octets, want, len, what);
    }
    free(octets);
}

static void add(struct collect *c, uint32_t rank, int32_t label, const char *values)
{
    CHECK_EQ(collect_add(c, rank, label, values, strlen(values)), COLLECT_TAKEN, "submitted");
}

static void orders(void)
{
    struct collect *c = collect_create(3);

    add(c, 2, 0x1100, "CC");
    add(c, 0, 0x1100, "A");
    add(c, 0, 0x1200, "a");
    add(c, 0, 0x1300, "aa");
    expect(c, NULL, 0, "client 1 is silent");
    add(c, 1, 0x1100, "");
    expect(c, "COLL\0\0\0\x0b\0\0\x11\0\0\0\0\7ACC", 19, "all gave it, in the order of their ranks");
    expect(c, NULL, 0, "the next");
    add(c, 1, 0x1250, "b");
    expect(c, NULL, 0, "client 2 may still give the one before");
    add(c, 2, 0x1300, "cc");
    expect(c, "COLL\0\0\0\x09\0\0\x12\0\0\0\0\1a", 17, "two have skipped it");
    expect(c, "COLL\0\0\0\x09\0\0\x12\x50\0\0\0\2b", 17, "only one gave it, and nobody knows it");
    expect(c, NULL, 0, "client 1 could give it");
    CHECK(!collect_finished(c), "not the end");
    CHECK(collect_done(c, 1), "client 1 is done");
    expect(c, "COLL\0\0\0\x0c\0\0\x13\0\0\0\0\5aacc", 20, "DONE skips all that is left");
    CHECK(collect_done(c, 0) && !collect_finished(c), "two are done");
    CHECK(collect_done(c, 2) && collect_finished(c), "all are");
    CHECK(!collect_done(c, 2), "once");
    collect_free(c);
}

static void refuses(void)
{
    struct collect *c = collect_create(2);

    add(c, 0, 0x1300, "x");
    size_t held = collect_held(c, 0);
    CHECK(held > 1, "keeping one octet costs more than that");
    CHECK_EQ(collect_add(c, 0, 0x1300, "y", 1), COLLECT_REPEATED, "the same again");
    CHECK_EQ(collect_add(c, 0, 0x1200, "y", 1), COLLECT_OUT_OF_ORDER, "one before");
    CHECK_EQ(collect_held(c, 0), held, "neither is kept");
    CHECK(collect_done(c, 0), "done");
    CHECK_EQ(collect_add(c, 0, 0x1400, "y", 1), COLLECT_LATE, "after DONE");
    add(c, 1, 0x1200, "z");
    CHECK(collect_done(c, 1), "done");
    expect(c, "COLL\0\0\0\x09\0\0\x12\0\0\0\0\2z", 17, "the other client's labels come out as they should");
    expect(c, "COLL\0\0\0\x09\0\0\x13\0\0\0\0\1x", 17, "and the first one's, once");
    CHECK_EQ(collect_held(c, 0), 0, "nothing is held");
    collect_free(c);
}

static void extremes(void)
{
    struct collect *c = collect_create(32);

    for (uint32_t rank = 0; rank < 32; rank++) {
        add(c, rank, INT32_MIN, "");
        add(c, rank, 0, "");
        add(c, rank, INT32_MAX, "");
    }
    expect(c, "COLL\0\0\0\x08\x80\0\0\0\xff\xff\xff\xff", 16, "the lowest label of all, by 32 clients");
    expect(c, "COLL\0\0\0\x08\0\0\0\0\xff\xff\xff\xff", 16, "the reserved one is a label too");
    expect(c, "COLL\0\0\0\x08\x7f\xff\xff\xff\xff\xff\xff\xff", 16, "the highest");
    collect_free(c);
}

static void forgets(void)
{
    struct collect *c = collect_create(2);

    add(c, 0, 0x1300, "x");
    CHECK(collect_done(c, 0), "done");
    collect_forget(c, 0);
    add(c, 0, 0x1200, "n");
    add(c, 1, 0x1200, "o");
    expect(c, "COLL\0\0\0\x0a\0\0\x12\0\0\0\0\3no", 18, "the rank's new holder begins anew");
    collect_free(c);
    collect_free(NULL);
}

int main(void)
{
    TAP_RUN(orders);
    TAP_RUN(refuses);
    TAP_RUN(extremes);
    TAP_RUN(forgets);
    return tap_done();
}
