/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The waivers under which a run is judged (specs/waivers.md): those of its implementation and profile that the service
 * has granted when the run is made.
 */
#ifndef WEB_RUNS_WAIVED_H
#define WEB_RUNS_WAIVED_H

#include "web/store/database.h"

#include <jansson.h>
#include <stdint.h>

/* waived_find gives the array for engine_config.waivers of a run that is made now, a new reference; NULL where there is
 * none. */
enum database_status waived_find(struct database *database, int64_t account, const char *implementation,
                                 const char *profile, json_t **waivers);

/* waived_write writes down what a report says of its waivers. Part of the caller's transaction. */
enum database_status waived_write(struct database *database, const char *run, const json_t *report);

/* waived_certified gives those that a certificate names: under which a case has failed. A new reference, NULL for none.
 */
json_t *waived_certified(const json_t *report);

#endif
