/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The key that certificates are signed with, and those before it: in the data folder, `signing.key` is the secret one,
 * `keys.json` the chain that leads to it (tester/report/key_chain.h).
 */
#ifndef WEB_STORE_SIGNING_KEYS_H
#define WEB_STORE_SIGNING_KEYS_H

#include "tester/report/certificate.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* signing_keys_load reads both; a folder without a key gets one. The caller releases *chain, an array. It ends a change
 * that a crash has cut off. False: one line in message. */
bool signing_keys_load(const char *folder, struct certificate_key *key, json_t **chain, char *message,
                       size_t message_octets);

/* signing_keys_rotate makes a new key and the link to it, and destroys the secret part of the old one. No service may
 * use the folder meanwhile. message gets one line whatever comes out. */
bool signing_keys_rotate(const char *folder, char *message, size_t message_octets);

#endif
