/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live view of a run: server-sent events, replayed from the database from any point on (Last-Event-ID), then live.
 * The stream ends by itself when the run is over and everything has been sent.
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

struct stream {
    struct hub_stream place;
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

/* Reads what is new into stream->text. False when the database or memory failed. */
static bool fill(struct stream *stream)
{
    struct query query;
    FILE *out;

    free(stream->text);
    stream->text = NULL;
    stream->len = stream->sent = 0;
    out = open_memstream(&stream->text, &stream->len);
    if (!out) {
        return false;
    }
    /* Asked before the events are read: an event that comes later comes with a new waking. */
    stream->over = !run_row_is_under_way(stream->service->database, stream->run);
    query_open(&query, stream->service->database,
               "SELECT seq, kind, at, data FROM events WHERE run = :run AND seq > :last ORDER BY seq LIMIT :batch");
    query_text(&query, ":run", stream->run);
    query_number(&query, ":last", stream->last);
    query_number(&query, ":batch", BATCH);
    while (query_next(&query)) {
        stream->last = query_column_number(&query, 0);
        add_event(out, &query);
    }
    if (query_close(&query) != DATABASE_OK) {
        stream->over = true;
    }
    return fclose(out) == 0;
}

/* Sends a part of what is ready. */
static ssize_t send_some(struct stream *stream, char *buffer, size_t room)
{
    size_t len = stream->len - stream->sent < room ? stream->len - stream->sent : room;

    memcpy(buffer, stream->text + stream->sent, len);
    stream->sent += len;
    stream->slept = false;
    return (ssize_t)len;
}

static ssize_t on_read(void *context, uint64_t position, char *buffer, size_t room)
{
    struct stream *stream = context;

    (void)position;
    while (!hub_ending(stream->service->hub)) {
        if (stream->sent < stream->len) {
            return send_some(stream, buffer, room);
        }
        hub_look(&stream->place);
        if (!fill(stream)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        if (stream->len > 0) {
            continue;
        }
        if (stream->over) {
            break;
        }
        if (stream->slept) {
            /* A comment: it keeps what is in between from closing the connection, and shows whether anybody reads. */
            stream->slept = false;
            memcpy(buffer, ":\n\n", 3);
            return 3;
        }
        if (hub_sleep(&stream->place)) {
            stream->slept = true;
            return 0;
        }
    }
    return MHD_CONTENT_READER_END_OF_STREAM;
}

static void on_free(void *context)
{
    struct stream *stream = context;

    hub_leave(&stream->place);
    free(stream->text);
    free(stream);
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

/* A stream of this request, in the hub; NULL when the answer has been given. */
static struct stream *enter(struct request *request)
{
    const struct limits *limits = &request->service->limits;
    struct stream *stream = calloc(1, sizeof *stream);
    enum hub_entry entry;

    if (!stream) {
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
        return NULL;
    }
    stream->service = request->service;
    stream->last = read_last(request);
    snprintf(stream->run, sizeof stream->run, "%s", request->parameters[0]);
    stream->place.connection = request->connection;
    stream->place.account = request->who.account;
    stream->place.run = stream->run;
    entry = hub_enter(request->service->hub, &stream->place);
    if (entry == HUB_ENTERED) {
        return stream;
    }
    free(stream);
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
    struct stream *stream;
    struct MHD_Response *response;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    stream = enter(request);
    if (!stream) {
        return;
    }
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, on_read, stream, on_free);
    if (response) {
        MHD_add_response_header(response, "Content-Type", "text/event-stream");
        MHD_add_response_header(response, "X-Accel-Buffering", "no");
    } else {
        on_free(stream);
    }
    request_queue(request, MHD_HTTP_OK, response);
}
