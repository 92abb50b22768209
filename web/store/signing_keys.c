/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Signing keys (signing_keys.h). A change goes by three files, each of which is whole or not there:
 *
 *     signing.key.next  the new key     keys.json  the chain with the link to it     signing.key.next -> signing.key
 *
 * A crash before the second leaves the old key valid; after it the next start does the third.
 */
#include "web/store/signing_keys.h"

#include "tester/report/key_chain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static void path_of(const char *folder, const char *name, char path[static PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

static bool sync_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return good;
}

static bool rename_synced(const char *folder, const char *from, const char *to)
{
    return sync_path(from) && rename(from, to) == 0 && sync_path(folder);
}

/* The chain of the folder; an empty one where there is no file. NULL: one line in message. */
static json_t *read_chain(const char *folder, char *message, size_t message_octets)
{
    char path[PATH_SIZE];
    json_error_t error;
    json_t *chain;

    path_of(folder, "keys.json", path);
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        return json_array();
    }
    chain = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_array(chain)) {
        snprintf(message, message_octets, "%s: is no chain of keys; put the right file back", path);
        json_decref(chain);
        return NULL;
    }
    return chain;
}

/* Whether the chain leads to this key at its end, as a chain without links does to any. */
static bool ends_with(const json_t *chain, const struct certificate_key *key)
{
    const json_t *link = json_array_get(chain, json_array_size(chain) - 1);
    const char *last = json_string_value(json_object_get(json_object_get(json_array_get(link, 0), "payload"), "next"));
    char text[CERTIFICATE_TEXT_SIZE];

    certificate_key_text(key->public_key, text);
    return json_array_size(chain) == 0 || (last && strcmp(last, text) == 0);
}

/* Takes the new key where a crash came before it could be put in its place. */
static bool complete(const char *folder, const json_t *chain, struct certificate_key *key, char *message,
                     size_t message_octets)
{
    char next[PATH_SIZE], path[PATH_SIZE];

    path_of(folder, "signing.key.next", next);
    path_of(folder, "signing.key", path);
    if (access(next, F_OK) == 0 && certificate_key_load(next, key, message, message_octets) && ends_with(chain, key) &&
        rename_synced(folder, next, path)) {
        return true;
    }
    snprintf(message, message_octets, "%s: is not the key to which keys.json leads; put the right files back", path);
    return false;
}

bool signing_keys_load(const char *folder, struct certificate_key *key, json_t **chain, char *message,
                       size_t message_octets)
{
    char path[PATH_SIZE];

    *chain = NULL;
    path_of(folder, "signing.key", path);
    if (!certificate_key_load(path, key, message, message_octets)) {
        return false;
    }
    *chain = read_chain(folder, message, message_octets);
    return *chain && (ends_with(*chain, key) || complete(folder, *chain, key, message, message_octets));
}

static bool write_chain(const char *folder, const json_t *chain)
{
    char fresh[PATH_SIZE], path[PATH_SIZE];

    path_of(folder, "keys.json.new", fresh);
    path_of(folder, "keys.json", path);
    return json_dump_file(chain, fresh, JSON_INDENT(1)) == 0 && rename_synced(folder, fresh, path);
}

/* Writes what leads to the new key, then puts it in the place of the old one. */
static bool change(const char *folder, json_t *chain, const struct certificate_key *old,
                   const struct certificate_key *fresh)
{
    char at[32], next[PATH_SIZE], path[PATH_SIZE];
    time_t now = time(NULL);
    struct tm utc;

    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    path_of(folder, "signing.key.next", next);
    path_of(folder, "signing.key", path);
    return json_array_append_new(chain, key_chain_link(old, fresh, at)) == 0 && write_chain(folder, chain) &&
           rename_synced(folder, next, path);
}

bool signing_keys_rotate(const char *folder, char *message, size_t message_octets)
{
    struct certificate_key old = {0}, fresh = {0};
    char old_id[CERTIFICATE_TEXT_SIZE], fresh_id[CERTIFICATE_TEXT_SIZE], next[PATH_SIZE];
    json_t *chain = NULL;
    bool good = signing_keys_load(folder, &old, &chain, message, message_octets);

    path_of(folder, "signing.key.next", next);
    if (good) {
        unlink(next); /* of a change that came to nothing */
        good = certificate_key_load(next, &fresh, message, message_octets);
    }
    if (good) {
        good = change(folder, chain, &old, &fresh);
        certificate_key_id(old.public_key, old_id);
        certificate_key_id(fresh.public_key, fresh_id);
        snprintf(message, message_octets,
                 good ? "key %s has given way to key %s" : "key %s stays: the chain to key %s cannot be written",
                 old_id, fresh_id);
    }
    json_decref(chain);
    certificate_key_forget(&old);
    certificate_key_forget(&fresh);
    return good;
}
