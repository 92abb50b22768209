/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory and text for the engine (memory.h).
 */
#include "tester/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *memory_checked(void *memory)
{
    if (!memory) {
        fputs("assay: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *memory_zero(size_t octets)
{
    return memory_checked(calloc(1, octets ? octets : 1));
}

void *memory_grow(void *old, size_t octets)
{
    return memory_checked(realloc(old, octets ? octets : 1));
}

char *memory_text(const char *text)
{
    return memory_checked(strdup(text ? text : ""));
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    int len = vasprintf(&text, format, arguments);
    va_end(arguments);
    return memory_checked(len < 0 ? NULL : text);
}
