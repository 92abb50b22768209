/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the store answers.
 */
#ifndef WEB_STORE_STATUS_H
#define WEB_STORE_STATUS_H

enum database_status {
    DATABASE_OK,
    DATABASE_CONFLICT, /* a constraint: such a thing exists already, or what is referred to does not */
    DATABASE_FULL,     /* no room on the disk */
    DATABASE_AWAY,     /* its server cannot be reached now: what was asked for may come true later */
    DATABASE_BROKEN,   /* anything else; a line was written to stderr */
};

#endif
