/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI server (chapters 2.2.1 and 2.3): where the clients of a job meet. It knows nothing of what they tell each
 * other.
 */
#ifndef REF_IMPL_IMPI_SERVER_SERVER_H
#define REF_IMPL_IMPI_SERVER_SERVER_H

#include "ref-impl/impi/common/address.h"
#include "ref-impl/impi/common/auth.h"
#include "ref-impl/impi/common/secure_key.h"

#include <stdbool.h>
#include <stdint.h>

/* struct server_options is what the user asked for. */
struct server_options {
    uint32_t clients; /* 1 to 32 */
    struct auth auth;
    const struct secure_key *key; /* of secure channels, which clients must want then; NULL: they are plain */
    struct address address;       /* where to listen */
    bool everywhere;              /* `address` stands for all addresses: print one of them */
};

/* server_run - prints ADDRESS:PORT, serves one job to its end, and says on stderr what goes wrong. Returns the exit
 * status: 0 when every client has said FINI, otherwise 1. */
int server_run(const struct server_options *options);

#endif
