/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The tables, schema.sql, and the steps by which those of an earlier version become those of this one.
 */
#ifndef WEB_STORE_SCHEMA_H
#define WEB_STORE_SCHEMA_H

#include "web/store/database.h"

#include <stdbool.h>
#include <stddef.h>

/* schema_update brings the database of the data folder `folder`, which may be empty, to the schema of this program;
 * each step is one transaction. False: one line in message, that starts with the folder's name: its schema is newer
 * than this program, or a step failed. */
bool schema_update(struct database *database, const char *folder, char *message, size_t message_octets);

#endif
