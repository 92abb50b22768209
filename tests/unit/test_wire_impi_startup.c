/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The messages between IMPI client and server against the vectors. What each file says is written down here by hand, in
 * one line; the stream must say so in pieces of any size, for every truncation, and encoding must give the octets back.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/impi/labels.h"
#include "wire/impi/startup.h"
#include "wire/octets/text.h"

#include <stdlib.h>

enum { SAID_MAX = 2048 };

/* A file and what it says: a message is KIND(members)payload; a bare one has ! behind its kind. */
struct expected {
    const char *name;
    const char *said;
};

static const struct expected from_client[] = {
    {"auth-none", "AUTH(4 mask 1) "},
    {"auth-key", "AUTH(4 mask 2) KEY(5678) "},
    {"auth-wrong-key", "AUTH(4 mask 2) KEY(1234) "},
    {"auth-both-then-key", "AUTH(4 mask 3) KEY(18446744073709551615) IMPI(4 rank 1) "},
    {"auth-both-then-none", "AUTH(4 mask 3) IMPI(4 rank 1) "},
    {"auth-two-masks", "AUTH(8 mask 1)80000000 "},
    {"auth-empty", "AUTH!(0) "},
    {"auth-odd", "AUTH!(3)000001 "},
    {"impi-rank-0", "IMPI(4 rank 0) "},
    {"impi-rank-1", "IMPI(4 rank 1) "},
    {"impi-rank-2", "IMPI(4 rank 2) "},
    {"impi-rank-negative", "IMPI(4 rank -2147483648) "},
    {"impi-odd", "IMPI!(1)07 "},
    {"coll-nhosts", "COLL(8 1100)00000003 "},
    {"coll-datalen", "COLL(8 1300)00001f40 "},
    {"coll-version", "COLL(28 1000)000000000000000000000000000000010000000000000002 "},
    {"coll-port-0", "COLL(16 2100)000013890000138a0000138b "},
    {"coll-port-1", "COLL(12 2100)0000177100001772 "},
    {"coll-port-2", "COLL(12 2100)00001b5900001b5a "},
    {"coll-defaults", "COLL(8 1400)7fffffff COLL(8 1500)ffffffff COLL(8 1600)ffffffff "},
    {"coll-addresses", "COLL(52 2000)0000000000000000000000000a000001"
                       "00000000000000000000ffffc0a8000220010db8000000000000000000000001 "},
    {"coll-pids", "COLL(36 3100)000000000000303900000001000000017fffffffffffffff8000000000000000 "},
    {"coll-unknown", "COLL(11 1250)01020304050607 "},
    {"coll-no-label", "COLL(4 0) "},
    {"coll-label-alone", "COLL(4 1000) "},
    {"coll-part-of-a-value", "COLL(10 2100)000013890000 "},
    {"coll-odd", "COLL!(3)001100 "},
    {"done", "DONE(0) "},
    {"fini", "FINI(0) "},
    {"other", "OTHER(1482250839 13)434f4c4c000000080000110000 FINI(0) "},
    {"other-ones", "OTHER(-1 0) "},
    {"session", "AUTH(4 mask 1) IMPI(4 rank 1) COLL(12 1000)0000000000000000 COLL(8 1100)00000001 "
                "COLL(8 1200)00000002 COLL(8 1300)00010000 COLL(8 1400)7fffffff COLL(8 1500)ffffffff "
                "COLL(8 1600)ffffffff COLL(20 2000)0000000000000000000000007f000002 COLL(8 2100)0000c352 "
                "COLL(8 2200)00000002 COLL(8 2300)0000000a COLL(8 2400)00000014 "
                "COLL(36 3000)0000000000000000000000007f0000020000000000000000000000007f000002 "
                "COLL(20 3100)00000000000000650000000000000066 DONE(0) FINI(0) "},
};

static const struct expected from_server[] = {
    {"choice-none", "CHOICE(0 0) "},
    {"choice-key", "CHOICE(1 0) "},
    {"choice-follow-on", "CHOICE(31 3)aabbcc "},
    {"impi-size", "CHOICE(0 0) IMPI(4 size 3) "},
    {"coll-version", "CHOICE(0 0) COLL(72 1000 mask 7)0000000000000000000000000000000100000000000000000000000000000001"
                     "0000000000000002000000000000000000000000000000010000000000000002 "},
    {"coll-nhosts", "CHOICE(0 0) COLL(20 1100 mask 7)000000030000000200000002 "},
    {"coll-datalen", "CHOICE(0 0) COLL(20 1300 mask 7)00001f4000000fa000000fa0 "},
    {"coll-datalen-skipped", "CHOICE(0 0) COLL(16 1300 mask 5)00001f4000000fa0 "},
    {"coll-port", "CHOICE(0 0) COLL(36 2100 mask 7)000013890000138a0000138b000017710000177200001b5900001b5a "},
    {"coll-nobody", "CHOICE(0 0) COLL(8 1250 mask 0) "},
    {"coll-short", "CHOICE(0 0) COLL!(4)00001100 "},
    {"done", "CHOICE(0 0) DONE(0) "},
    {"other", "CHOICE(0 0) OTHER(1482250839 2)fffe DONE(0) "},
    {"session", "CHOICE(0 0) IMPI(4 size 1) COLL(16 1000 mask 1)0000000000000000 COLL(12 1100 mask 1)00000001 "
                "COLL(12 1200 mask 1)00000001 COLL(12 1300 mask 1)00000400 COLL(12 1400 mask 1)00007fff "
                "COLL(12 1500 mask 1)00000400 COLL(12 1600 mask 1)00000004 "
                "COLL(24 2000 mask 1)00000000000000000000ffff7f000001 COLL(12 2100 mask 1)0000ffff "
                "COLL(12 2200 mask 1)00000001 COLL(12 2300 mask 1)00000001 COLL(12 2400 mask 1)00000001 "
                "COLL(24 3000 mask 1)00000000000000000000ffff7f000001 COLL(16 3100 mask 1)0000000000000001 DONE(0) "},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void say_members(const struct wire_impi_command *command, bool server, char *text, size_t room)
{
    int len = command->len;

    switch (command->bare ? WIRE_IMPI_SAYS_DONE : command->kind) {
    case WIRE_IMPI_SAYS_AUTH:
        snprintf(text, room, "%d mask %x", len, (unsigned)command->auth_mask);
        return;
    case WIRE_IMPI_SAYS_CHOICE:
        snprintf(text, room, "%d %d", command->which, len);
        return;
    case WIRE_IMPI_SAYS_KEY:
        snprintf(text, room, "%llu", (unsigned long long)command->key);
        return;
    case WIRE_IMPI_SAYS_IMPI:
        snprintf(text, room, "%d %s %d", len, server ? "size" : "rank", server ? command->size : command->rank);
        return;
    case WIRE_IMPI_SAYS_COLL:
        snprintf(text, room, server ? "%d %x mask %x" : "%d %x", len, (unsigned)command->label,
                 (unsigned)command->client_mask);
        return;
    case WIRE_IMPI_SAYS_DONE:
    case WIRE_IMPI_SAYS_FINI:
        snprintf(text, room, "%d", len);
        return;
    case WIRE_IMPI_SAYS_OTHER:
        snprintf(text, room, "%d %d", command->cmd, len);
        return;
    }
}

static void say(struct wire_text *text, enum wire_impi_direction direction, const struct wire_impi_startup_piece *piece)
{
    char members[64];

    if (piece->kind == WIRE_IMPI_COMMAND) {
        say_members(piece->command, direction == WIRE_IMPI_FROM_SERVER, members, sizeof members);
        wire_text_add(text, piece->message->name);
        wire_text_add(text, piece->command->bare ? "!(" : "(");
        wire_text_add(text, members);
        wire_text_add(text, ")");
    } else {
        wire_text_add_octets(text, piece->octets, piece->len);
    }
    wire_text_add(text, piece->left ? "" : " ");
}

/* What `len` octets say when they come in pieces of `step`; `missing` tells what the stream lacks at the end. */
static void listen(enum wire_impi_direction direction, const unsigned char *octets, size_t len, size_t step, char *said,
                   uint64_t *missing)
{
    struct wire_impi_startup stream = wire_impi_startup_begin(direction);
    struct wire_text text = wire_text_over(said, SAID_MAX);

    for (size_t at = 0; at < len; at += step) {
        const unsigned char *part = octets + at;
        size_t left = len - at < step ? len - at : step;
        struct wire_impi_startup_piece piece;

        while (wire_impi_startup_next(&stream, &part, &left, &piece) == WIRE_OK) {
            say(&text, direction, &piece);
        }
    }
    *missing = stream.offset == len ? wire_impi_startup_missing(&stream) : UINT64_MAX;
}

/* Whether a message ends behind so many octets of the whole. */
static bool ends_at(enum wire_impi_direction direction, const struct vector *vector, size_t len)
{
    struct wire_impi_startup stream = wire_impi_startup_begin(direction);
    const unsigned char *octets = vector->octets;
    size_t left = vector->len;
    struct wire_impi_startup_piece piece;
    bool ends = len == 0;

    while (wire_impi_startup_next(&stream, &octets, &left, &piece) == WIRE_OK) {
        ends = ends || (piece.left == 0 && piece.offset + piece.len == len);
    }
    return ends;
}

static void check_truncations(enum wire_impi_direction direction, const struct vector *vector, const char *want)
{
    char said[SAID_MAX];
    uint64_t missing = 0;

    for (size_t len = 0; len < vector->len; len++) {
        unsigned char *copy = malloc(len ? len : 1);

        memcpy(copy, vector->octets, len);
        listen(direction, copy, len, len ? len : 1, said, &missing);
        CHECK(strncmp(said, want, strlen(said)) == 0, "%s: %zu octets say no more than all", vector->name, len);
        CHECK(missing <= vector->len - len, "%s: %zu octets lack no more than there is", vector->name, len);
        CHECK((missing == 0) == ends_at(direction, vector, len), "%s: %zu octets are whole messages or not",
              vector->name, len);
        free(copy);
    }
}

/* Every message encodes to the octets of which it was made. */
static void check_encoding(enum wire_impi_direction direction, const struct vector *vector)
{
    struct wire_impi_startup stream = wire_impi_startup_begin(direction);
    const unsigned char *octets = vector->octets;
    size_t len = vector->len;
    struct wire_impi_startup_piece piece;

    while (wire_impi_startup_next(&stream, &octets, &len, &piece) == WIRE_OK) {
        unsigned char again[WIRE_IMPI_COMMAND_MAX];
        size_t used = 77;

        if (piece.kind == WIRE_IMPI_PAYLOAD) {
            continue;
        }
        CHECK_EQ(wire_impi_command_encode(direction, piece.command, again, piece.len - 1, &used), WIRE_NO_SPACE,
                 "no room");
        CHECK_EQ(used, 77, "leaves the length alone");
        CHECK_EQ(wire_impi_command_encode(direction, piece.command, again, sizeof again, &used), WIRE_OK, "encodes");
        CHECK_EQ(used, piece.len, "to the same length");
        CHECK_MEM(again, vector->octets + piece.offset, piece.len, "and to the same octets");
    }
}

static void check_vector(enum wire_impi_direction direction, const struct vector *vector, const char *want)
{
    char said[SAID_MAX];
    uint64_t missing = 99;

    listen(direction, vector->octets, vector->len, vector->len, said, &missing);
    CHECK_STR(said, want, vector->name);
    CHECK_EQ(missing, 0, "and ends there");
    for (size_t step = 1; step < vector->len && step < 40; step++) {
        listen(direction, vector->octets, vector->len, step, said, &missing);
        CHECK(strcmp(said, want) == 0, "%s: in pieces of %zu", vector->name, step);
    }
    check_truncations(direction, vector, want);
    check_encoding(direction, vector);
}

static const struct expected *expected_of(const struct expected *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

static unsigned found;

static void check_client(const struct vector *vector)
{
    const struct expected *want = expected_of(from_client, COUNT(from_client), vector->name);

    if (CHECK(want, "%s: is expected", vector->name)) {
        found++;
        check_vector(WIRE_IMPI_FROM_CLIENT, vector, want->said);
    }
}

static void check_server(const struct vector *vector)
{
    const struct expected *want = expected_of(from_server, COUNT(from_server), vector->name);

    if (CHECK(want, "%s: is expected", vector->name)) {
        found++;
        check_vector(WIRE_IMPI_FROM_SERVER, vector, want->said);
    }
}

static void every_vector(void)
{
    vector_each(VECTORS "/impi-client", check_client);
    CHECK_EQ(found, COUNT(from_client), "every expected vector of a client's is there");
    found = 0;
    vector_each(VECTORS "/impi-server", check_server);
    CHECK_EQ(found, COUNT(from_server), "every expected vector of the server's is there");
}

/* Who knows what the server chose is not led astray by a key that looks like a command, nor by a missing one. */
static void the_choice_settles_what_a_key_is(void)
{
    static const unsigned char octets[] = {'A', 'U', 'T', 'H', 0, 0, 0, 4, 0, 0, 0, 3, 'D', 'O', 'N', 'E', 0, 0, 0, 0};
    static const unsigned char method_3[] = {'X', 'Y', 'Z', 'W', 0, 0, 0, 0};

    for (int32_t method = 0; method <= 1; method++) {
        struct wire_impi_startup stream = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
        const unsigned char *at = octets;
        size_t len = sizeof octets;
        struct wire_impi_startup_piece piece;

        CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_OK, "AUTH");
        wire_impi_startup_method(&stream, method);
        CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_OK, "what follows");
        CHECK_EQ(piece.command->kind, method ? WIRE_IMPI_SAYS_KEY : WIRE_IMPI_SAYS_DONE, "is what was chosen");
        CHECK_EQ(piece.command->key, method ? 0x444f4e4500000000 : 0, "a key of a command's letters");
        at = method_3;
        len = sizeof method_3;
        CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_OK, "after that");
        CHECK_EQ(piece.command->kind, WIRE_IMPI_SAYS_OTHER, "there are commands only");
    }
}

static void negative_lengths_break_a_stream(void)
{
    static const unsigned char client[] = {'C', 'O', 'L', 'L', 0xff, 0xff, 0xff, 0xfc};
    static const unsigned char server[] = {0, 0, 0, 0, 0x80, 0, 0, 0};

    for (int i = 0; i < 2; i++) {
        struct wire_impi_startup stream = wire_impi_startup_begin(i ? WIRE_IMPI_FROM_SERVER : WIRE_IMPI_FROM_CLIENT);
        const unsigned char *at = i ? server : client;
        size_t len = sizeof client;
        struct wire_impi_startup_piece piece;

        CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_TOO_LONG, "a negative length");
        at = client;
        len = sizeof client;
        CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_TOO_LONG, "nothing helps any more");
    }
}

static void long_payloads_need_no_memory(void)
{
    static const unsigned char head[] = {'X', 'Y', 'Z', 'W', 0x7f, 0xff, 0xff, 0xff};
    static const unsigned char zeros[4096];
    struct wire_impi_startup stream = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
    const unsigned char *at = head;
    size_t len = sizeof head;
    struct wire_impi_startup_piece piece;

    CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_OK, "a command of 2^31 - 1 octets");
    CHECK_EQ(piece.left, INT32_MAX, "is believed");
    for (size_t i = 0; i < 100; i++) {
        at = zeros;
        len = sizeof zeros;
        CHECK_EQ(wire_impi_startup_next(&stream, &at, &len, &piece), WIRE_OK, "a piece of it");
    }
    CHECK_EQ(wire_impi_startup_missing(&stream), INT32_MAX - 100 * sizeof zeros, "and comes in pieces");
}

static void messages_have_their_directions(void)
{
    struct wire_impi_command key = {.kind = WIRE_IMPI_SAYS_KEY};
    struct wire_impi_command choice = {.kind = WIRE_IMPI_SAYS_CHOICE};
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    size_t used;

    CHECK_EQ(wire_impi_command_encode(WIRE_IMPI_FROM_SERVER, &key, octets, sizeof octets, &used), WIRE_UNKNOWN,
             "a server has no key to send");
    CHECK_EQ(wire_impi_command_encode(WIRE_IMPI_FROM_CLIENT, &choice, octets, sizeof octets, &used), WIRE_UNKNOWN,
             "a client chooses nothing");
    CHECK_STR(wire_impi_code_name(0x434f4c4c), "COLL", "a code has a name");
    CHECK(!wire_impi_code_name(0x58595a57) && !wire_impi_code_name(-1), "others have none");
}

/* The list of 2.3.5, by hand. */
static void labels_are_those_of_the_document(void)
{
    static const struct {
        int32_t code;
        const char *name;
        unsigned width;
        enum wire_impi_per per;
    } want[] = {
        {0x1000, "IMPI_C_VERSION", 8, WIRE_IMPI_PER_VERSION},
        {0x1100, "IMPI_C_NHOSTS", 4, WIRE_IMPI_PER_CLIENT},
        {0x1200, "IMPI_C_NPROCS", 4, WIRE_IMPI_PER_CLIENT},
        {0x1300, "IMPI_C_DATALEN", 4, WIRE_IMPI_PER_CLIENT},
        {0x1400, "IMPI_C_TAGUB", 4, WIRE_IMPI_PER_CLIENT},
        {0x1500, "IMPI_C_COLL_XSIZE", 4, WIRE_IMPI_PER_CLIENT},
        {0x1600, "IMPI_C_COLL_MAXLINEAR", 4, WIRE_IMPI_PER_CLIENT},
        {0x2000, "IMPI_H_IPV6", 16, WIRE_IMPI_PER_HOST},
        {0x2100, "IMPI_H_PORT", 4, WIRE_IMPI_PER_HOST},
        {0x2200, "IMPI_H_NPROCS", 4, WIRE_IMPI_PER_HOST},
        {0x2300, "IMPI_H_ACKMARK", 4, WIRE_IMPI_PER_HOST},
        {0x2400, "IMPI_H_HIWATER", 4, WIRE_IMPI_PER_HOST},
        {0x3000, "IMPI_P_IPV6", 16, WIRE_IMPI_PER_PROCESS},
        {0x3100, "IMPI_P_PID", 8, WIRE_IMPI_PER_PROCESS},
    };

    CHECK_EQ(COUNT(want), WIRE_IMPI_LABELS, "fourteen labels");
    for (size_t i = 0; i < COUNT(want); i++) {
        const struct wire_impi_label *label = wire_impi_label_of(want[i].code);

        CHECK(label == &wire_impi_labels[i] && strcmp(label->name, want[i].name) == 0, "%s", want[i].name);
        CHECK(label && label->element.width == want[i].width && label->per == want[i].per, "and its elements");
        CHECK(wire_impi_label_named(want[i].name) == label, "is found by name");
        CHECK(label && label->element.offset == 0 && label->element.help && label->clause, "and is described");
    }
    CHECK(!wire_impi_label_of(0) && !wire_impi_label_of(0x1250) && !wire_impi_label_named("IMPI_NO_LABEL"),
          "others are opaque");
}

int main(void)
{
    TAP_RUN(every_vector);
    TAP_RUN(the_choice_settles_what_a_key_is);
    TAP_RUN(negative_lengths_break_a_stream);
    TAP_RUN(long_payloads_need_no_memory);
    TAP_RUN(messages_have_their_directions);
    TAP_RUN(labels_are_those_of_the_document);
    return tap_done();
}
