/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is written anew of sharkd's answers (web/decode/decoded.h): only what is known, and no more than the bounds.
 */
#include "web/decode/decoded.h"

#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

static bool equals(json_t *got, const char *expected)
{
    json_t *wanted = json_loads(expected, JSON_DECODE_ANY, NULL);
    bool same = got && wanted && json_equal(got, wanted);

    json_decref(wanted);
    json_decref(got);
    return same;
}

static json_t *read_json(const char *text)
{
    return json_loads(text, JSON_DECODE_ANY, NULL);
}

static void frames_are_copied(void)
{
    static const char *const bad[] = {"{}",
                                      "7",
                                      "[7]",
                                      "[{}]",
                                      "[{\"c\":[\"1\",\"0\",\"a\",\"b\",\"P\",\"60\"]}]",
                                      "[{\"c\":[\"-1\",\"0\",\"a\",\"b\",\"P\",\"60\",\"i\"]}]",
                                      "[{\"c\":[\"\",\"0\",\"a\",\"b\",\"P\",\"60\",\"i\"]}]",
                                      "[{\"c\":[\"1\",\"0\",\"a\",\"b\",\"P\",\"6x\",\"i\"]}]",
                                      "[{\"c\":[1,\"0\",\"a\",\"b\",\"P\",\"60\",\"i\"]}]"};
    json_t *good =
        read_json("[{\"c\":[\"1\",\"0.5\",\"a\",\"b\",\"P\",\"60\",\"i\",\"more\"],\"num\":9,\"bg\":\"x\"}]");

    CHECK(equals(decoded_frames(good), "[{\"number\":1,\"time\":\"0.5\",\"source\":\"a\",\"destination\":\"b\","
                                       "\"protocol\":\"P\",\"octets\":60,\"info\":\"i\"}]"),
          "a frame is copied, and only its columns");
    json_decref(good);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *result = read_json(bad[i]);

        CHECK(!decoded_frames(result), "%s is no list of frames", bad[i]);
        json_decref(result);
    }
    CHECK(!decoded_frames(NULL), "nothing is none");
}

static void trees_are_copied(void)
{
    json_t *good = read_json("{\"tree\":[{\"l\":\"a\",\"f\":\"x\",\"h\":[0,1],\"n\":[{\"l\":\"b\",\"s\":\"Warning\"},"
                             "{\"l\":\"c\",\"s\":\"Chat\"},{\"l\":\"d\",\"s\":7}]}],\"bytes\":\"AA==\"}");
    json_t *bad = read_json("{\"tree\":[{\"l\":\"a\",\"n\":[{\"f\":\"x\"}]}]}");

    CHECK(equals(decoded_tree(good), "[{\"text\":\"a\",\"fields\":[{\"text\":\"b\",\"severity\":\"warning\"},"
                                     "{\"text\":\"c\"},{\"text\":\"d\"}]}]"),
          "fields are copied, and what is complained of");
    CHECK(!decoded_tree(bad), "a field without a text is none");
    json_decref(good);
    json_decref(bad);
}

static void bounds_hold(void)
{
    json_t *list = json_array(), *tree, *copy;
    char text[2 * DECODED_TEXT_MAX];

    /* The bound falls into the second octet of a character, which is left out as a whole. */
    memset(text, 'x', sizeof text);
    memcpy(text + DECODED_TEXT_MAX - 1, "\xC3\xBC", 2);
    json_array_append_new(list, json_pack("{s:o}", "l", json_stringn(text, sizeof text)));
    tree = json_pack("{s:O}", "tree", list);
    copy = decoded_tree(tree);
    CHECK(json_string_length(json_object_get(json_array_get(copy, 0), "text")) == DECODED_TEXT_MAX - 1,
          "a text is cut off between characters");
    json_decref(copy);
    while (json_array_size(list) < DECODED_FIELDS_MAX) {
        json_array_append_new(list, json_pack("{s:s}", "l", "x"));
    }
    copy = decoded_tree(tree);
    CHECK(json_array_size(copy) == DECODED_FIELDS_MAX, "as many fields as the bound");
    json_decref(copy);
    json_array_append_new(list, json_pack("{s:s}", "l", "x"));
    CHECK(!decoded_tree(tree), "and no more");
    json_decref(tree);
    json_decref(list);
}

int main(void)
{
    frames_are_copied();
    trees_are_copied();
    bounds_hold();
    return tap_done();
}
