/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading pairs and lists (pairs.h).
 */
#include "tester/base/pairs.h"

#include "tester/base/utf8.h"

#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void field_decode(const char *text, size_t len, char *value, size_t room)
{
    size_t out = 0;

    for (size_t i = 0; i < len && out + 1 < room; i++) {
        int high = text[i] == '%' && i + 2 < len ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) {
            int octet = high * 16 + low;
            value[out++] = (char)(octet >= 32 && octet != 127 ? octet : ' ');
            i += 2;
        } else {
            value[out++] = text[i];
        }
    }
    value[out] = 0;
    (void)utf8_repair(value);
}

bool pairs_value(const char *pairs, const char *key, char *value, size_t room)
{
    size_t key_len = strlen(key);

    value[0] = 0;
    for (const char *word = pairs; word && *word;) {
        size_t len = strcspn(word, " ");
        if (len > key_len && word[key_len] == '=' && memcmp(word, key, key_len) == 0) {
            field_decode(word + key_len + 1, len - key_len - 1, value, room);
            return true;
        }
        word += len;
        word += *word == ' ';
    }
    return false;
}

bool pairs_list_has(const char *list, const char *word)
{
    size_t len = strlen(word);

    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, word, len) == 0 && (at[len] == ',' || at[len] == 0)) {
            return true;
        }
    }
    return false;
}
