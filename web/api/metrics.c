/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * GET /metrics: numbers in the text format of Prometheus, for the service's owner.
 */
#include "web/api/handlers.h"
#include "web/http/request.h"
#include "web/runs/runs.h"
#include "web/service/service.h"
#include "web/store/query.h"
#include "web/store/room.h"

#include <stdio.h>
#include <stdlib.h>

static void put(FILE *out, const char *name, const char *kind, const char *help, int64_t value)
{
    fprintf(out, "# HELP assay_%s %s\n# TYPE assay_%s %s\nassay_%s %lld\n", name, help, name, kind, name,
            (long long)value);
}

/* What the database counts. */
static enum database_status put_counts(struct request *request, FILE *out)
{
    struct query query;
    enum database_status status;

    fputs("# HELP assay_runs Runs that are kept, by state\n# TYPE assay_runs gauge\n", out);
    query_open_read(&query, request->service->database, "SELECT state, COUNT(*) FROM runs GROUP BY state");
    while (query_next(&query)) {
        fprintf(out, "assay_runs{state=\"%s\"} %lld\n", query_column_text(&query, 0),
                (long long)query_column_number(&query, 1));
    }
    status = query_close(&query);
    query_open_read(&query, request->service->database,
                    "SELECT (SELECT COUNT(*) FROM accounts), (SELECT COUNT(*) FROM implementations), "
                    "(SELECT COUNT(*) FROM certificates), "
                    "(SELECT COUNT(*) FROM certificate_log WHERE kind = 'revoked'), "
                    "(SELECT COALESCE(SUM(stored), 0) FROM runs)");
    if (query_next(&query)) {
        put(out, "accounts", "gauge", "Accounts", query_column_number(&query, 0));
        put(out, "implementations", "gauge", "Implementations", query_column_number(&query, 1));
        put(out, "certificates_total", "counter", "Certificates issued", query_column_number(&query, 2));
        put(out, "revocations_total", "counter", "Certificates revoked", query_column_number(&query, 3));
        put(out, "runs_stored_bytes", "gauge", "What all runs hold, unpacked", query_column_number(&query, 4));
    }
    return query_close(&query) == DATABASE_OK ? status : DATABASE_BROKEN;
}

static void put_state(struct request *request, FILE *out)
{
    struct room_state room = room_look(request->service->room);
    struct runs_count count = runs_count(request->service->runs);

    put(out, "runs_under_way", "gauge", "Runs that are executed", count.under_way);
    put(out, "runs_under_way_most", "gauge", "How many of them there may be", request->service->limits.of[LIMIT_RUNS]);
    put(out, "runs_queued", "gauge", "Runs whose agent is here and that wait for their turn", count.queued);
    put(out, "runs_unwritten", "gauge", "Runs that have ended and could not be written down", count.unwritten);
    put(out, "disk_free_bytes", "gauge", "Free room on the disk of the data folder", (int64_t)room.free);
    put(out, "disk_reserve_bytes", "gauge", "Room that is kept back", (int64_t)room.reserve);
    put(out, "disk_full", "gauge", "1 while no new run is taken for want of room", room.is_short);
}

void handle_metrics(struct request *request)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out;
    enum database_status status;

    if (!request->who.owner) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "not_owner", "Only the service's owner sees its numbers.");
        return;
    }
    out = open_memstream(&text, &len);
    if (!out) {
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
        return;
    }
    put_state(request, out);
    status = put_counts(request, out);
    if (fclose(out) != 0 || status != DATABASE_OK) {
        request_reply_database(request, DATABASE_BROKEN, "");
    } else {
        request_reply_octets(request, "text/plain; version=0.0.4; charset=utf-8", text, len, NULL);
    }
    free(text);
}
