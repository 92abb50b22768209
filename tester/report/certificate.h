/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Certificates: signed JSON that anyone can verify offline.
 *
 *     {"format":"assay-certificate/2","payload":{..},"algorithm":"Ed25519","key_id":"..","key":"..","signature":".."}
 *
 * The signature is made over the octets "assay-certificate/2\n" followed by the payload in canonical form: JSON without
 * blanks, members sorted by the octets of their names, UTF-8 not escaped beyond what JSON demands. key and signature
 * are in base64. key_id is the first 8 octets of BLAKE2b-256 of the key, in hexadecimal.
 *
 * Since format 2 the payload has "issuer" and "organisation", each of which may be null, and no "vendor" that nobody
 * has approved. Certificates of format 1 are verified as ever, by the octets of their own format.
 *
 * The service seals, `assay verify` and the service's public page verify. The key in the document only shows that the
 * document is whole; that it is genuine is known only from a key that was got elsewhere (--key).
 */
#ifndef TESTER_REPORT_CERTIFICATE_H
#define TESTER_REPORT_CERTIFICATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { CERTIFICATE_PUBLIC_OCTETS = 32, CERTIFICATE_SECRET_OCTETS = 64, CERTIFICATE_TEXT_SIZE = 96 };

struct certificate_key {
    unsigned char public_key[CERTIFICATE_PUBLIC_OCTETS];
    unsigned char secret_key[CERTIFICATE_SECRET_OCTETS];
};

enum certificate_status {
    CERTIFICATE_GOOD,
    CERTIFICATE_ALTERED,   /* the signature does not fit the payload */
    CERTIFICATE_OTHER_KEY, /* whole, but signed by another key than the one demanded */
    CERTIFICATE_BROKEN,    /* not a certificate at all */
};

/* certificate_key_load reads the signing key from a file, or makes one (readable by its owner alone) if there is no
 * such file. False: one line in message. */
bool certificate_key_load(const char *path, struct certificate_key *key, char *message, size_t message_octets);

/* certificate_key_text writes the public key in base64, certificate_key_id its id. */
void certificate_key_text(const unsigned char public_key[static CERTIFICATE_PUBLIC_OCTETS],
                          char text[static CERTIFICATE_TEXT_SIZE]);
void certificate_key_id(const unsigned char public_key[static CERTIFICATE_PUBLIC_OCTETS],
                        char id[static CERTIFICATE_TEXT_SIZE]);

/* certificate_key_parse reads a public key: base64 text (blanks around it allowed), or the JSON {"key":".."} that the
 * service hands out, or a whole certificate. False when it is none of these. */
bool certificate_key_parse(const char *text, unsigned char public_key[static CERTIFICATE_PUBLIC_OCTETS]);

/* certificate_seal makes the document; takes the payload over. NULL when memory ends. */
json_t *certificate_seal(const struct certificate_key *key, json_t *payload);

/* certificate_seal_log and certificate_verify_log do the same with the head of a log (log.h), whose format is
 * "assay-log/1": none can be taken for the other. */
json_t *certificate_seal_log(const struct certificate_key *key, json_t *payload);
enum certificate_status certificate_verify_log(const json_t *document, char *message, size_t message_octets);

/* certificate_seal_key and certificate_verify_key do so with a half of a link from one key to the next (key_chain.h),
 * whose format is "assay-key/1". */
json_t *certificate_seal_key(const struct certificate_key *key, json_t *payload);
enum certificate_status certificate_verify_key(const json_t *document, const unsigned char *pinned, char *message,
                                               size_t message_octets);

/* certificate_key_forget overwrites a key in memory. */
void certificate_key_forget(struct certificate_key *key);

/* certificate_verify tells whether a document is whole and, with `pinned` not NULL, signed by that key. message
 * receives one line whatever comes out. */
enum certificate_status certificate_verify(const json_t *document, const unsigned char *pinned, char *message,
                                           size_t message_octets);

#endif
