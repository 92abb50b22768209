/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A sorted list of process identifiers; see member_index.h and chapter 3.2. Start-up makes sure with it that no
 * two processes are called the same, host agents route packets by it.
 */
#include "ref-impl/impi/common/member_index.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct wire_impi_process process; /* an IPv4 address in its mapped form */
    uint32_t rank;
};

struct member_index {
    uint32_t size;
    struct entry entries[];
};

/* The one form under which a process is listed. */
static struct wire_impi_process canonical(const struct wire_impi_process *process)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    struct wire_impi_process as_v4 = *process;

    memcpy(as_v4.host, mapped, sizeof mapped);
    return wire_impi_host_same(as_v4.host, process->host) ? as_v4 : *process; //= IMPI-008
}

//= IMPI-101
static int entry_compare(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int hosts = memcmp(a->process.host, b->process.host, sizeof a->process.host);

    if (hosts != 0) {
        return hosts;
    }
    return a->process.pid == b->process.pid ? 0 : a->process.pid < b->process.pid ? -1 : 1;
}

struct member_index *member_index_create(const struct link_member *members, uint32_t size)
{
    struct member_index *index = malloc(sizeof *index + size * sizeof index->entries[0]);

    if (!index) {
        return NULL;
    }
    index->size = size;
    for (uint32_t rank = 0; rank < size; rank++) {
        index->entries[rank] = (struct entry){canonical(&members[rank].process), rank};
    }
    qsort(index->entries, size, sizeof index->entries[0], entry_compare);
    return index;
}

void member_index_free(struct member_index *index)
{
    free(index);
}

int64_t member_index_find(const struct member_index *index, const struct wire_impi_process *process)
{
    struct entry wanted = {canonical(process), 0};
    const struct entry *found = bsearch(&wanted, index->entries, index->size, sizeof wanted, entry_compare);

    return found ? (int64_t)found->rank : -1;
}

bool member_index_duplicate(const struct member_index *index, uint32_t *one, uint32_t *other)
{
    for (uint32_t i = 1; i < index->size; i++) {
        if (entry_compare(&index->entries[i - 1], &index->entries[i]) == 0) {
            *one = index->entries[i - 1].rank;
            *other = index->entries[i].rank;
            return true;
        }
    }
    return false;
}
