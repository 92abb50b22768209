/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The handlers of pages, of the files that they need, and of what is handed out as it is.
 * What each answers is described for its route in
 * specs/openapi.json. A handler runs on a thread of the HTTP server, when the whole body is there, and answers exactly
 * once; it may wait for the database and for nothing else.
 */
#ifndef WEB_PAGES_HANDLERS_H
#define WEB_PAGES_HANDLERS_H

struct request;

/* static.c */
void handle_health(struct request *request);
void handle_openapi(struct request *request);
void handle_tarball(struct request *request);
void handle_asset(struct request *request);
void handle_favicon(struct request *request);
void handle_page(struct request *request);
void handle_book(struct request *request);

/* report.c */
void handle_report_page_get(struct request *request);

#endif
