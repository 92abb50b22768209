/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The count of what is allocated: see heap.h. The linker puts these functions in front of the allocators. For programs
 * of one thread.
 */
#include "tests/unit/heap.h"

#include <malloc.h>
#include <stdlib.h>

static size_t held, times;

void *__real_malloc(size_t octets);
void *__real_calloc(size_t count, size_t octets);
void *__real_aligned_alloc(size_t alignment, size_t octets);
void *__real_realloc(void *old, size_t octets);
void __real_free(void *old);

static void *taken(void *memory)
{
    held += malloc_usable_size(memory);
    times++;
    return memory;
}

void *__wrap_malloc(size_t octets)
{
    return taken(__real_malloc(octets));
}

void *__wrap_calloc(size_t count, size_t octets)
{
    return taken(__real_calloc(count, octets));
}

void *__wrap_aligned_alloc(size_t alignment, size_t octets)
{
    return taken(__real_aligned_alloc(alignment, octets));
}

void *__wrap_realloc(void *old, size_t octets)
{
    size_t before = malloc_usable_size(old);
    void *memory = __real_realloc(old, octets);

    if (memory || octets == 0) {
        held -= before;
    }
    return taken(memory);
}

void __wrap_free(void *old)
{
    held -= malloc_usable_size(old);
    __real_free(old);
}

size_t heap_held(void)
{
    return held;
}

size_t heap_taken(void)
{
    return times;
}
