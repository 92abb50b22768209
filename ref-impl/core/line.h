/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Lines of the processor's cache. Among thousands of endpoints, entries or operations a message finds none of its own
 * in the cache, and each line that it touches is waited for. So what a message needs of a struct stands together in the
 * first line or two of it, and the struct begins with a line.
 */
#ifndef REF_IMPL_CORE_LINE_H
#define REF_IMPL_CORE_LINE_H

#include <stddef.h>
#include <stdlib.h>

enum { LINE_OCTETS = 64 };

/* line_alloc allocates memory that begins with a line, for free(); NULL without memory. */
static inline void *line_alloc(size_t octets)
{
    return aligned_alloc(LINE_OCTETS, (octets + LINE_OCTETS - 1) / LINE_OCTETS * LINE_OCTETS);
}

#endif
