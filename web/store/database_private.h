/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What database.c and query.c share.
 */
#ifndef WEB_STORE_DATABASE_PRIVATE_H
#define WEB_STORE_DATABASE_PRIVATE_H

#include "web/store/database.h"

#include <pthread.h>
#include <sqlite3.h>

struct database {
    pthread_mutex_t lock; /* recursive: a query inside a transaction takes it again */
    sqlite3 *handle;      /* used under the lock only */
};

/* database_classify turns SQLite's result code into ours and reports what nobody expects on stderr. */
enum database_status database_classify(sqlite3 *handle, int code);

#endif
