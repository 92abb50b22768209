/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which process of MPI_COMM_WORLD an identifier in a packet names (chapter 3.2): host identifier and process identifier
 * together. The two forms of an IPv4 address (1.2.3) name the same host.
 */
#ifndef REF_IMPL_IMPI_COMMON_MEMBER_INDEX_H
#define REF_IMPL_IMPI_COMMON_MEMBER_INDEX_H

#include "ref-impl/impi/common/link.h"
#include "wire/impi/packet.h"

#include <stdbool.h>
#include <stdint.h>

struct member_index;

/* member_index_create - an index of `size` members by their identifiers. NULL: no memory.
 * member_index_free - frees it. */
struct member_index *member_index_create(const struct link_member *members, uint32_t size);
void member_index_free(struct member_index *index);

/* member_index_find - the world rank of a process, or -1 when no process is called so. */
int64_t member_index_find(const struct member_index *index, const struct wire_impi_process *process);

/* member_index_duplicate - whether two members are called the same, and which. */
bool member_index_duplicate(const struct member_index *index, uint32_t *one, uint32_t *other);

#endif
