/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sealing and verifying certificates, by libsodium's Ed25519.
 */
#include "tester/report/certificate.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is signed, and what people call it. */
struct form {
    const char *format, *name;
};

static const struct form certificate_form = {"assay-certificate/2", "certificate"};
static const struct form certificate_form_1 = {"assay-certificate/1", "certificate"};
static const struct form log_form = {"assay-log/1", "head of a log"};
static const struct form key_form = {"assay-key/1", "change of a key"};

enum { FRAME_MEMBERS = 6 }; /* of a document: format, payload, algorithm, key_id, key, signature */

_Static_assert((int)CERTIFICATE_PUBLIC_OCTETS == (int)crypto_sign_PUBLICKEYBYTES, "size of an Ed25519 public key");
_Static_assert((int)CERTIFICATE_SECRET_OCTETS == (int)crypto_sign_SECRETKEYBYTES, "size of an Ed25519 secret key");

/* The file holds the 32 octets of the seed: everything else follows from it. */
static bool key_read(int fd, struct certificate_key *key)
{
    unsigned char seed[crypto_sign_SEEDBYTES + 1];
    ssize_t len = read(fd, seed, sizeof seed);
    bool good = len == crypto_sign_SEEDBYTES;

    if (good) {
        crypto_sign_seed_keypair(key->public_key, key->secret_key, seed);
    }
    sodium_memzero(seed, sizeof seed);
    return good;
}

/* Makes the name of a file that was made or renamed last beyond a crash. */
static bool folder_sync(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    int len = slash == path ? 1 : slash ? (int)(slash - path) : 0;

    if (snprintf(folder, sizeof folder, "%.*s", len ? len : 1, len ? path : ".") >= (int)sizeof folder) {
        return false;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* Written whole under another name first: a crash leaves no half key behind, and no key that has signed is lost. */
static bool key_make(const char *path, struct certificate_key *key)
{
    unsigned char seed[crypto_sign_SEEDBYTES];
    char fresh[4096];
    int fd = -1;
    bool good = snprintf(fresh, sizeof fresh, "%s.new", path) < (int)sizeof fresh;

    randombytes_buf(seed, sizeof seed);
    if (good) {
        unlink(fresh);
        fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        good = fd >= 0 && write(fd, seed, sizeof seed) == (ssize_t)sizeof seed && fsync(fd) == 0;
    }
    if (fd >= 0) {
        good = close(fd) == 0 && good;
    }
    good = good && rename(fresh, path) == 0 && folder_sync(path);
    if (good) {
        crypto_sign_seed_keypair(key->public_key, key->secret_key, seed);
    }
    sodium_memzero(seed, sizeof seed);
    return good;
}

bool certificate_key_load(const char *path, struct certificate_key *key, char *message, size_t message_octets)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good;

    if (fd < 0 && errno == ENOENT) {
        good = key_make(path, key);
        if (!good) {
            snprintf(message, message_octets, "%s: cannot write the signing key: %s", path, strerror(errno));
        }
        return good;
    }
    if (fd < 0) {
        snprintf(message, message_octets, "%s: cannot read the signing key: %s", path, strerror(errno));
        return false;
    }
    good = key_read(fd, key);
    close(fd);
    if (!good) {
        snprintf(message, message_octets,
                 "%s: is not a signing key of %d octets; put the right file back (a new key would orphan all "
                 "certificates given so far)",
                 path, crypto_sign_SEEDBYTES);
    }
    return good;
}

void certificate_key_text(const unsigned char public_key[static CERTIFICATE_PUBLIC_OCTETS],
                          char text[static CERTIFICATE_TEXT_SIZE])
{
    sodium_bin2base64(text, CERTIFICATE_TEXT_SIZE, public_key, CERTIFICATE_PUBLIC_OCTETS,
                      sodium_base64_VARIANT_ORIGINAL);
}

void certificate_key_id(const unsigned char public_key[static CERTIFICATE_PUBLIC_OCTETS],
                        char id[static CERTIFICATE_TEXT_SIZE])
{
    unsigned char hash[crypto_generichash_BYTES];

    crypto_generichash(hash, sizeof hash, public_key, CERTIFICATE_PUBLIC_OCTETS, NULL, 0);
    sodium_bin2hex(id, CERTIFICATE_TEXT_SIZE, hash, 8);
}

static bool base64_exactly(const char *text, unsigned char *octets, size_t len)
{
    size_t got = 0;

    return text &&
           sodium_base642bin(octets, len, text, strlen(text), " \t\r\n", &got, NULL, sodium_base64_VARIANT_ORIGINAL) ==
               0 &&
           got == len;
}

bool certificate_key_parse(const char *text, unsigned char public_key[static CERTIFICATE_PUBLIC_OCTETS])
{
    unsigned char octets[CERTIFICATE_PUBLIC_OCTETS];
    json_t *document = json_loads(text, 0, NULL);
    bool good = document ? base64_exactly(json_string_value(json_object_get(document, "key")), octets, sizeof octets)
                         : base64_exactly(text, octets, sizeof octets);

    json_decref(document);
    if (good) {
        memcpy(public_key, octets, sizeof octets);
    }
    return good;
}

/* What is signed; the caller frees it. NULL when memory ends. */
static char *signed_text(const struct form *form, const json_t *payload)
{
    char *canonical = json_dumps(payload, JSON_COMPACT | JSON_SORT_KEYS);
    char *text = NULL;

    if (canonical && asprintf(&text, "%s\n%s", form->format, canonical) < 0) {
        text = NULL;
    }
    free(canonical);
    return text;
}

static json_t *seal(const struct form *form, const struct certificate_key *key, json_t *payload)
{
    unsigned char signature[crypto_sign_BYTES];
    char public_text[CERTIFICATE_TEXT_SIZE], id[CERTIFICATE_TEXT_SIZE], signature_text[CERTIFICATE_TEXT_SIZE];
    char *text = signed_text(form, payload);

    if (!text) {
        json_decref(payload);
        return NULL;
    }
    crypto_sign_detached(signature, NULL, (const unsigned char *)text, strlen(text), key->secret_key);
    free(text);
    certificate_key_text(key->public_key, public_text);
    certificate_key_id(key->public_key, id);
    sodium_bin2base64(signature_text, sizeof signature_text, signature, sizeof signature,
                      sodium_base64_VARIANT_ORIGINAL);
    return json_pack("{s:s,s:o,s:s,s:s,s:s,s:s}", "format", form->format, "payload", payload, "algorithm", "Ed25519",
                     "key_id", id, "key", public_text, "signature", signature_text);
}

/* Reads the frame around the payload. Gives what is wrong, or NULL. */
static const char *read_frame(const struct form *form, const json_t *document, unsigned char *public_key,
                              unsigned char *signature)
{
    const char *format = json_string_value(json_object_get(document, "format"));
    const char *algorithm = json_string_value(json_object_get(document, "algorithm"));
    const char *wrong = NULL;

    if (!format || strcmp(format, form->format) != 0) {
        wrong = "\"format\" is another one";
    } else if (!algorithm || strcmp(algorithm, "Ed25519") != 0) {
        wrong = "\"algorithm\" is not \"Ed25519\"";
    } else if (!json_is_object(json_object_get(document, "payload"))) {
        wrong = "\"payload\" is missing or not an object";
    } else if (!base64_exactly(json_string_value(json_object_get(document, "key")), public_key,
                               CERTIFICATE_PUBLIC_OCTETS)) {
        wrong = "\"key\" is not 32 octets in base64";
    } else if (!base64_exactly(json_string_value(json_object_get(document, "signature")), signature,
                               crypto_sign_BYTES)) {
        wrong = "\"signature\" is not 64 octets in base64";
    }
    return wrong;
}

/* Whether the frame says nothing but what the signature covers or follows from the key: more could deceive a reader. */
static bool frame_is_sealed(const json_t *document, const char *id)
{
    const char *said = json_string_value(json_object_get(document, "key_id"));

    return said && strcmp(said, id) == 0 && json_object_size(document) == FRAME_MEMBERS;
}

static enum certificate_status verify(const struct form *form, const json_t *document, const unsigned char *pinned,
                                      char *message, size_t message_octets)
{
    unsigned char public_key[CERTIFICATE_PUBLIC_OCTETS], signature[crypto_sign_BYTES];
    char id[CERTIFICATE_TEXT_SIZE];
    const char *wrong = read_frame(form, document, public_key, signature);
    char *text = wrong ? NULL : signed_text(form, json_object_get(document, "payload"));
    bool whole;

    if (!text) {
        snprintf(message, message_octets, "not a %s: %s", form->name,
                 wrong ? wrong : "the payload cannot be written down");
        return CERTIFICATE_BROKEN;
    }
    whole = crypto_sign_verify_detached(signature, (const unsigned char *)text, strlen(text), public_key) == 0;
    free(text);
    certificate_key_id(public_key, id);
    if (!whole || !frame_is_sealed(document, id)) {
        snprintf(message, message_octets,
                 whole ? "something was added to the %s, or its \"key_id\" altered, after it was signed"
                       : "the signature does not fit: the %s was altered after it was signed",
                 form->name);
        return CERTIFICATE_ALTERED;
    }
    if (pinned && memcmp(pinned, public_key, CERTIFICATE_PUBLIC_OCTETS) != 0) {
        snprintf(message, message_octets, "signed by key %s, which is not the key demanded", id);
        return CERTIFICATE_OTHER_KEY;
    }
    snprintf(message, message_octets, "the signature of key %s fits", id);
    return CERTIFICATE_GOOD;
}

json_t *certificate_seal(const struct certificate_key *key, json_t *payload)
{
    return seal(&certificate_form, key, payload);
}

json_t *certificate_seal_log(const struct certificate_key *key, json_t *payload)
{
    return seal(&log_form, key, payload);
}

enum certificate_status certificate_verify(const json_t *document, const unsigned char *pinned, char *message,
                                           size_t message_octets)
{
    const char *format = json_string_value(json_object_get(document, "format"));
    bool first = format && strcmp(format, certificate_form_1.format) == 0;

    return verify(first ? &certificate_form_1 : &certificate_form, document, pinned, message, message_octets);
}

enum certificate_status certificate_verify_log(const json_t *document, char *message, size_t message_octets)
{
    return verify(&log_form, document, NULL, message, message_octets);
}

json_t *certificate_seal_key(const struct certificate_key *key, json_t *payload)
{
    return seal(&key_form, key, payload);
}

enum certificate_status certificate_verify_key(const json_t *document, const unsigned char *pinned, char *message,
                                               size_t message_octets)
{
    return verify(&key_form, document, pinned, message, message_octets);
}

void certificate_key_forget(struct certificate_key *key)
{
    sodium_memzero(key, sizeof *key);
}
