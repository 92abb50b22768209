/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A query's rows as an answer (list.h).
 */
#include "web/api/list.h"

#include "web/http/request.h"
#include "web/store/query.h"

void list_reply(struct request *request, struct query *query, const char *name)
{
    json_t *list = query_list(query);
    enum database_status status = query_close(query);

    if (status != DATABASE_OK) {
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    request_reply(request, MHD_HTTP_OK, json_pack("{s:o}", name, list));
}
