/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which of several services that share a database executes a run. Each has a name and says every few seconds that it
 * lives; a run belongs to the service that it names while that lives, and while the run is not suspended (suspend.h).
 * A service alone has no name, and nobody to share with.
 */
#ifndef WEB_RUNS_LEASE_H
#define WEB_RUNS_LEASE_H

#include "web/store/database.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct service;

/* LEASE_S is for how long a service is believed that it lives. */
enum { LEASE_S = 20 };

/* LEASE_OTHER is a condition on a row of runs: another service than :me executes it. A lease that ends later than any
 * can was written before the time of day has gone back: it says nothing. */
#define LEASE_OTHER                                                                                                    \
    "(resume_until IS NULL AND EXISTS (SELECT 1 FROM services s WHERE s.name = service AND s.name <> :me AND "         \
    "s.until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AND "                                                             \
    "s.until < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+60 seconds')))"

/* LEASE_LEFT is one, too: nobody executes it any more; those of :me count where :mine is not 0, as at its start. */
#define LEASE_LEFT "(NOT " LEASE_OTHER " AND (:mine <> 0 OR COALESCE(service, '') <> :me))"

/* lease_renew says that the service lives; lease_end, that it does not any more. */
enum database_status lease_renew(const struct service *service);
void lease_end(const struct service *service);

/* lease_is_other tells whether another service executes the run. */
bool lease_is_other(const struct service *service, const char *id);

/* lease_count_others gives the account of each run that other services execute now, `most` at most, and returns their
 * number; 0 where the service is alone, or the database cannot say. */
size_t lease_count_others(const struct service *service, int64_t *accounts, size_t most);

#endif
