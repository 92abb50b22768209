/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What takes libFuzzer's place where a target only reads inputs that are there: replay FOLDER runs the target once with
 * each file of the folder, in the order of their names. Status 2 where a file cannot be read, or there is none.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>

enum { INPUT_MAX = 1 << 24 };

static const char *folder;

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Runs the target with one file; false when it cannot be read. */
static int replay(const char *name)
{
    static uint8_t input[INPUT_MAX];
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    size_t size = in ? fread(input, 1, sizeof input, in) : 0;
    int whole = in && !ferror(in) && size < sizeof input;

    if (in) {
        fclose(in);
    }
    if (!whole) {
        fprintf(stderr, "%s: cannot be read, or is not smaller than %d octets\n", path, INPUT_MAX);
        return 0;
    }
    LLVMFuzzerTestOneInput(input, size);
    return 1;
}

int main(int argc, char **argv)
{
    struct dirent **inputs;

    if (argc != 2) {
        fprintf(stderr, "usage: replay FOLDER\n");
        return 2;
    }
    folder = argv[1];
    int count = scandir(folder, &inputs, is_input, alphasort);
    if (count <= 0) {
        fprintf(stderr, "%s: no input is there\n", folder);
        return 2;
    }
    for (int i = 0; i < count; i++) {
        if (!replay(inputs[i]->d_name)) {
            return 2;
        }
        free(inputs[i]);
    }
    free(inputs);
    printf("%d inputs\n", count);
    return 0;
}
