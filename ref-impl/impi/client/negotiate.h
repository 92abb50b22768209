/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the clients of a job agree on (chapters 2.3.5 and 3.9): the joined values of every label are kept as they come,
 * and when all are there each client draws the same conclusions from them. No input or output.
 *
 * What we take for a client that left out a label: version 0.0; no limit of its own for C_DATALEN, C_TAGUB, H_ACKMARK
 * and H_HIWATER; -1 for C_COLL_XSIZE and C_COLL_MAXLINEAR, which means the default and agrees with it. Without the
 * other labels there is no job. (IMPI-056)
 */
#ifndef REF_IMPL_IMPI_CLIENT_NEGOTIATE_H
#define REF_IMPL_IMPI_CLIENT_NEGOTIATE_H

#include "ref-impl/impi/common/agreed.h"
#include "ref-impl/impi/common/link.h"
#include "ref-impl/impi/common/queue.h"
#include "wire/impi/labels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NEGOTIATE_ERROR_OCTETS = 256,
    NEGOTIATE_VALUES_MAX = 16 * LINK_PROCESSES_MAX /* octets of one label that mean something */
};

/* struct negotiation is what has been broadcast so far. All zeros is nothing. */
struct negotiation {
    struct {
        bool seen;
        uint32_t mask;
        struct queue values;
    } labels[WIRE_IMPI_LABELS];
    uint32_t secure; /* the clients whose hosts want secure channels: a mask */
};

/* negotiate_add - takes a copy of one broadcast. Labels that version 0.0 does not know are ignored, but
 * for that of secure channels, which has no values. False, with a
 * sentence in `error`, when it came before, or when there is no memory. */
bool negotiate_add(struct negotiation *negotiation, int32_t label, uint32_t mask, const void *octets, size_t len,
                   char error[NEGOTIATE_ERROR_OCTETS]);

/* negotiate_finish - draws the conclusions for client `rank` of `clients`. False: `error` says which client gave what
 * for which label, and what is wrong with it; nothing is left to free. */
bool negotiate_finish(const struct negotiation *negotiation, uint32_t clients, uint32_t rank, struct agreed *agreed,
                      char error[NEGOTIATE_ERROR_OCTETS]);

/* negotiate_secure - whether the hosts of all clients want secure channels. False: `error` says which do not. */
bool negotiate_secure(const struct negotiation *negotiation, uint32_t clients, char error[NEGOTIATE_ERROR_OCTETS]);

/* negotiate_free, negotiate_release - free what a negotiation, an outcome holds. */
void negotiate_free(struct negotiation *negotiation);
void negotiate_release(struct agreed *agreed);

#endif
