/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Hexadecimal text with comments to octets, in pieces of any size.
 */
#include "wire/octets/hex.h"

int wire_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

/* One character that is not inside a comment and not a digit. False: it has no place here. */
static bool take_other(struct wire_hex *hex, char c)
{
    if (hex->begun) {
        return false;
    }
    if (c == '#') {
        hex->comment = true;
        return true;
    }
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* One character. Sets *done when it completes the octet *octet. */
static bool take(struct wire_hex *hex, char c, unsigned char *octet, bool *done)
{
    int digit = wire_hex_digit(c);

    if (c == '\n') {
        hex->comment = false;
    } else if (hex->comment) {
        return true;
    }
    if (digit < 0) {
        return take_other(hex, c);
    }
    if (hex->begun) {
        *octet = (unsigned char)(hex->high << 4 | digit);
        *done = true;
    }
    hex->high = (unsigned char)digit;
    hex->begun = !hex->begun;
    return true;
}

enum wire_status wire_hex_feed(struct wire_hex *hex, const char *text, size_t text_len, size_t *used,
                               unsigned char *out, size_t cap, size_t *made)
{
    size_t i = 0;
    size_t n = 0;

    while (!hex->failed && i < text_len && n < cap) {
        bool done = false;

        if (!take(hex, text[i], &out[n], &done)) {
            hex->failed = true;
            break;
        }
        n += done;
        hex->line += text[i] == '\n';
        i++;
    }
    *used = i;
    *made = n;
    return hex->failed ? WIRE_MALFORMED : WIRE_OK;
}

enum wire_status wire_hex_end(const struct wire_hex *hex)
{
    return hex->failed || hex->begun ? WIRE_MALFORMED : WIRE_OK;
}
