/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whose requirement a fault is counted against. A case that could not come to what it judges, since something that it
 * rests on is broken in this run, is *blocked*: inconclusive, with the broken requirement and the case that has shown
 * it. Its own requirements are then neither fulfilled nor broken.
 */
#ifndef TESTER_JUDGING_ATTRIBUTION_H
#define TESTER_JUDGING_ATTRIBUTION_H

#include "tester/judging/faults.h"
#include "tester/judging/judge.h"

/* attribution_settle looks at how a case has ended: a new fault is noted; a case that was not yet at what it judges and
 * shows a fault that is known, and none of whose requirements that fault breaks, becomes blocked. */
void attribution_settle(struct judge *judge, struct faults *faults);

/* attribution_stop ends a case as blocked before it waits for a function that has hung and never returned in this run,
 * unless the case judges that very requirement. */
void attribution_stop(struct judge *judge, struct faults *faults, const char *function);

#endif
