/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The handlers whose connections stay open: live events. What each answers is described for its route in
 * specs/openapi.json. A handler runs on a thread of the HTTP server, when the whole body is there, and answers exactly
 * once; it may wait for the database and for nothing else.
 */
#ifndef WEB_LIVE_HANDLERS_H
#define WEB_LIVE_HANDLERS_H

struct request;

/* handle_run_events answers GET /api/v1/runs/{run}/events. */
void handle_run_events(struct request *request);

#endif
