/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A text that grows inside a buffer of the caller's. Like a cursor it fails once and stays failed, so that a printer
 * adds everything and its caller asks once. What is in the buffer always ends with a zero and holds only whole
 * additions.
 */
#ifndef WIRE_OCTETS_TEXT_H
#define WIRE_OCTETS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `len` characters are in the buffer, its zero not counted. Initialise with wire_text_over. */
struct wire_text {
    char *buffer;
    size_t cap;
    size_t len;
    bool failed; /* something did not fit */
};

/* wire_text_over - an empty text in `cap` characters of `buffer`, which must outlive it; a `cap` of 0 fails at once. */
struct wire_text wire_text_over(char *buffer, size_t cap);

/* wire_text_add - appends the string as it is. */
void wire_text_add(struct wire_text *text, const char *string);

/* wire_text_add_u64 - appends a number in decimal. */
void wire_text_add_u64(struct wire_text *text, uint64_t value);

/* wire_text_add_i64 - appends a number in decimal, with a minus where it is negative. */
void wire_text_add_i64(struct wire_text *text, int64_t value);

/* wire_text_add_hex - appends a number as 0x and exactly 2 * `octets` digits; `octets` is 1 to 8. */
void wire_text_add_hex(struct wire_text *text, uint64_t value, unsigned octets);

/* wire_text_add_bits - appends a number as 0x and as few digits as it has. */
void wire_text_add_bits(struct wire_text *text, uint64_t value);

/* wire_text_add_ipv4 - appends an address as four numbers with dots. */
void wire_text_add_ipv4(struct wire_text *text, uint32_t address);

/* wire_text_add_host - appends the 16 octets of an IPv6 address; an IPv4 address within them, behind zeros or behind
 * ten zeros and two ff, is written with dots: ::127.0.0.1, ::ffff:127.0.0.1. inet_pton understands all of it. */
void wire_text_add_host(struct wire_text *text, const unsigned char *octets);

/* wire_text_add_octets - appends `len` octets, two digits each, nothing between them. */
void wire_text_add_octets(struct wire_text *text, const void *octets, size_t len);

#endif
