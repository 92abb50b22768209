/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Queues of octets: what goes in comes out in its order, the limit holds, and a long queue is not slower than a short
 * one.
 */
#include "tester/base/buffer.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <time.h>

/* A number that differs from place to place. */
static unsigned char octet_at(size_t place)
{
    return (unsigned char)(place * 167 + place / 251);
}

static void put(struct buffer *buffer, size_t from, size_t count)
{
    unsigned char octets[4096];

    for (size_t i = 0; i < count; i++) {
        octets[i] = octet_at(from + i);
    }
    CHECK(buffer_append(buffer, octets, count), "%zu octets at %zu fit", count, from);
}

/* Whether the front of the queue is what was put there; takes it. */
static bool take(struct buffer *buffer, size_t from, size_t count)
{
    bool good = buffer->len >= count;

    for (size_t i = 0; good && i < count; i++) {
        good = buffer->octets[i] == octet_at(from + i);
    }
    buffer_take(buffer, count);
    return good;
}

static void order(void)
{
    struct buffer buffer = {.limit = 1 << 20};
    size_t in = 0, out = 0;
    bool good = true;

    for (size_t round = 1; round <= 300; round++) {
        size_t more = round * 37 % 4096, less = round * 53 % 3000;

        put(&buffer, in, more);
        in += more;
        less = less < in - out ? less : in - out;
        good = good && take(&buffer, out, less);
        out += less;
    }
    good = good && take(&buffer, out, in - out);
    CHECK(good && buffer.len == 0, "all came out as it went in");
    buffer_release(&buffer);
    CHECK(!buffer.octets && buffer.limit == 1 << 20, "the limit stays");
    put(&buffer, 0, 10);
    CHECK(take(&buffer, 0, 10), "and it can be used again");
    buffer_release(&buffer);
}

static void limit(void)
{
    struct buffer buffer = {.limit = 5000};

    put(&buffer, 0, 4096);
    CHECK(!buffer_append(&buffer, &buffer, 905), "one octet too many");
    CHECK(buffer.len == 4096, "and nothing of it is added");
    buffer_take(&buffer, 1);
    put(&buffer, 4096, 905);
    CHECK(take(&buffer, 1, 5000), "what was taken makes room");
    CHECK(buffer_append(&buffer, NULL, 0), "nothing fits always");
    buffer_release(&buffer);
}

/* A long queue from whose front little is taken at a time, while as much is added: who moves all of it takes minutes.
 */
static void long_queue(void)
{
    enum { LONG = 8 << 20, ROUNDS = 200000, ROOM_MOST = 4, SECONDS_MOST = 10 };
    struct buffer buffer = {.limit = 2 * LONG};
    unsigned char *octets = calloc(1, LONG);
    clock_t begun = clock();

    buffer_append(&buffer, octets, LONG);
    for (unsigned i = 0; i < ROUNDS; i++) {
        buffer_take(&buffer, 64);
        buffer_append(&buffer, octets, 64);
    }
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    CHECK(seconds < SECONDS_MOST, "%d times 64 octets of 8 MiB took the processor %.3f s", ROUNDS, seconds);
    CHECK(buffer.room <= ROOM_MOST * buffer.limit, "and the memory does not grow with it");
    buffer_release(&buffer);
    free(octets);
}

int main(void)
{
    TAP_RUN(order);
    TAP_RUN(limit);
    TAP_RUN(long_queue);
    return tap_done();
}
