/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading vector files through wire/octets/hex.h, whose own test does not depend on this.
 */
#include "tests/unit/vector.h"

#include "wire/octets/hex.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const char *path, const char *why)
{
    printf("Bail out! %s: %s\n", path, why);
    exit(2);
}

static size_t read_text(const char *path, char *text, size_t cap)
{
    FILE *file = fopen(path, "r");
    size_t len;

    if (!file) {
        give_up(path, strerror(errno));
    }
    len = fread(text, 1, cap, file);
    if (ferror(file) || len == cap) {
        give_up(path, "cannot be read or is too long");
    }
    fclose(file);
    return len;
}

static void take_name(const char *path, struct vector *vector)
{
    const char *slash = strrchr(path, '/');

    snprintf(vector->name, sizeof vector->name, "%s", slash ? slash + 1 : path);
    if (strrchr(vector->name, '.')) {
        *strrchr(vector->name, '.') = 0;
    }
}

void vector_load(const char *path, struct vector *vector)
{
    static char text[65536];
    size_t text_len = read_text(path, text, sizeof text - 1);
    struct wire_hex hex = {.line = 1};
    size_t used = 0;

    memset(vector, 0, sizeof *vector);
    take_name(path, vector);
    text[text_len] = 0;
    (void)sscanf(text, "# expect: %31[a-z-]", vector->expect);
    if (wire_hex_feed(&hex, text, text_len, &used, vector->octets, VECTOR_OCTETS_MAX, &vector->len) != WIRE_OK ||
        wire_hex_end(&hex) != WIRE_OK || used != text_len) {
        give_up(path, "is not a vector");
    }
}

static int is_vector(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && strcmp(dot, ".hex") == 0;
}

void vector_each(const char *folder, void (*visit)(const struct vector *vector))
{
    static struct vector vector;
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_vector, alphasort);

    if (count <= 0) {
        give_up(folder, "holds no vector; run from the root of the tree");
    }
    for (int i = 0; i < count; i++) {
        char path[512];

        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        vector_load(path, &vector);
        visit(&vector);
        free(entries[i]);
    }
    free(entries);
}
