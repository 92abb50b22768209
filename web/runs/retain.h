/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How long evidence is kept (limit retain-days).
 */
#ifndef WEB_RUNS_RETAIN_H
#define WEB_RUNS_RETAIN_H

struct service;

/* retain_expired removes transcripts, captures and ladders of runs that ended before the days that the limit says, and
 * that have no certificate. Verdicts, reasons and reports stay; the run says when its evidence was removed. The files
 * go by evidence_rows_clean. */
void retain_expired(struct service *service);

#endif
