/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds the files that embed.sh put into the program.
 */
#include "web/service/asset.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* The table that embed.sh writes; a NULL name ends it. */
extern const struct asset asset_table[];

const struct asset *asset_find(const char *name)
{
    for (const struct asset *asset = asset_table; asset->name; asset++) {
        if (strcmp(asset->name, name) == 0) {
            return asset;
        }
    }
    return NULL;
}

const char *asset_type(const char *name)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", "application/json"},
        {".gz", "application/gzip"},
    };
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t ending = strlen(types[i].ending);

        if (len > ending && strcmp(name + len - ending, types[i].ending) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

static char tag[2 * 8 + 3];

static void tag_make(void)
{
    unsigned char hash[16];
    char hex[2 * 8 + 1];
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (const struct asset *asset = asset_table; asset->name; asset++) {
        crypto_generichash_update(&state, asset->octets, asset->len);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(hex, sizeof hex, hash, 8);
    snprintf(tag, sizeof tag, "\"%s\"", hex);
}

const char *asset_tag(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, tag_make);
    return tag;
}
