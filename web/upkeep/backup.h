/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A copy of the data folder, also of one whose service runs.
 */
#ifndef WEB_UPKEEP_BACKUP_H
#define WEB_UPKEEP_BACKUP_H

#include <stdbool.h>
#include <stddef.h>

/* backup_make makes the folder `into`, which must not be there, a data folder with all that `data` has at this moment:
 * its SQLite database, evidence and signing key. When it returns true the copy is on the disk. message receives one
 * line: what is in the copy, or, with false, what is wrong; what has been copied until then stays. */
bool backup_make(const char *data, const char *into, char *message, size_t message_octets);

#endif
