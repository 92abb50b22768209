/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The step from a schema whose evidence lay in the database itself to files.
 */
#ifndef WEB_STORE_EVIDENCE_MOVE_H
#define WEB_STORE_EVIDENCE_MOVE_H

#include "web/store/database.h"

/* evidence_move writes what the database at `folder` still holds of evidence and reports into files, one after the
 * other, each in a transaction with its row: cut off anywhere, it goes on with the next start. */
enum database_status evidence_move(struct database *database, const char *folder);

#endif
