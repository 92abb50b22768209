/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether a data folder is whole, as after its disk was repaired, or a copy that is to be relied on.
 */
#ifndef WEB_UPKEEP_INSPECT_H
#define WEB_UPKEEP_INSPECT_H

#include "web/service/place.h"

#include <stddef.h>

/* inspect_data looks, also while a service runs, whether the database is sound and whether each file of evidence that
 * it names is there with the octets of its digest. Writes a line to stdout for each defect, then what was looked at;
 * changes neither, but opens the lock of the evidence. Gives how many defects there are; -1: it could not look, one
 * line in message. */
long inspect_data(const struct place *place, char *message, size_t message_octets);

#endif
