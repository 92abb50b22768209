/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Methods and their order; see auth.h. Chapter 2.3.3. The server chooses by it, the client offers by it. The document
 * does not say how a key is written; we read a decimal number, or a hexadecimal one after 0x, of at most 64 bits.
 */
#include "ref-impl/impi/common/auth.h"

#include "wire/impi/startup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct auth auth_secure = {.mask = 1U << AUTH_SECURE, .order = {AUTH_SECURE}, .count = 1};

static bool key_read(const char *text, uint64_t *key)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    char *end = NULL;

    if (strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits) || !*digits) {
        return false;
    }
    errno = 0;
    unsigned long long value = strtoull(digits, &end, hex ? 16 : 10);
    if (*end || errno != 0) {
        return false;
    }
    *key = value;
    return true;
}

/* Appends a method to the order unless it stands there already, or is not available. */
static void order_add(struct auth *auth, uint32_t method)
{
    for (size_t i = 0; i < auth->count; i++) {
        if (auth->order[i] == method) {
            return;
        }
    }
    if (method < AUTH_METHODS && (auth->mask >> method & 1)) {
        auth->order[auth->count++] = method;
    }
}

/* Those that nobody has named, the strongest first: a higher number is a stronger method. */
static void order_rest(struct auth *auth)
{
    for (uint32_t method = AUTH_METHODS; method-- > 0;) {
        order_add(auth, method); //= IMPI-016
    }
}

bool auth_read(const char *none, const char *key, struct auth *auth, char *error, size_t cap)
{
    struct auth read = {0};

    if (none) {
        read.mask |= 1U << WIRE_IMPI_AUTH_NONE; //= IMPI-027
    }
    if (key && *key) {
        if (!key_read(key, &read.key)) {
            snprintf(error, cap, "IMPI_AUTH_KEY is no number of at most 64 bits, like 5678 or 0x162e");
            return false;
        }
        read.mask |= 1U << WIRE_IMPI_AUTH_KEY;
    }
    if (read.mask == 0) {
        //= IMPI-028
        snprintf(error, cap,
                 "no authentication method is available: set IMPI_AUTH_KEY to a number that all sides know, "
                 "or set IMPI_AUTH_NONE");
        return false;
    }
    order_rest(&read);
    *auth = read;
    return true;
}

/* Reads the number at *text, and steps over it. Numbers that no method can have become one that none has. */
static bool number_take(const char **text, uint32_t *number)
{
    uint32_t value = 0;

    if (**text < '0' || **text > '9') {
        return false;
    }
    for (; **text >= '0' && **text <= '9'; (*text)++) {
        value = value * 10 + (uint32_t)(**text - '0');
        value = value > 99 ? 99 : value;
    }
    *number = value;
    return true;
}

/* Reads a number or a range at *text, steps over it, and adds what it names to the order. */
static bool range_take(const char **text, struct auth *auth)
{
    uint32_t first = 0;

    if (!number_take(text, &first)) {
        return false;
    }
    uint32_t last = first;
    if (**text == '-') {
        (*text)++;
        if (!number_take(text, &last)) {
            return false;
        }
    }
    for (uint32_t method = first; method != last; method += first < last ? 1U : -1U) {
        order_add(auth, method);
    }
    order_add(auth, last);
    return true;
}

//= IMPI-014
//= IMPI-015
bool auth_prefer(struct auth *auth, const char *list)
{
    struct auth ordered = *auth;

    ordered.count = 0;
    bool good = range_take(&list, &ordered);
    while (good && *list == ',') {
        list++;
        good = range_take(&list, &ordered);
    }
    if (!good || *list) {
        return false;
    }
    order_rest(&ordered);
    *auth = ordered;
    return true;
}

//= IMPI-034
int auth_choose(const struct auth *auth, uint32_t mask)
{
    for (size_t i = 0; i < auth->count; i++) {
        if (mask >> auth->order[i] & 1) {
            return (int)auth->order[i];
        }
    }
    return -1;
}

bool auth_key_same(const struct auth *auth, uint64_t key)
{
    volatile uint64_t differs = auth->key ^ key;

    return differs == 0;
}
