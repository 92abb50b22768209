/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The stream splitter: the same messages come out whatever pieces the octets come in.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/portals/stream.h"

/* What came out of a stream, so far. */
struct seen {
    unsigned messages;
    unsigned complete;
    char names[64];                          /* first letters of the messages' names */
    unsigned char octets[VECTOR_OCTETS_MAX]; /* headers and payload put together again */
    size_t len;
    enum wire_status end;
};

static void feed(struct wire_stream *stream, const unsigned char *octets, size_t len, struct seen *seen)
{
    struct wire_piece piece;

    while ((seen->end = wire_stream_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_STREAM_HEADER && seen->messages < sizeof seen->names - 1) {
            seen->names[seen->messages++] = piece.message->name[0];
        }
        if (piece.offset != seen->len || piece.len == 0 || piece.len > sizeof seen->octets - seen->len) {
            seen->end = WIRE_NO_SPACE;
            return;
        }
        memcpy(seen->octets + seen->len, piece.octets, piece.len);
        seen->len += piece.len;
        seen->complete += piece.left == 0;
    }
}

static struct vector whole;

static bool as_expected(const struct wire_stream *stream, const struct seen *seen)
{
    return seen->end == WIRE_SHORT && strcmp(seen->names, "hppgb") == 0 && seen->complete == 5 &&
           seen->len == whole.len && memcmp(seen->octets, whole.octets, whole.len) == 0 &&
           wire_stream_may_end(stream) && wire_stream_missing(stream) == 0 && stream->offset == whole.len;
}

static void any_three_pieces(void)
{
    unsigned bad = 0;

    for (size_t one = 0; one <= whole.len; one++) {
        for (size_t two = one; two <= whole.len; two++) {
            struct wire_stream stream = wire_stream_begin();
            struct seen seen = {0};

            feed(&stream, whole.octets, one, &seen);
            feed(&stream, whole.octets + one, two - one, &seen);
            feed(&stream, whole.octets + two, whole.len - two, &seen);
            if (!as_expected(&stream, &seen) && bad++ == 0) {
                printf("# first wrong split: %zu, %zu\n", one, two);
            }
        }
    }
    CHECK_EQ(bad, 0, "every split into three pieces gives the same messages");
}

static void octet_by_octet(void)
{
    for (size_t size = 1; size <= 100; size++) {
        struct wire_stream stream = wire_stream_begin();
        struct seen seen = {0};

        for (size_t at = 0; at < whole.len; at += size) {
            feed(&stream, whole.octets + at, whole.len - at < size ? whole.len - at : size, &seen);
        }
        CHECK(as_expected(&stream, &seen), "pieces of %zu octets", size);
    }
}

/* Where messages of stream.hex end: HELLO 48, put 48 + 81, empty put 76, get 76, barrier 48. */
static void says_where_it_may_end(void)
{
    static const size_t ends[] = {0, 48, 129, 205, 281, 329};
    unsigned bad = 0;

    for (size_t len = 0; len <= whole.len; len++) {
        struct wire_stream stream = wire_stream_begin();
        struct seen seen = {0};
        bool at_end = false;

        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            at_end = at_end || ends[i] == len;
        }
        feed(&stream, whole.octets, len, &seen);
        bad += wire_stream_may_end(&stream) != at_end || (wire_stream_missing(&stream) == 0) != at_end;
    }
    CHECK_EQ(bad, 0, "a stream may end between messages and nowhere else");
}

static void says_what_is_missing(void)
{
    struct wire_stream stream = wire_stream_begin();
    struct seen seen = {0};

    feed(&stream, whole.octets, 1, &seen);
    CHECK_EQ(wire_stream_missing(&stream), 3, "the rest of an operation");
    feed(&stream, whole.octets + 1, 9, &seen);
    CHECK_EQ(wire_stream_missing(&stream), 38, "the rest of a HELLO");
    feed(&stream, whole.octets + 10, 48 + 76 - 10 + 2, &seen);
    CHECK_EQ(wire_stream_missing(&stream), 3, "the rest of the put's data");
    CHECK_EQ(stream.message_offset, 48, "and where the put began");
}

static void broken(const char *path, enum wire_status want)
{
    static struct vector vector;
    struct wire_stream stream = wire_stream_begin();
    struct seen seen = {0};

    vector_load(path, &vector);
    feed(&stream, whole.octets, 129, &seen);
    feed(&stream, vector.octets, vector.len, &seen);
    CHECK(seen.end == want, "%s: %s", vector.name, wire_status_text(want));
    CHECK_EQ(stream.message_offset, 129, "where");
    CHECK(!wire_stream_may_end(&stream), "that is no orderly end");
    feed(&stream, whole.octets, whole.len, &seen);
    CHECK(seen.end == want && seen.messages == 2, "a broken stream stays broken");
}

static void breaks_and_stays_broken(void)
{
    broken(VECTORS "/invalid/operation-unknown.hex", WIRE_UNKNOWN);
    broken(VECTORS "/invalid/operation-http.hex", WIRE_UNKNOWN);
    broken(VECTORS "/invalid/length-above-maximum.hex", WIRE_TOO_LONG);
    broken(VECTORS "/invalid/reply-length-above-maximum.hex", WIRE_TOO_LONG);
}

static void promises_are_not_memory(void)
{
    static struct vector vector;
    struct wire_stream stream = wire_stream_begin();
    struct seen seen = {0};
    unsigned char zeros[1000] = {0};

    vector_load(VECTORS "/put-ones.hex", &vector);
    feed(&stream, vector.octets, vector.len, &seen);
    CHECK_EQ(wire_stream_missing(&stream), UINT64_C(1099511627776), "2^40 octets are to come");
    feed(&stream, zeros, sizeof zeros, &seen);
    CHECK_EQ(wire_stream_missing(&stream), UINT64_C(1099511626776), "they are counted off");
}

int main(void)
{
    vector_load(VECTORS "/stream.hex", &whole);
    TAP_RUN(any_three_pieces);
    TAP_RUN(octet_by_octet);
    TAP_RUN(says_where_it_may_end);
    TAP_RUN(says_what_is_missing);
    TAP_RUN(breaks_and_stays_broken);
    TAP_RUN(promises_are_not_memory);
    return tap_done();
}
