/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Random texts and hashes, by libsodium (sodium_init is called in main).
 */
#include "web/service/secret.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

void secret_make_id(char id[static SECRET_ID_SIZE])
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char random[SECRET_ID_SIZE - 1];

    randombytes_buf(random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++) {
        id[i] = alphabet[random[i] % 32];
    }
    id[SECRET_ID_SIZE - 1] = '\0';
}

void secret_make_token(const char *prefix, char token[static SECRET_TOKEN_SIZE])
{
    unsigned char random[32];
    size_t len = strlen(prefix);

    assert(len <= SECRET_TOKEN_SIZE - 44);
    memcpy(token, prefix, len);
    randombytes_buf(random, sizeof random);
    sodium_bin2base64(token + len, SECRET_TOKEN_SIZE - len, random, sizeof random,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(random, sizeof random);
}

void secret_hash(const char *token, unsigned char hash[static SECRET_HASH_OCTETS])
{
    crypto_generichash(hash, SECRET_HASH_OCTETS, (const unsigned char *)token, strlen(token), NULL, 0);
}

_Static_assert(SECRET_PASSWORD_SIZE >= crypto_pwhash_STRBYTES, "a hashed password has its place");

enum { PASSWORD_PASSES = 2, PASSWORD_OCTETS = 19 << 20 };

bool secret_hash_password(const char *password, char hash[static SECRET_PASSWORD_SIZE])
{
    return crypto_pwhash_str_alg(hash, password, strlen(password), PASSWORD_PASSES, PASSWORD_OCTETS,
                                 crypto_pwhash_ALG_ARGON2ID13) == 0;
}

bool secret_check_password(const char *password, const char *hash)
{
    return crypto_pwhash_str_verify(hash, password, strlen(password)) == 0;
}
