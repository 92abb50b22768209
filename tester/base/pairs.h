/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Pairs `key=value` with blanks between, as lines of the interpreter protocol have them (specs/interpreter.md, section
 * 2), and lists of words with commas between.
 */
#ifndef TESTER_BASE_PAIRS_H
#define TESTER_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* pairs_value finds `key=` among the pairs of a line, undoes its percent-encoding and writes at most room - 1
 * characters. False, and an empty value, when there is none. */
bool pairs_value(const char *pairs, const char *key, char *value, size_t room);

/* pairs_list_has tells whether the list has the word. NULL is an empty list. */
bool pairs_list_has(const char *list, const char *word);

#endif
