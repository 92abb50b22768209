/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The second witness of a case: has the checker of conversations (wire/portals/check.h) judge whatever the system under
 * test says to the scripted peers. The case judges what it asks about; the witness judges everything. What the peers
 * break is not held against anybody: it shows that they forge (forgery.h).
 */
#ifndef TESTER_WITNESS_H
#define TESTER_WITNESS_H

#include "tester/evidence.h"
#include "tester/forgery.h"
#include "tester/judge.h"
#include "wire/portals/check.h"

struct witness;

/* witness_open begins; what scripted peers break is noted in `forgeries`, which may be NULL. `quiet` tells whether
 * nothing that the system under test has sent is still unread, on any stream, so that the order between streams is
 * certain. witness_close frees all. */
struct witness *witness_open(struct evidence *evidence, struct forgeries *forgeries, bool (*quiet)(void *context),
                             void *context);
void witness_close(struct witness *witness);

/* witness_listen has the witness listen to a stream that is about to be opened. acceptor is who listens there, as far
 * as it is known. */
void witness_listen(struct witness *witness, struct flow *flow, const struct wire_portals_id *acceptor);

/* witness_judge tells the judge the first violation, unless the case has ended with a verdict about the system under
 * test or has seen the violation itself. `lost`: a process of the system under test has ended; streams that end inside
 * a message are then no violation. */
void witness_judge(const struct witness *witness, struct judge *judge, bool lost);

#endif
