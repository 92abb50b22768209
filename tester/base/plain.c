/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tells plain text (plain.h).
 */
#include "tester/base/plain.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

/* Characters that have no look of their own, or that turn the direction of others: with them one text can be shown as
 * another. */
static bool is_invisible(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
                  {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* The character at `text`, which is UTF-8 that Jansson has checked. */
static uint32_t decode(const unsigned char *text)
{
    static const unsigned char marks[] = {0, 0, 0x1f, 0x0f, 0x07};
    size_t len = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    uint32_t character = len == 1 ? text[0] : text[0] & marks[len];

    for (size_t i = 1; i < len; i++) {
        character = character << 6 | (text[i] & 0x3f);
    }
    return character;
}

bool plain_allowed(const char *text, bool lines)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if ((*at < 32 || *at == 127) && !(lines && (*at == '\n' || *at == '\t' || *at == '\r'))) {
            return false;
        }
        if (*at >= 0xc0 && is_invisible(decode(at))) {
            return false;
        }
    }
    return true;
}

bool plain_text(const char *text, size_t most)
{
    size_t len = strlen(text);
    json_t *utf8 = json_string(text);
    bool good = utf8 && len > 0 && len <= most && plain_allowed(text, false);

    json_decref(utf8);
    return good;
}
