/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The attached buffer: see bsend.h. Messages lie in it each behind a head of its own, and the heads form a list in the
 * order of their addresses; room is the first gap that is large enough. A head with its alignment takes no more than
 * MPI_BSEND_OVERHEAD octets, which is what programs must add for each message (3.6.1).
 *
 *      buffer                                                          size
 *        | head | message . | head | message .|      gap     | head | ... |
 */
#include "ref-impl/mpi/messages/bsend.h"

#include <assert.h>
#include <stdint.h>

#include "ref-impl/include/mpi.h"

#define ALIGNMENT ((size_t)16)

struct head {
    struct head *next;
    size_t octets; /* with the head, rounded up */
    unsigned char pad[ALIGNMENT - (sizeof(void *) + sizeof(size_t)) % ALIGNMENT];
};

static_assert(sizeof(struct head) + 2 * ALIGNMENT <= MPI_BSEND_OVERHEAD, "a head takes more than programs know");
static_assert(sizeof(struct head) % ALIGNMENT == 0, "messages are not aligned");

static unsigned char *attached; /* NULL: none */
static size_t attached_octets;  /* as the program said */
static struct head *first;

static unsigned char *aligned(unsigned char *at)
{
    return at + (ALIGNMENT - (uintptr_t)at % ALIGNMENT) % ALIGNMENT;
}

bool bsend_attach(void *buffer, size_t size)
{
    if (attached) {
        return false;
    }
    attached = buffer;
    attached_octets = size;
    first = NULL;
    return true;
}

bool bsend_is_empty(void)
{
    return !attached || !first;
}

bool bsend_detach(void **buffer, size_t *size)
{
    if (!attached) {
        return false;
    }
    *buffer = attached;
    *size = attached_octets;
    attached = NULL;
    return true;
}

/* Octets from `from` to `to`, 0 if that lies before. */
static size_t gap(const unsigned char *from, const unsigned char *to)
{
    return from < to ? (size_t)(to - from) : 0;
}

void *bsend_take(size_t len)
{
    unsigned char *end = attached ? attached + attached_octets : NULL;
    unsigned char *at = attached ? aligned(attached) : NULL;
    struct head **link = &first;
    size_t octets;

    if (!attached || len > attached_octets) {
        return NULL;
    }
    octets = sizeof(struct head) + (len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    while (*link && gap(at, (unsigned char *)*link) < octets) {
        at = (unsigned char *)*link + (*link)->octets;
        link = &(*link)->next;
    }
    if (!*link && gap(at, end) < octets) {
        return NULL;
    }
    struct head *head = (struct head *)(void *)at;
    head->next = *link;
    head->octets = octets;
    *link = head;
    return head + 1;
}

void bsend_give_back(void *room)
{
    struct head **link = &first;

    if (!room) {
        return;
    }
    while (*link != (struct head *)room - 1) {
        link = &(*link)->next;
    }
    *link = (*link)->next;
}
