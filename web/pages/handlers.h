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

/* ---- static.c */

/* handle_openapi answers GET /openapi.json. */
void handle_openapi(struct request *request);
/* handle_tarball answers GET /download/assay-interpreter.tar.gz. */
void handle_tarball(struct request *request);
/* handle_asset answers GET /assets/{name}. */
void handle_asset(struct request *request);
/* handle_favicon answers GET /favicon.ico. */
void handle_favicon(struct request *request);
/* handle_page answers GET for all pages: with their one frame. */
void handle_page(struct request *request);
/* handle_book answers GET /book, GET /book/{profile} and GET /book/{profile}/{part}. */
void handle_book(struct request *request);

/* ---- report.c */

/* handle_report_page_get answers GET /api/v1/runs/{run}/report.html. */
void handle_report_page_get(struct request *request);
/* handle_shared answers GET /shared/{secret}. */
void handle_shared(struct request *request);

/* handle_met answers GET /met/{token}. */
void handle_met(struct request *request);

#endif
