/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Issues certificates for runs that covered a whole profile and conform.
 */
#ifndef WEB_RUNS_CERTIFY_H
#define WEB_RUNS_CERTIFY_H

#include "web/store/database.h"

#include <jansson.h>

struct service;

/* certify_issue makes and stores the certificate of a run from its report, whose digest stands in it. Part of the
 * caller's transaction. */
enum database_status certify_issue(struct service *service, const char *run, const json_t *report,
                                   const char *report_sha256);

#endif
