/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory and text for the engine. Small allocations do not fail: the program ends with a message when the system has no
 * memory left, since nothing sensible could be judged any more. Whatever is sized from outside goes through struct
 * buffer (buffer.h), which has a limit and does fail.
 */
#ifndef TESTER_BASE_MEMORY_H
#define TESTER_BASE_MEMORY_H

#include <stddef.h>

/* memory_zero returns `octets` zeroed octets; memory_grow is realloc. Neither returns NULL. */
void *memory_zero(size_t octets);
void *memory_grow(void *old, size_t octets);

/* memory_text returns a copy of the text; NULL is taken as "". memory_format prints into a new text. The caller frees.
 */
char *memory_text(const char *text);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
