/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets written by hand: the text form of the vectors in wire/vectors/ and of `assay decode --hex`.
 *
 * Two hexadecimal digits make an octet and stand together. Between octets there may be any number of spaces, tabs and
 * line ends. A `#` begins a comment that goes to the end of its line. Nothing else is allowed.
 *
 *     00 00 00 01              # operation: put
 *     7f000001 0000c350        # a node and a process
 */
#ifndef WIRE_OCTETS_HEX_H
#define WIRE_OCTETS_HEX_H

#include "wire/octets/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A text on its way to octets. Initialise with {.line = 1}. `line` is where the text is, for messages to a person. */
struct wire_hex {
    unsigned long line;
    unsigned char high; /* the first digit of an octet that is begun */
    bool begun;
    bool comment;
    bool failed; /* a failed text stays failed */
};

/* wire_hex_feed - reads up to `text_len` characters of text and appends to `out` the octets that they complete, at most
 * `cap`. Stops early when `out` is full; call again with the rest. `used` and `made` tell how far it came and are
 * always written. WIRE_MALFORMED: a character that has no place, at line `line`. */
WIRE_MUST_USE enum wire_status wire_hex_feed(struct wire_hex *hex, const char *text, size_t text_len, size_t *used,
                                             unsigned char *out, size_t cap, size_t *made);

/* wire_hex_end - WIRE_OK when the text may end here, WIRE_MALFORMED when an octet lacks its second digit. */
WIRE_MUST_USE enum wire_status wire_hex_end(const struct wire_hex *hex);

/* wire_hex_digit - the value of a hexadecimal digit of either case, or -1. */
int wire_hex_digit(char c);

#endif
