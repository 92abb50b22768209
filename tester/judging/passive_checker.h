/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker of a case: has the checker of conversations (wire/portals/check.h) judge whatever the system
 * under test says to the scripted peers. The case judges what it asks about; the passive checker judges everything.
 * What the peers break is not held against anybody: it shows that they forge (forgery.h).
 */
#ifndef TESTER_JUDGING_PASSIVE_CHECKER_H
#define TESTER_JUDGING_PASSIVE_CHECKER_H

#include "tester/capture/evidence.h"
#include "tester/judging/forgery.h"
#include "tester/judging/judge.h"
#include "wire/portals/check.h"

#include <stdbool.h>

struct passive_checker;

/* passive_checker_open begins; what scripted peers break is noted in `forgeries`, which may be NULL. `quiet` tells
 * whether nothing that the system under test has sent is still unread, on any stream, so that the order between streams
 * is certain. passive_checker_close frees all. */
struct passive_checker *passive_checker_open(struct evidence *evidence, struct forgeries *forgeries,
                                             bool (*quiet)(void *context), void *context);
void passive_checker_close(struct passive_checker *checker);

/* passive_checker_listen makes it hear a connection that is about to be opened. acceptor is who listens there, as far
 * as it is known. */
void passive_checker_listen(struct passive_checker *checker, struct flow *flow, const struct wire_portals_id *acceptor);

/* passive_checker_judge tells the judge the first violation, unless the case has ended with a verdict about the system
 * under test or has seen the violation itself. `lost`: a process of the system under test has ended; streams that end
 * inside a message are then no violation. */
void passive_checker_judge(const struct passive_checker *checker, struct judge *judge, bool lost);

#endif
