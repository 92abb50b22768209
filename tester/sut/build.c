/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The files of the system under test (build.h).
 */
#include "tester/sut/build.h"

#include "tester/base/memory.h"
#include "tester/base/pairs.h"

#include <pthread.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEX = 2 * crypto_hash_sha256_BYTES + 1 };

struct build {
    pthread_mutex_t lock;
    json_t *files; /* in the order in which they came */
    size_t told;   /* by build_news */
    size_t left_out;
};

struct build *build_open(void)
{
    struct build *build = memory_zero(sizeof *build);

    pthread_mutex_init(&build->lock, NULL);
    build->files = json_array();
    return build;
}

void build_close(struct build *build)
{
    json_decref(build->files);
    pthread_mutex_destroy(&build->lock);
    free(build);
}

static const char *text_of(const json_t *file, const char *key)
{
    const char *text = json_string_value(json_object_get(file, key));

    return text ? text : "";
}

/* Adds a file, unless it is there; false: it is there with another content. Lock held. */
static bool add(struct build *build, json_t *file)
{
    for (size_t i = 0; i < json_array_size(build->files); i++) {
        const json_t *other = json_array_get(build->files, i);

        if (strcmp(text_of(other, "file"), text_of(file, "file")) == 0) {
            return strcmp(text_of(other, "sha256"), text_of(file, "sha256")) == 0;
        }
    }
    if (json_array_size(build->files) < BUILD_FILES) {
        json_array_append(build->files, file);
    } else {
        build->left_out++;
    }
    return true;
}

/* 64 lower-case hexadecimal digits, or nothing. */
static bool is_digest(const char *text)
{
    return !*text || (strspn(text, "0123456789abcdef") == HEX - 1 && strlen(text) == HEX - 1);
}

bool build_add(struct build *build, const char *words, char path[static BUILD_PATH])
{
    char sha256[HEX + 1], octets[32];
    bool good = true;

    if (!pairs_value(words, "file", path, BUILD_PATH) || !*path ||
        !pairs_value(words, "sha256", sha256, sizeof sha256) || !is_digest(sha256)) {
        return true;
    }
    pairs_value(words, "octets", octets, sizeof octets);
    json_t *file =
        json_pack("{s:s,s:s,s:I}", "file", path, "sha256", sha256, "octets", (json_int_t)strtoll(octets, NULL, 10));
    if (file) { /* a path that is no UTF-8 is left out */
        pthread_mutex_lock(&build->lock);
        good = add(build, file);
        pthread_mutex_unlock(&build->lock);
    }
    json_decref(file);
    return good;
}

void build_restore(struct build *build, const json_t *files)
{
    pthread_mutex_lock(&build->lock);
    for (size_t i = 0; i < json_array_size(files); i++) {
        json_t *file = json_array_get(files, i);

        if (json_is_string(json_object_get(file, "file"))) {
            add(build, file);
        }
    }
    build->told = json_array_size(build->files);
    pthread_mutex_unlock(&build->lock);
}

json_t *build_news(struct build *build)
{
    json_t *news = NULL;

    pthread_mutex_lock(&build->lock);
    while (build->told < json_array_size(build->files)) {
        news = news ? news : json_array();
        json_array_append(news, json_array_get(build->files, build->told++));
    }
    pthread_mutex_unlock(&build->lock);
    return news;
}

static const char *name_of(const json_t *file)
{
    const char *path = text_of(file, "file"), *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* By name, then by digest, then by path. */
static int compare(const void *one, const void *other)
{
    const json_t *a = *(const json_t *const *)one, *b = *(const json_t *const *)other;
    int order = strcmp(name_of(a), name_of(b));

    order = order ? order : strcmp(text_of(a, "sha256"), text_of(b, "sha256"));
    return order ? order : strcmp(text_of(a, "file"), text_of(b, "file"));
}

/* The files in order; lock held. */
static json_t *sorted(const struct build *build)
{
    size_t count = json_array_size(build->files);
    json_t **list = memory_zero((count + 1) * sizeof *list), *result = json_array();

    for (size_t i = 0; i < count; i++) {
        list[i] = json_array_get(build->files, i);
    }
    qsort((void *)list, count, sizeof *list, compare);
    for (size_t i = 0; i < count; i++) {
        json_array_append(result, list[i]);
    }
    free((void *)list);
    return result;
}

static int compare_lines(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* The digest of all lines, as `sha256sum * | sort | sha256sum` has it. */
static void digest(const json_t *files, char hex[HEX])
{
    size_t count = json_array_size(files);
    char **lines = memory_zero((count + 1) * sizeof *lines);
    unsigned char octets[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;

    for (size_t i = 0; i < count; i++) {
        const json_t *file = json_array_get(files, i);

        lines[i] = memory_format("%s  %s\n", text_of(file, "sha256"), name_of(file));
    }
    qsort((void *)lines, count, sizeof *lines, compare_lines);
    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < count; i++) {
        crypto_hash_sha256_update(&state, (const unsigned char *)lines[i], strlen(lines[i]));
        free(lines[i]);
    }
    free((void *)lines);
    crypto_hash_sha256_final(&state, octets);
    for (size_t i = 0; i < sizeof octets; i++) {
        snprintf(hex + 2 * i, 3, "%02x", octets[i]);
    }
}

json_t *build_json(struct build *build)
{
    char hex[HEX];

    pthread_mutex_lock(&build->lock);
    json_t *files = sorted(build), *result;
    size_t left_out = build->left_out;
    pthread_mutex_unlock(&build->lock);
    if (json_array_size(files) == 0) {
        json_decref(files);
        return NULL;
    }
    digest(files, hex);
    result = json_pack("{s:s,s:o}", "sha256", hex, "files", files);
    if (left_out > 0) {
        json_object_set_new(result, "left_out", json_integer((json_int_t)left_out));
    }
    return result;
}
