/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Makes the commands of the table's rows, so that page, API and command line say the same.
 */
#include "web/profiles/commands.h"

#include "web/service/asset.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER  "assay-interpreter-" ASSAY_VERSION
#define ARCHIVE "assay-interpreter.tar.gz"

/* Whether the order's commands have this role: with an own server, only a role that can bring one; guests are clients,
 * which are the role that can. */
static bool is_asked(const struct profile_role *role, const struct commands_order *order)
{
    return (!*order->server && !order->guest) || role->server;
}

static void add(json_t *list, const char *title, const char *text, const char *role)
{
    json_t *one = json_pack("{s:s,s:s}", "title", title, "text", text);

    if (*role) {
        json_object_set_new(one, "role", json_string(role));
    }
    json_array_append_new(list, one);
}

/* ` --server 'WORDS'` as a shell takes it; nothing without an own server. What does not fit is left out. */
static void write_server(const char *server, char *text, size_t text_octets)
{
    size_t len = (size_t)snprintf(text, text_octets, "%s", *server ? " --server '" : "");

    for (; *server && len + 6 < text_octets; server++) {
        len += (size_t)snprintf(text + len, text_octets - len, *server == '\'' ? "'\\''" : "%c", *server);
        if (!server[1]) {
            snprintf(text + len, text_octets - len, "'");
        }
    }
}

/* Writes a command of the table: {folder} becomes the folder of the interpreter's archive. */
static void put_command(FILE *out, const char *command)
{
    static const char mark[] = "{folder}";
    const char *found;

    for (; (found = strstr(command, mark)) != NULL; command = found + strlen(mark)) {
        fprintf(out, "%.*s" FOLDER, (int)(found - command), command);
    }
    fputs(command, out);
}

/* Adds a command of a role; `before` stands before it. */
static void add_text(json_t *list, const struct profile_role *role, const struct profile_text *text, const char *before)
{
    char *whole = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&whole, &len);

    if (out) {
        fputs(before, out);
        put_command(out, text->command);
        if (fclose(out) == 0) {
            add(list, text->title, whole, role->name);
        }
    }
    free(whole);
}

static void add_starts(json_t *list, const struct commands_order *order, const char *manager)
{
    char before[4096], server[2600];

    write_server(order->server, server, sizeof server);
    snprintf(before, sizeof before, "ASSAY_TOKEN=%s " FOLDER "/sut-agent --url %s%s -- ", order->token, manager,
             server);
    for (size_t i = 0; i < order->profile->role_count; i++) {
        const struct profile_role *role = &order->profile->roles[i];

        if (is_asked(role, order)) {
            add_text(list, role, &role->start, before);
        }
    }
}

static void add_builds(json_t *list, const struct commands_order *order)
{
    for (size_t i = 0; i < order->profile->role_count; i++) {
        const struct profile_role *role = &order->profile->roles[i];

        if (is_asked(role, order)) {
            add_text(list, role, &role->build, "");
        }
    }
}

static char archive_digest[2 * crypto_hash_sha256_BYTES + 1];

static void make_archive_digest(void)
{
    const struct asset *archive = asset_find(ARCHIVE);
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, archive->octets, archive->len);
    sodium_bin2hex(archive_digest, sizeof archive_digest, hash, sizeof hash);
}

static void add_fetch(json_t *list, const char *base)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char text[1024];

    pthread_once(&once, make_archive_digest);
    snprintf(text, sizeof text, "curl -fsSL %s/download/" ARCHIVE " | tar xz", base);
    add(list, "Get the test interpreter (plain C, no dependency)", text, "");
    json_object_set_new(json_array_get(list, 0), "sha256", json_string(archive_digest));
}

json_t *commands_json(const struct commands_order *order)
{
    json_t *list = json_array();
    add_fetch(list, order->base);
    add_builds(list, order);
    add_starts(list, order, order->base);
    return list;
}
