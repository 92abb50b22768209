/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Text in a buffer of known size. Needs no allocation and no locale.
 */
#include "wire/octets/text.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

struct wire_text wire_text_over(char *buffer, size_t cap)
{
    struct wire_text text = {buffer, cap, 0, cap == 0};

    if (cap) {
        buffer[0] = 0;
    }
    return text;
}

static void add_chars(struct wire_text *text, const char *chars, size_t len)
{
    if (text->failed || len >= text->cap - text->len) {
        text->failed = true;
        return;
    }
    memcpy(text->buffer + text->len, chars, len);
    text->len += len;
    text->buffer[text->len] = 0;
}

void wire_text_add(struct wire_text *text, const char *string)
{
    add_chars(text, string, strlen(string));
}

void wire_text_add_u64(struct wire_text *text, uint64_t value)
{
    char chars[20];
    size_t at = sizeof chars;

    do {
        chars[--at] = digits[value % 10];
        value /= 10;
    } while (value);
    add_chars(text, chars + at, sizeof chars - at);
}

void wire_text_add_i64(struct wire_text *text, int64_t value)
{
    char chars[24];
    struct wire_text number = wire_text_over(chars, sizeof chars);

    wire_text_add(&number, value < 0 ? "-" : "");
    wire_text_add_u64(&number, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    wire_text_add(text, chars);
}

void wire_text_add_hex(struct wire_text *text, uint64_t value, unsigned octets)
{
    char chars[2 + 16] = "0x";
    unsigned count = 2 * (octets < 8 ? octets : 8);

    for (unsigned i = 0; i < count; i++) {
        chars[2 + i] = digits[value >> 4 * (count - 1 - i) & 15];
    }
    add_chars(text, chars, 2 + count);
}

void wire_text_add_bits(struct wire_text *text, uint64_t value)
{
    char chars[2 + 16];
    size_t at = sizeof chars;

    do {
        chars[--at] = digits[value & 15];
        value >>= 4;
    } while (value);
    chars[--at] = 'x';
    chars[--at] = '0';
    add_chars(text, chars + at, sizeof chars - at);
}

void wire_text_add_ipv4(struct wire_text *text, uint32_t address)
{
    char chars[16];
    struct wire_text quad = wire_text_over(chars, sizeof chars);

    for (int shift = 24; shift >= 0; shift -= 8) {
        wire_text_add_u64(&quad, address >> shift & 255);
        if (shift) {
            wire_text_add(&quad, ".");
        }
    }
    wire_text_add(text, chars);
}

/* One group of an IPv6 address: no leading zeros. */
static void add_group(struct wire_text *text, unsigned value)
{
    char chars[4];
    size_t at = sizeof chars;

    do {
        chars[--at] = digits[value & 15];
        value >>= 4;
    } while (value);
    add_chars(text, chars + at, sizeof chars - at);
}

void wire_text_add_host(struct wire_text *text, const unsigned char *octets)
{
    static const unsigned char compatible[12];
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    char chars[48];
    struct wire_text host = wire_text_over(chars, sizeof chars);
    bool is_mapped = memcmp(octets, mapped, sizeof mapped) == 0;

    if (is_mapped || memcmp(octets, compatible, sizeof compatible) == 0) {
        wire_text_add(&host, is_mapped ? "::ffff:" : "::");
        wire_text_add_ipv4(&host, (uint32_t)octets[12] << 24 | (uint32_t)octets[13] << 16 | (uint32_t)octets[14] << 8 |
                                      octets[15]);
    } else {
        for (size_t i = 0; i < 16; i += 2) {
            wire_text_add(&host, i ? ":" : "");
            add_group(&host, (unsigned)octets[i] << 8 | octets[i + 1]);
        }
    }
    wire_text_add(text, chars);
}

void wire_text_add_octets(struct wire_text *text, const void *octets, size_t len)
{
    const unsigned char *at = octets;

    if (text->failed || len > (text->cap - text->len - 1) / 2) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < len; i++) {
        text->buffer[text->len++] = digits[at[i] >> 4];
        text->buffer[text->len++] = digits[at[i] & 15];
    }
    text->buffer[text->len] = 0;
}
