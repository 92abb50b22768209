/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * GET /healthz: what whoever runs the service watches. The disk, the database, the runs.
 */
#include "web/api/handlers.h"
#include "web/http/request.h"
#include "web/runs/runs.h"
#include "web/service/service.h"
#include "web/store/query.h"
#include "web/store/room.h"

static enum database_status ask_database(struct request *request)
{
    struct query query;

    query_open_read(&query, request->service->database, "SELECT COUNT(*) FROM accounts");
    return query_run(&query);
}

/* "good", or what keeps the service from taking new runs. */
static const char *find_fault(const struct room_state *room, const struct runs_count *count)
{
    return room->is_short ? "disk-full" : count->unwritten > 0 ? "runs-unwritten" : "good";
}

void handle_health(struct request *request)
{
    struct room_state room = room_look(request->service->room);
    struct runs_count count = runs_count(request->service->runs);

    if (ask_database(request) != DATABASE_OK) {
        request_reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "database", "The database does not answer.");
        return;
    }
    request_reply(request, MHD_HTTP_OK,
                  json_pack("{s:s,s:s,s:{s:s},s:{s:s,s:I,s:I},s:{s:i,s:i,s:i,s:i}}", "status",
                            find_fault(&room, &count), "version", ASSAY_VERSION, "database", "state", "good", "disk",
                            "state", room.is_short ? "full" : "good", "free", (json_int_t)room.free, "reserve",
                            (json_int_t)room.reserve, "queue", "under_way", (int)count.under_way, "most",
                            (int)request->service->limits.of[LIMIT_RUNS], "unwritten", (int)count.unwritten, "queued",
                            (int)count.queued));
}
