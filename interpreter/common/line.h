/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A line of the protocol while it is being made, and the small grammar of its words (specs/interpreter.md, sections 2
 * and 3).
 */
#ifndef INTERPRETER_COMMON_LINE_H
#define INTERPRETER_COMMON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* LINE_OCTETS is the longest line of the protocol, its LF included. */
#define LINE_OCTETS 262144

/* NAME_OCTETS is the longest name (32 characters) with its NUL. */
#define NAME_OCTETS 33

/* struct line grows as it is written. It fails once, when memory or LINE_OCTETS are exhausted, and stays failed: then
 * nothing more is added. All zero is an empty line. line_release frees it. `text` always ends with NUL once something
 * was added. */
struct line {
    char *text;
    size_t len, room;
    bool failed;
};

#ifdef __GNUC__
#define LINE_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define LINE_PRINTF
#endif

/* line_add appends what printf would write. The caller answers for its being printable ASCII. */
void line_add(struct line *line, const char *format, ...) LINE_PRINTF;

/* line_add_text appends `len` characters as they are. */
void line_add_text(struct line *line, const char *text, size_t len);

/* line_add_encoded appends octets in percent-encoding: what is not in A-Z a-z 0-9 - . _ ~ / : , + @ becomes %XX. */
void line_add_encoded(struct line *line, const void *octets, size_t len);

/* line_add_hex appends every octet as two hexadecimal digits. */
void line_add_hex(struct line *line, const void *octets, size_t len);

/* line_cut shortens the line to its first `len` characters; it does not heal a failed one. */
void line_cut(struct line *line, size_t len);

/* line_release frees the text and makes the line empty again. */
void line_release(struct line *line);

/* text_decode replaces %XX by its octet, in place. False when a % is not followed by two digits or stands for NUL. */
bool text_decode(char *text);

/* struct integer is an integer as it was written: larger than any type of the API needs to be. */
struct integer {
    bool negative;
    unsigned long long magnitude;
};

/* text_read_integer reads decimal, with - in front when negative, or 0x and hexadecimal digits, to the end of the text.
 * False when the text is anything else or does not fit 64 bits. */
bool text_read_integer(const char *text, struct integer *value);

/* text_integer_bits gives the integer in two's complement; false when it fits `octets` octets neither as a signed nor
 * as an unsigned one. */
bool text_integer_bits(const struct integer *integer, size_t octets, unsigned long long *bits);

/* text_read_count reads an unsigned integer that lies between `least` and `most`. */
bool text_read_count(const char *text, unsigned long long least, unsigned long long most, unsigned long long *value);

/* text_hex_digit gives the value of a hexadecimal digit, -1 when it is none. */
int text_hex_digit(char digit);

/* text_is_name tells whether the text is a name that may be assigned: a-z, then up to 31 of a-z 0-9 _ -, and not one of
 * the words that have a meaning of their own where names stand (null, unmapped, none, zero, ones). */
bool text_is_name(const char *text);

#endif
