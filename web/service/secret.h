/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Unguessable texts: ids, tokens, codes; and how tokens are kept (as hashes, so that a stolen database signs nobody
 * in).
 */
#ifndef WEB_SERVICE_SECRET_H
#define WEB_SERVICE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SECRET_ID_SIZE = 17,    /* 16 characters (80 bits) and the ending zero */
    SECRET_TOKEN_SIZE = 49, /* prefix, 43 characters (256 bits) and the ending zero */
    SECRET_HASH_OCTETS = 32,
    SECRET_PASSWORD_SIZE = 128, /* of a hashed password, and the ending zero */
};

/* secret_make_id writes a random id of a-z and 2-7. */
void secret_make_id(char id[static SECRET_ID_SIZE]);

/* secret_make_token writes `prefix` (at most 5 characters) and 256 random bits as A-Z a-z 0-9 _ -. */
void secret_make_token(const char *prefix, char token[static SECRET_TOKEN_SIZE]);

/* secret_hash writes what is stored instead of a token. */
void secret_hash(const char *token, unsigned char hash[static SECRET_HASH_OCTETS]);

/* secret_hash_password writes the argon2id hash, with its salt, of what a person has thought up; false: no memory. It
 * takes 19 MiB for some ten milliseconds: guessing is dear, and no other request waits long. secret_check_password
 * compares. */
bool secret_hash_password(const char *password, char hash[static SECRET_PASSWORD_SIZE]);
bool secret_check_password(const char *password, const char *hash);

#endif
