/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The keys that a service has signed with, one after the other. Each change is a link: an array of two documents,
 *
 *     {"format":"assay-key/1","payload":{"at","next","previous"},"algorithm","key_id","key","signature"}
 *
 * with the same payload, the first signed by the previous key, the second by the next one. So whoever trusts either key
 * may trust the other: an old certificate by today's key, and today's certificate by a key that was got years ago. A
 * chain is an array of links, the oldest first; it may come from anywhere.
 */
#ifndef TESTER_REPORT_KEY_CHAIN_H
#define TESTER_REPORT_KEY_CHAIN_H

#include "tester/report/certificate.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* key_chain_link makes the link from one key to the next; `at` is ISO 8601. NULL when memory ends. */
json_t *key_chain_link(const struct certificate_key *previous, const struct certificate_key *next, const char *at);

/* key_chain_trusts tells whether who trusts `anchor` may trust `key`: they are the same, or links lead from one to the
 * other. What is no link is passed over; NULL is the chain without links. */
bool key_chain_trusts(const json_t *chain, const unsigned char anchor[static CERTIFICATE_PUBLIC_OCTETS],
                      const unsigned char key[static CERTIFICATE_PUBLIC_OCTETS]);

/* key_chain_trusts_text is the same with both keys in base64. */
bool key_chain_trusts_text(const json_t *chain, const char *anchor, const char *key);

/* key_chain_verify is certificate_verify with every key that the pinned one leads to. */
enum certificate_status key_chain_verify(const json_t *document, const unsigned char *pinned, const json_t *chain,
                                         char *message, size_t message_octets);

#endif
