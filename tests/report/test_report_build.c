/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The digest of a build: that of `sha256sum`'s lines, sorted; and of more files than are kept it says so.
 */
#include "tester/sut/build.h"
#include "tests/unit/tap.h"

#include <stdio.h>
#include <string.h>

static bool add(struct build *build, unsigned number)
{
    char words[256], path[BUILD_PATH];

    snprintf(words, sizeof words, "build file=/lib/f%u sha256=%064u octets=1", number, number);
    return build_add(build, words, path);
}

/* What the build is given as: how many files, and how many were left out. */
static void check_given(struct build *build, size_t files, long long left_out)
{
    json_t *given = build_json(build);
    const json_t *more = json_object_get(given, "left_out");

    CHECK(json_array_size(json_object_get(given, "files")) == files, "%zu files",
          json_array_size(json_object_get(given, "files")));
    CHECK(more ? json_integer_value(more) == left_out : left_out == 0, "%lld are left out",
          (long long)json_integer_value(more));
    json_decref(given);
}

int main(void)
{
    struct build *build = build_open();
    bool good = true;

    CHECK(build_json(build) == NULL, "nothing was measured");
    for (unsigned i = 0; i < BUILD_FILES; i++) {
        good = add(build, i) && good;
    }
    CHECK(good, "every file has one content");
    check_given(build, BUILD_FILES, 0);
    CHECK(add(build, 0), "a file that is known is no other");
    check_given(build, BUILD_FILES, 0);
    CHECK(add(build, BUILD_FILES), "one more");
    check_given(build, BUILD_FILES, 1);
    build_close(build);
    return tap_done();
}
