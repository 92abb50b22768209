/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Chains of keys (key_chain.h).
 */
#include "tester/report/key_chain.h"

#include <stdio.h>
#include <string.h>

enum { KEYS_MAX = 256 };

/* The keys that are trusted so far. */
struct trusted {
    unsigned char keys[KEYS_MAX][CERTIFICATE_PUBLIC_OCTETS];
    size_t count;
};

static bool has(const struct trusted *trusted, const unsigned char *key)
{
    for (size_t i = 0; i < trusted->count; i++) {
        if (memcmp(trusted->keys[i], key, CERTIFICATE_PUBLIC_OCTETS) == 0) {
            return true;
        }
    }
    return false;
}

/* True: it is a new one. */
static bool add(struct trusted *trusted, const unsigned char *key)
{
    bool fresh = trusted->count < KEYS_MAX && !has(trusted, key);

    if (fresh) {
        memcpy(trusted->keys[trusted->count++], key, CERTIFICATE_PUBLIC_OCTETS);
    }
    return fresh;
}

json_t *key_chain_link(const struct certificate_key *previous, const struct certificate_key *next, const char *at)
{
    char previous_text[CERTIFICATE_TEXT_SIZE], next_text[CERTIFICATE_TEXT_SIZE];

    certificate_key_text(previous->public_key, previous_text);
    certificate_key_text(next->public_key, next_text);
    json_t *payload = json_pack("{s:s,s:s,s:s}", "at", at, "next", next_text, "previous", previous_text);
    json_t *by_previous = payload ? certificate_seal_key(previous, json_incref(payload)) : NULL;
    json_t *by_next = payload ? certificate_seal_key(next, payload) : NULL;
    json_t *link = json_pack("[o,o]", by_previous, by_next);

    return link;
}

/* A link whose two documents say the same of the same two keys, each signed by the one that it should be. */
static bool read_link(const json_t *link, unsigned char *previous, unsigned char *next)
{
    const json_t *first = json_array_get(link, 0), *second = json_array_get(link, 1);
    const json_t *payload = json_object_get(first, "payload");
    const char *from = json_string_value(json_object_get(payload, "previous"));
    const char *to = json_string_value(json_object_get(payload, "next"));
    char message[256];

    return from && to && json_equal(payload, json_object_get(second, "payload")) &&
           certificate_key_parse(from, previous) && certificate_key_parse(to, next) &&
           certificate_verify_key(first, previous, message, sizeof message) == CERTIFICATE_GOOD &&
           certificate_verify_key(second, next, message, sizeof message) == CERTIFICATE_GOOD;
}

bool key_chain_trusts(const json_t *chain, const unsigned char anchor[static CERTIFICATE_PUBLIC_OCTETS],
                      const unsigned char key[static CERTIFICATE_PUBLIC_OCTETS])
{
    unsigned char previous[CERTIFICATE_PUBLIC_OCTETS], next[CERTIFICATE_PUBLIC_OCTETS];
    struct trusted trusted = {.count = 0};
    bool grows = add(&trusted, anchor);

    while (grows && !has(&trusted, key)) {
        grows = false;
        for (size_t i = 0; i < json_array_size(chain) && i < KEYS_MAX; i++) {
            if (read_link(json_array_get(chain, i), previous, next) &&
                (has(&trusted, previous) || has(&trusted, next))) {
                grows |= add(&trusted, previous);
                grows |= add(&trusted, next);
            }
        }
    }
    return has(&trusted, key);
}

bool key_chain_trusts_text(const json_t *chain, const char *anchor, const char *key)
{
    unsigned char one[CERTIFICATE_PUBLIC_OCTETS], other[CERTIFICATE_PUBLIC_OCTETS];

    return anchor && key && certificate_key_parse(anchor, one) && certificate_key_parse(key, other) &&
           key_chain_trusts(chain, one, other);
}

enum certificate_status key_chain_verify(const json_t *document, const unsigned char *pinned, const json_t *chain,
                                         char *message, size_t message_octets)
{
    enum certificate_status status = certificate_verify(document, pinned, message, message_octets);
    unsigned char key[CERTIFICATE_PUBLIC_OCTETS];
    const char *text = json_string_value(json_object_get(document, "key"));

    if (status != CERTIFICATE_OTHER_KEY || !text || !certificate_key_parse(text, key) ||
        !key_chain_trusts(chain, pinned, key)) {
        return status;
    }
    status = certificate_verify(document, NULL, message, message_octets);
    if (status == CERTIFICATE_GOOD) {
        size_t len = strlen(message);

        snprintf(message + len, message_octets - len, ", a key to which the one demanded leads");
    }
    return status;
}
