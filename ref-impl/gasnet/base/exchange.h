/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the nodes tell each other while they start, in rounds: each puts what it has to say into every other's table,
 * and reads what the others said when all have.
 */
#ifndef REF_IMPL_GASNET_BASE_EXCHANGE_H
#define REF_IMPL_GASNET_BASE_EXCHANGE_H

#include <stdint.h>

enum exchange_round { ROUND_LIMITS, ROUND_SEGMENTS, ROUNDS };

struct exchange_told {
    uint64_t first, second;
};

/* exchange_open - makes the table. Returns when every node has, so that nothing is put before.
 * exchange_tell - one round; every node calls it.
 * exchange_of - what a node told. */
void exchange_open(void);
void exchange_tell(enum exchange_round round, struct exchange_told own);
struct exchange_told exchange_of(enum exchange_round round, uint32_t node);

#endif
