/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Answers that are a list of rows.
 */
#ifndef WEB_API_LIST_H
#define WEB_API_LIST_H

struct query;
struct request;

/* list_reply executes an open query, closes it, and answers with all its rows as the member `name`. */
void list_reply(struct request *request, struct query *query, const char *name);

#endif
