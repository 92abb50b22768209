/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What services that share a database tell each other: heard at once, without looking for it.
 */
#ifndef WEB_STORE_LISTENER_H
#define WEB_STORE_LISTENER_H

#include "web/store/status.h"

struct database;
struct listener;

/* listener_tell tells all of them, this one too, of `what` once the caller's transaction is committed; nobody where the
 * database's engine is not for several. */
enum database_status listener_tell(struct database *database, const char *what);

/* listener_start begins a thread with a connection of its own, which calls `told` with each text that is told, by this
 * service too, and with "" whenever some may have been missed: at the start, and after the connection was lost.
 * NULL: no memory, or the database's engine is not for several. */
struct listener *listener_start(struct database *database, void (*told)(void *context, const char *what),
                                void *context);

/* listener_stop ends it; `told` is not called any more when it returns. NULL is allowed. */
void listener_stop(struct listener *listener);

#endif
