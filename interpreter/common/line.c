/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Lines and words: making a line bit by bit, reading integers, names and percent-encoded text. Interpreter and agent
 * both stand on this; nothing here knows what the words mean. specs/interpreter.md, sections 2 and 3.
 */
#include "line.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* line_reserve makes room for `len` more characters and a NUL. */
static bool line_reserve(struct line *line, size_t len)
{
    size_t room = line->room ? line->room : 256;
    char *text;

    if (line->failed || len > LINE_OCTETS || line->len + len >= LINE_OCTETS) {
        line->failed = true;
        return false;
    }
    while (room < line->len + len + 1)
        room *= 2;
    if (room == line->room)
        return true;
    text = realloc(line->text, room);
    if (!text) {
        line->failed = true;
        return false;
    }
    line->text = text;
    line->room = room;
    return true;
}

void line_add(struct line *line, const char *format, ...)
{
    va_list arguments;
    int len;

    va_start(arguments, format);
    len = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (len < 0) {
        line->failed = true;
        return;
    }
    if (!line_reserve(line, (size_t)len))
        return;
    va_start(arguments, format);
    vsnprintf(line->text + line->len, (size_t)len + 1, format, arguments);
    va_end(arguments);
    line->len += (size_t)len;
}

void line_add_text(struct line *line, const char *text, size_t len)
{
    if (!line_reserve(line, len))
        return;
    memcpy(line->text + line->len, text, len);
    line->len += len;
    line->text[line->len] = '\0';
}

static bool octet_is_plain(unsigned char octet)
{
    return (octet >= 'A' && octet <= 'Z') || (octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9') ||
           (octet != 0 && strchr("-._~/:,+@", octet));
}

void line_add_encoded(struct line *line, const void *octets, size_t len)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *octet = octets;
    char *to;

    if (len > LINE_OCTETS || !line_reserve(line, 3 * len)) {
        line->failed = true;
        return;
    }
    to = line->text + line->len;
    for (size_t i = 0; i < len; i++) {
        if (octet_is_plain(octet[i])) {
            *to++ = (char)octet[i];
        } else {
            *to++ = '%';
            *to++ = digits[octet[i] >> 4];
            *to++ = digits[octet[i] & 15];
        }
    }
    *to = '\0';
    line->len = (size_t)(to - line->text);
}

void line_add_hex(struct line *line, const void *octets, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *octet = octets;
    char *to;

    if (len > LINE_OCTETS || !line_reserve(line, 2 * len)) {
        line->failed = true;
        return;
    }
    to = line->text + line->len;
    for (size_t i = 0; i < len; i++) {
        *to++ = digits[octet[i] >> 4];
        *to++ = digits[octet[i] & 15];
    }
    *to = '\0';
    line->len += 2 * len;
}

void line_cut(struct line *line, size_t len)
{
    if (line->text && len < line->len) {
        line->len = len;
        line->text[len] = '\0';
    }
}

void line_release(struct line *line)
{
    free(line->text);
    memset(line, 0, sizeof *line);
}

int text_hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

bool text_decode(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        int high, low;
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        high = text_hex_digit(from[1]);
        low = high < 0 ? -1 : text_hex_digit(from[2]);
        if (low < 0 || high * 16 + low == 0)
            return false;
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

bool text_read_integer(const char *text, struct integer *value)
{
    char *end;
    int base = 10;

    value->negative = *text == '-';
    if (value->negative)
        text++;
    else if (text[0] == '0' && text[1] == 'x') {
        base = 16;
        text += 2;
    }
    /* strtoull would also take blanks and signs */
    if (text_hex_digit(*text) < 0 || text_hex_digit(*text) >= base)
        return false;
    errno = 0;
    value->magnitude = strtoull(text, &end, base);
    if (errno || *end)
        return false;
    return !value->negative || value->magnitude <= (unsigned long long)LLONG_MAX + 1;
}

bool text_integer_bits(const struct integer *integer, size_t octets, unsigned long long *bits)
{
    unsigned long long most = octets >= sizeof most ? ~0ull : (1ull << (8 * octets)) - 1;

    if (integer->negative ? integer->magnitude > most / 2 + 1 : integer->magnitude > most)
        return false;
    *bits = integer->negative ? 0 - integer->magnitude : integer->magnitude;
    return true;
}

bool text_read_count(const char *text, unsigned long long least, unsigned long long most, unsigned long long *value)
{
    struct integer integer;

    if (!text_read_integer(text, &integer) || integer.negative)
        return false;
    *value = integer.magnitude;
    return *value >= least && *value <= most;
}

bool text_is_name(const char *text)
{
    static const char *const reserved[] = {"null", "unmapped", "none", "zero", "ones"};
    size_t len = strlen(text);

    if (len == 0 || len >= NAME_OCTETS || text[0] < 'a' || text[0] > 'z')
        return false;
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") != len)
        return false;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(text, reserved[i]) == 0)
            return false;
    return true;
}
