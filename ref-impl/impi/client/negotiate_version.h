/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which version of IMPI all clients can use (IMPI_C_VERSION, chapter 2.3.5).
 */
#ifndef REF_IMPL_IMPI_CLIENT_NEGOTIATE_VERSION_H
#define REF_IMPL_IMPI_CLIENT_NEGOTIATE_VERSION_H

#include "ref-impl/impi/common/link.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* negotiate_version - takes the joined lists of the clients in `mask` apart, and writes the highest version that stands
 * in all of them to world->major and world->minor; of `clients`, one that is not in the mask counts as one that has
 * 0.0. False, with a sentence in `error` (256 octets), when the lists cannot be told apart, or have nothing in common.
 */
bool negotiate_version(const void *octets, size_t len, uint32_t mask, uint32_t clients, struct link_world *world,
                       char *error);

#endif
