/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The log of certificates: every one that a service issues or revokes becomes an entry, and none is ever removed or
 * changed. Its head, signed, stands for all of it; a proof shows that a certificate is in it.
 *
 *     head    {"format":"assay-log/1","payload":{"at","root","size"},"algorithm","key_id","key","signature"}
 *     entry   {"at","certificate","kind":"issued"|"revoked","reason","sha256"}, a text; sha256 is the certificate's
 *     proof   {"format":"assay-log-proof/1","head","issued":{"entry","index","path"},"revoked":null or the same}
 *
 * root, sha256 and the hashes of a path are in hexadecimal. What is hashed of a certificate is its canonical form.
 */
#ifndef TESTER_REPORT_LOG_H
#define TESTER_REPORT_LOG_H

#include "tester/report/certificate.h"
#include "tester/report/merkle.h"

#include <jansson.h>
#include <stddef.h>

enum { LOG_DIGEST_SIZE = 2 * MERKLE_OCTETS + 1 };

/* log_digest writes the SHA-256 of a certificate, "" when memory ends. */
void log_digest(const json_t *certificate, char digest[static LOG_DIGEST_SIZE]);

/* log_entry makes the text of an entry; the caller frees it. `reason` is "" for one that is issued. NULL when memory
 * ends. */
struct log_event {
    const char *kind, *certificate, *digest, *reason, *at;
};
char *log_entry(const struct log_event *event);

/* log_head makes the signed head of a list of leaves; `at` is the time. NULL when memory ends. */
json_t *log_head(const struct certificate_key *key, const struct merkle_hash *leaves, size_t count, const char *at);

/* log_place makes the part of a proof about the entry at `index`. NULL when memory ends. */
json_t *log_place(const struct merkle_hash *leaves, size_t count, size_t index, const char *entry);

/* log_growth makes what shows that the list began with its first `before` leaves, at least one:
 *
 *     {"format":"assay-log-growth/1","head","before":{"size","root"},"path"}
 *
 * takes the head over. NULL when memory ends. */
json_t *log_growth(json_t *head, const struct merkle_hash *leaves, size_t count, size_t before);

/* log_proof puts a proof together; takes head and places over. `revoked` may be NULL. */
json_t *log_proof(json_t *head, json_t *issued, json_t *revoked);

enum log_status {
    LOG_GOOD,
    LOG_REVOKED, /* the certificate is in the log, and its revocation too */
    LOG_WRONG,   /* the proof does not show what it should: altered, of another certificate or by another key */
    LOG_BROKEN,  /* no proof at all */
};

/* log_verify tells whether a proof shows that the certificate is in the log of whoever has signed it. message receives
 * one line whatever comes out; of a revocation, its reason. */
enum log_status log_verify(const json_t *proof, const json_t *certificate, const json_t *chain, char *message,
                           size_t message_octets);

#endif
