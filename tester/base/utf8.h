/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Text from outside as UTF-8. What a system under test prints or answers may be any octets, and a fixed buffer may cut
 * a character in two; reports, ladders, events and whoever reads them want UTF-8 and take nothing else.
 */
#ifndef TESTER_BASE_UTF8_H
#define TESTER_BASE_UTF8_H

#include <stdbool.h>

/* utf8_repair writes a question mark over every octet that belongs to no character of UTF-8 (RFC 3629); a character
 * that the end of the text cuts off is taken away. Returns the text. */
char *utf8_repair(char *text);

/* utf8_is_whole tells whether every octet of the text belongs to a whole character of UTF-8. */
bool utf8_is_whole(const char *text);

#endif
