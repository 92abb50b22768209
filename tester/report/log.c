/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Entries, head and proofs of the log of certificates (log.h).
 */
#include "tester/report/log.h"

#include "tester/report/key_chain.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROOF_FORMAT  "assay-log-proof/1"
#define GROWTH_FORMAT "assay-log-growth/1"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

void log_digest(const json_t *certificate, char digest[static LOG_DIGEST_SIZE])
{
    char *text = json_dumps(certificate, JSON_COMPACT | JSON_SORT_KEYS);
    unsigned char hash[MERKLE_OCTETS];

    digest[0] = '\0';
    if (text) {
        crypto_hash_sha256(hash, (const unsigned char *)text, strlen(text));
        sodium_bin2hex(digest, LOG_DIGEST_SIZE, hash, sizeof hash);
    }
    free(text);
}

char *log_entry(const struct log_event *event)
{
    json_t *entry = json_pack("{s:s,s:s,s:s,s:s,s:s}", "at", event->at, "certificate", event->certificate, "kind",
                              event->kind, "reason", event->reason, "sha256", event->digest);
    char *text = entry ? json_dumps(entry, JSON_COMPACT | JSON_SORT_KEYS) : NULL;

    json_decref(entry);
    return text;
}

static json_t *hash_json(const struct merkle_hash *hash)
{
    char text[LOG_DIGEST_SIZE];

    sodium_bin2hex(text, sizeof text, hash->octets, MERKLE_OCTETS);
    return json_string(text);
}

json_t *log_head(const struct certificate_key *key, const struct merkle_hash *leaves, size_t count, const char *at)
{
    struct merkle_hash root = merkle_root(leaves, count);
    json_t *payload = json_pack("{s:s,s:o,s:I}", "at", at, "root", hash_json(&root), "size", (json_int_t)count);

    return payload ? certificate_seal_log(key, payload) : NULL;
}

json_t *log_place(const struct merkle_hash *leaves, size_t count, size_t index, const char *entry)
{
    struct merkle_hash path[MERKLE_PATH_MAX];
    size_t steps = merkle_path(leaves, count, index, path);
    json_t *hashes = json_array();

    for (size_t i = 0; i < steps; i++) {
        json_array_append_new(hashes, hash_json(&path[i]));
    }
    return json_pack("{s:s,s:I,s:o}", "entry", entry, "index", (json_int_t)index, "path", hashes);
}

json_t *log_growth(json_t *head, const struct merkle_hash *leaves, size_t count, size_t before)
{
    struct merkle_hash path[MERKLE_PATH_MAX], root = merkle_root(leaves, before);
    size_t steps = merkle_growth(leaves, count, before, path);
    json_t *hashes = json_array();

    for (size_t i = 0; i < steps; i++) {
        json_array_append_new(hashes, hash_json(&path[i]));
    }
    return json_pack("{s:s,s:o,s:{s:I,s:o},s:o}", "format", GROWTH_FORMAT, "head", head, "before", "size",
                     (json_int_t)before, "root", hash_json(&root), "path", hashes);
}

json_t *log_proof(json_t *head, json_t *issued, json_t *revoked)
{
    return json_pack("{s:s,s:o,s:o,s:o}", "format", PROOF_FORMAT, "head", head, "issued", issued, "revoked",
                     revoked ? revoked : json_null());
}

/* ---- verifying --------------------------------------------------------------------------------------------------- */

/* What a verification says, and where. */
struct said {
    char *message;
    size_t octets;
};

__attribute__((format(printf, 3, 4))) static enum log_status say(const struct said *said, enum log_status status,
                                                                 const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(said->message, said->octets, format, arguments);
    va_end(arguments);
    return status;
}

static bool hash_read(const json_t *text, struct merkle_hash *hash)
{
    const char *hex = json_string_value(text);
    size_t len = 0;

    return hex && strlen(hex) == LOG_DIGEST_SIZE - 1 &&
           sodium_hex2bin(hash->octets, MERKLE_OCTETS, hex, strlen(hex), NULL, &len, NULL) == 0 && len == MERKLE_OCTETS;
}

/* Whether the place's path leads from its entry to the root in the head's payload. */
static bool place_is_in(const json_t *place, const json_t *head)
{
    const json_t *hashes = json_object_get(place, "path");
    json_int_t size = json_integer_value(json_object_get(head, "size"));
    json_int_t index = json_integer_value(json_object_get(place, "index"));
    const char *entry = text_of(place, "entry");
    struct merkle_hash root, leaf = merkle_leaf(entry, strlen(entry)), path[MERKLE_PATH_MAX];
    size_t steps = json_array_size(hashes);

    if (!hash_read(json_object_get(head, "root"), &root) || size <= 0 || index < 0 || steps > MERKLE_PATH_MAX ||
        !json_is_integer(json_object_get(place, "index"))) {
        return false;
    }
    for (size_t i = 0; i < steps; i++) {
        if (!hash_read(json_array_get(hashes, i), &path[i])) {
            return false;
        }
    }
    return merkle_is_in(&root, (uint64_t)size, &leaf, (uint64_t)index, path, steps);
}

/* Whether the entry of the place says that of the certificate. The caller frees *entry. */
static bool place_says(const json_t *place, const char *kind, const json_t *certificate, json_t **entry)
{
    char digest[LOG_DIGEST_SIZE];

    *entry = json_loads(text_of(place, "entry"), JSON_REJECT_DUPLICATES, NULL);
    log_digest(certificate, digest);
    return digest[0] && strcmp(text_of(*entry, "kind"), kind) == 0 && strcmp(text_of(*entry, "sha256"), digest) == 0 &&
           strcmp(text_of(*entry, "certificate"), text_of(json_object_get(certificate, "payload"), "id")) == 0;
}

/* One place of a proof whose head is genuine. */
static enum log_status verify_place(const json_t *place, const char *kind, const json_t *proof,
                                    const json_t *certificate, const struct said *said)
{
    const json_t *head = json_object_get(json_object_get(proof, "head"), "payload");
    json_t *entry;
    bool right = place_says(place, kind, certificate, &entry);
    enum log_status status = LOG_GOOD;

    if (!right) {
        status = say(said, LOG_WRONG, "the proof's entry \"%s\" is not about this certificate", kind);
    } else if (!place_is_in(place, head)) {
        status =
            say(said, LOG_WRONG, "the entry \"%s\" is not in the log: its path does not lead to the head's root", kind);
    } else {
        say(said, LOG_GOOD, "%s at %s, entry %lld of %lld in the log%s%s", kind, text_of(entry, "at"),
            (long long)json_integer_value(json_object_get(place, "index")) + 1,
            (long long)json_integer_value(json_object_get(head, "size")), *text_of(entry, "reason") ? ": " : "",
            text_of(entry, "reason"));
    }
    json_decref(entry);
    return status;
}

/* The log must be signed by the key of the certificate, which the caller has compared with one he knows, or by one to
 * which that leads. */
static bool head_is_genuine(const json_t *proof, const json_t *certificate, const json_t *chain,
                            const struct said *said)
{
    const json_t *head = json_object_get(proof, "head");
    enum certificate_status status = certificate_verify_log(head, said->message, said->octets);

    if (status == CERTIFICATE_GOOD &&
        !key_chain_trusts_text(chain, text_of(certificate, "key"), text_of(head, "key"))) {
        say(said, LOG_WRONG,
            "the log is signed by another key than the certificate, and no chain of keys leads from one to the other");
        return false;
    }
    return status == CERTIFICATE_GOOD;
}

enum log_status log_verify(const json_t *proof, const json_t *certificate, const json_t *chain, char *message,
                           size_t message_octets)
{
    const json_t *revoked = json_object_get(proof, "revoked");
    struct said said = {message, message_octets};
    enum log_status status;

    if (strcmp(text_of(proof, "format"), PROOF_FORMAT) != 0 || !json_is_object(json_object_get(proof, "issued")) ||
        !(json_is_object(revoked) || json_is_null(revoked))) {
        return say(&said, LOG_BROKEN, "not a proof: \"format\" is not \"" PROOF_FORMAT "\", or members are missing");
    }
    if (!head_is_genuine(proof, certificate, chain, &said)) {
        return LOG_WRONG;
    }
    status = verify_place(json_object_get(proof, "issued"), "issued", proof, certificate, &said);
    if (status == LOG_GOOD && json_is_object(revoked)) {
        status = verify_place(revoked, "revoked", proof, certificate, &said);
        return status == LOG_GOOD ? LOG_REVOKED : status;
    }
    return status;
}
