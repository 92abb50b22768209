/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the clients of a job have agreed on (chapter 2.3.5): every client draws the same conclusions from all labels.
 */
#ifndef REF_IMPL_IMPI_COMMON_AGREED_H
#define REF_IMPL_IMPI_COMMON_AGREED_H

#include <stdint.h>

#include "ref-impl/impi/common/link.h"
#include "wire/impi/labels.h"

/* struct agreed_host is one host of the job. */
struct agreed_host {
    unsigned char id[WIRE_IMPI_HOST_OCTETS]; /* where it listens */
    uint16_t port;
    uint32_t client;
    uint32_t first, processes; /* its world ranks */
};

/* struct agreed is the outcome. `hosts` has world.hosts entries. */
struct agreed {
    struct link_world world; /* `rank` is 0: there is one table for each process */
    struct agreed_host *hosts;
    uint32_t first_host; /* of this client */
};

#endif
