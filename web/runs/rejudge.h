/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Judging the stored evidence of all runs again, by the checker and the cases of today: `assayd --rejudge`. No verdict
 * and no certificate is changed; what differs is written down beside them, for those whom it concerns.
 */
#ifndef WEB_RUNS_REJUDGE_H
#define WEB_RUNS_REJUDGE_H

#include "web/service/place.h"

#include <stddef.h>

/* The word for all cases. */
#define REJUDGE_ALL "all"

/* rejudge_data judges what a data folder holds and prints what differs. `cases` is REJUDGE_ALL or ids, separated by
 * commas, of cases that are known to be wrong: their results count as unsettled where the evidence alone cannot tell.
 * Returns how many results differ or are unsettled; -1: one line in message. A service may run meanwhile. */
long rejudge_data(const struct place *place, const char *cases, char *message, size_t message_octets);

#endif
