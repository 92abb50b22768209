/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Text from outside as UTF-8 (utf8.h). The table is that of RFC 3629, section 4: a first octet says how many follow,
 * and which range the second one has; so neither overlong forms nor surrogates pass.
 */
#include "tester/base/utf8.h"

#include <stddef.h>

/* First octets from `first` to `last` open a character of 1 + `more` octets; the second lies in low..high. */
static const struct form {
    unsigned char first, last, more, low, high;
} forms[] = {
    {0x01, 0x7f, 0, 0, 0},       {0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x80, 0xbf}, {0xed, 0xed, 2, 0x80, 0x9f}, {0xee, 0xef, 2, 0x80, 0xbf},
    {0xf0, 0xf0, 3, 0x90, 0xbf}, {0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f},
};

/* The octets of the character at `at`, 0 when there is none; `cut` when the text ends inside it. */
static size_t character_octets(const unsigned char *at, bool *cut)
{
    const struct form *form = forms, *end = forms + sizeof forms / sizeof forms[0];

    while (form < end && (*at < form->first || *at > form->last)) {
        form++;
    }
    if (form == end) {
        return 0;
    }
    for (size_t i = 1; i <= form->more; i++) {
        unsigned char low = i == 1 ? form->low : 0x80, high = i == 1 ? form->high : 0xbf;

        if (at[i] < low || at[i] > high) {
            *cut = at[i] == 0;
            return 0;
        }
    }
    return 1u + form->more;
}

char *utf8_repair(char *text)
{
    unsigned char *at = (unsigned char *)text;

    while (*at) {
        bool cut = false;
        size_t octets = character_octets(at, &cut);

        if (cut) {
            *at = 0;
        } else if (octets == 0) {
            *at++ = '?';
        } else {
            at += octets;
        }
    }
    return text;
}

bool utf8_is_whole(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    bool cut = false;
    size_t octets = 1;

    while (*at && octets > 0) {
        octets = character_octets(at, &cut);
        at += octets;
    }
    return octets > 0;
}
