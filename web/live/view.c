/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live view of a run: server-sent events, replayed from the database from any point on (Last-Event-ID), then live.
 * The view ends by itself when the run is over and everything has been sent.
 */
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/live/handlers.h"
#include "web/live/hub.h"
#include "web/service/service.h"
#include "web/store/query.h"
#include "web/store/run_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16 * 1024, BATCH = 64 };

struct view {
    struct hub_view place;
    struct service *service;
    char run[REQUEST_PARAMETER_SIZE];
    int64_t last; /* number of the last event in `text` or sent before */
    char *text;   /* what is to be sent */
    size_t len, sent;
    bool slept; /* and has sent nothing since */
    bool over;  /* the run */
};

/* Adds one event in the form of the standard. Data is JSON on one line, so it needs no splitting. */
static void add_event(FILE *out, struct query *query)
{
    fprintf(out, "id: %lld\nevent: %s\ndata: {\"at\":\"%s\",\"data\":%s}\n\n", (long long)query_column_number(query, 0),
            query_column_text(query, 1), query_column_text(query, 2), query_column_text(query, 3));
}

/* Reads what is new into view->text. False when the database or memory failed. */
static bool fill(struct view *view)
{
    struct query query;
    FILE *out;

    free(view->text);
    view->text = NULL;
    view->len = view->sent = 0;
    out = open_memstream(&view->text, &view->len);
    if (!out) {
        return false;
    }
    /* Asked before the events are read: an event that comes later comes with a new waking. */
    view->over = !run_row_is_under_way(view->service->database, view->run);
    query_open_read(
        &query, view->service->database,
        "SELECT seq, kind, at, data FROM events WHERE run = :run AND seq > :last ORDER BY seq LIMIT :batch");
    query_text(&query, ":run", view->run);
    query_number(&query, ":last", view->last);
    query_number(&query, ":batch", BATCH);
    while (query_next(&query)) {
        view->last = query_column_number(&query, 0);
        add_event(out, &query);
    }
    if (query_close(&query) != DATABASE_OK) {
        view->over = true;
    }
    return fclose(out) == 0;
}

/* Sends a part of what is ready. */
static ssize_t send_some(struct view *view, char *buffer, size_t room)
{
    size_t len = view->len - view->sent < room ? view->len - view->sent : room;

    memcpy(buffer, view->text + view->sent, len);
    view->sent += len;
    view->slept = false;
    return (ssize_t)len;
}

static ssize_t on_read(void *context, uint64_t position, char *buffer, size_t room)
{
    struct view *view = context;

    (void)position;
    while (!hub_ending(view->service->hub)) {
        if (view->sent < view->len) {
            return send_some(view, buffer, room);
        }
        hub_look(&view->place);
        if (!fill(view)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        if (view->len > 0) {
            continue;
        }
        if (view->over) {
            break;
        }
        if (view->slept) {
            /* A comment: it keeps what is in between from closing the connection, and shows whether anybody reads. */
            view->slept = false;
            memcpy(buffer, ":\n\n", 3);
            return 3;
        }
        if (hub_sleep(&view->place)) {
            view->slept = true;
            return 0;
        }
    }
    return MHD_CONTENT_READER_END_OF_STREAM;
}

static void on_free(void *context)
{
    struct view *view = context;

    hub_leave(&view->place);
    free(view->text);
    free(view);
}

/* Where the reader wants to go on: the standard's header, or ?after= for programs that have none. */
static int64_t read_last(const struct request *request)
{
    const char *text = request_header(request, "Last-Event-ID");

    if (!text) {
        text = request_argument(request, "after");
    }
    return text && *text && !text[strspn(text, "0123456789")] ? strtoll(text, NULL, 10) : 0;
}

/* A view of this request, in the hub; NULL when the answer has been given. */
static struct view *enter(struct request *request)
{
    const struct limits *limits = &request->service->limits;
    struct view *view = calloc(1, sizeof *view);
    enum hub_entry entry;

    if (!view) {
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
        return NULL;
    }
    view->service = request->service;
    view->last = read_last(request);
    snprintf(view->run, sizeof view->run, "%s", request->parameters[0]);
    view->place.connection = request->connection;
    view->place.account = request->who.account;
    view->place.run = view->run;
    entry = hub_enter(request->service->hub, &view->place);
    if (entry == HUB_ENTERED) {
        return view;
    }
    free(view);
    if (entry == HUB_ACCOUNT_FULL) {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_streams",
                            "Your account has %u live views open (limit %s): close one, or ask for the run's state.",
                            limits->of[LIMIT_ACCOUNT_STREAMS], limits_name(LIMIT_ACCOUNT_STREAMS));
    } else {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "service_busy",
                            "The service has %u live views open (limit %s): ask for the run's state instead.",
                            limits->of[LIMIT_STREAMS], limits_name(LIMIT_STREAMS));
    }
    return NULL;
}

void handle_run_events(struct request *request)
{
    struct view *view;
    struct MHD_Response *response;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    view = enter(request);
    if (!view) {
        return;
    }
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, on_read, view, on_free);
    if (response) {
        MHD_add_response_header(response, "Content-Type", "text/event-stream");
        MHD_add_response_header(response, "X-Accel-Buffering", "no");
    } else {
        on_free(view);
    }
    request_queue(request, MHD_HTTP_OK, response);
}
