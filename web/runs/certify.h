/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Issues certificates for runs that covered a whole profile and conform.
 */
#ifndef WEB_RUNS_CERTIFY_H
#define WEB_RUNS_CERTIFY_H

#include "web/store/evidence_files.h"

struct service;

/* certify_issue makes and stores the certificate of a run whose report is given: the report's digest stands in it. Part
 * of the caller's transaction; the report's file is held by the caller. */
enum database_status certify_issue(struct service *service, const char *run, const struct evidence_file *report);

#endif
