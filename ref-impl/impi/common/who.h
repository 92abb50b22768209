/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which process of MPI_COMM_WORLD an identifier in a packet names (chapter 3.2): host identifier and process identifier
 * together. The two forms of an IPv4 address (1.2.3) name the same host.
 */
#ifndef REF_IMPL_IMPI_COMMON_WHO_H
#define REF_IMPL_IMPI_COMMON_WHO_H

#include "ref-impl/impi/common/link.h"
#include "wire/impi/packet.h"

#include <stdbool.h>
#include <stdint.h>

struct who;

/* who_create - an index of `size` members by their identifiers. NULL: no memory.
 * who_free - frees it. */
struct who *who_create(const struct link_member *members, uint32_t size);
void who_free(struct who *who);

/* who_find - the world rank of a process, or -1 when no process is called so. */
int64_t who_find(const struct who *who, const struct wire_impi_process *process);

/* who_twins - whether two members are called the same, and which. */
bool who_twins(const struct who *who, uint32_t *one, uint32_t *other);

#endif
