/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The ways to answer a request. Every answer leaves through request_queue, which adds the security headers that it does
 * not have yet.
 */
#include "tester/base/utf8.h"
#include "web/http/request.h"
#include "web/http/route.h"
#include "web/service/service.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *value;
} security_headers[] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                                "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
};

enum { AWAY_RETRY_S = 5 };

void request_add_headers(const struct request *request, struct MHD_Response *response)
{
    for (size_t i = 0; i < sizeof security_headers / sizeof security_headers[0]; i++) {
        if (!MHD_get_response_header(response, security_headers[i].name)) {
            MHD_add_response_header(response, security_headers[i].name, security_headers[i].value);
        }
    }
    if (request->from.tls) {
        MHD_add_response_header(response, "Strict-Transport-Security", "max-age=31536000");
    }
    /* What depends on who asks must not be kept by anybody in between. */
    if (!MHD_get_response_header(response, "Cache-Control")) {
        MHD_add_response_header(response, "Cache-Control", "no-store");
    }
}

void request_queue_held(struct request *request)
{
    if (request->aside.held) {
        request->answered = MHD_queue_response(request->connection, request->status, request->aside.held);
        MHD_destroy_response(request->aside.held);
        request->aside.held = NULL;
    }
}

void request_hand_over(struct request *request, unsigned status, struct MHD_Response *response)
{
    request->status = status;
    request->aside.held = response;
    if (!request->aside.on) {
        request_queue_held(request);
    }
}

void request_queue(struct request *request, unsigned status, struct MHD_Response *response)
{
    if (!response) {
        request->answered = MHD_NO;
        return;
    }
    request_add_headers(request, response);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        char allowed[64];

        route_allowed(request->service->routes, request->path, allowed, sizeof allowed);
        MHD_add_response_header(response, "Allow", allowed);
    }
    if (request->retry_seconds > 0) {
        char seconds[16];

        snprintf(seconds, sizeof seconds, "%u", request->retry_seconds);
        MHD_add_response_header(response, "Retry-After", seconds);
    }
    if (request->closing) {
        MHD_add_response_header(response, "Connection", "close");
    }
    if (status == MHD_HTTP_UNAUTHORIZED) {
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    }
    request_hand_over(request, status, response);
}

static void reply_text(struct request *request, unsigned status, const char *type, char *text)
{
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(strlen(text), text, free);

    request->octets = (int64_t)strlen(text);
    if (!response) {
        free(text);
        request->answered = MHD_NO;
        return;
    }
    MHD_add_response_header(response, "Content-Type", type);
    request_queue(request, status, response);
}

void request_reply(struct request *request, unsigned status, json_t *body)
{
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;

    json_decref(body);
    if (!text) {
        status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        text = strdup("{\"error\":{\"code\":\"no_memory\",\"message\":\"The service is out of memory.\"}}");
    }
    if (text) {
        reply_text(request, status, "application/json", text);
    }
}

/* A person whose browser asked for a page is told in a page's words; everybody else in JSON. */
static bool wants_page(const struct request *request)
{
    const char *accept = request_header(request, "Accept");

    return accept && strstr(accept, "text/html") && strncmp(request->path, "/api/", 5) != 0;
}

static void reply_error_page(struct request *request, unsigned status, const char *message)
{
    static const char page[] = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                               "<meta name=\"viewport\" content=\"width=device-width\"><title>%u - Assay</title>"
                               "<link rel=\"stylesheet\" href=\"/assets/style.css\"></head><body><main class=\"lone\">"
                               "<h1>%s</h1><p>%s</p><p><a href=\"/\">To the start page</a></p></main></body></html>\n";
    char *text = NULL;

    if (asprintf(&text, page, status, status == MHD_HTTP_NOT_FOUND ? "Not found" : "Error", message) < 0) {
        request->answered = MHD_NO;
        return;
    }
    reply_text(request, status, "text/html; charset=utf-8", text);
}

void request_reply_error(struct request *request, unsigned status, const char *code, const char *format, ...)
{
    char message[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    utf8_repair(message); /* it may end, or what it repeats, in the middle of a character: that is no JSON */
    /* Messages that repeat something of the client's hold no markup: ids and names are checked before they get here. */
    if (wants_page(request) && !strpbrk(message, "<>&")) {
        reply_error_page(request, status, message);
    } else {
        request_reply(request, status, json_pack("{s:{s:s,s:s}}", "error", "code", code, "message", message));
    }
}

void request_reply_database(struct request *request, enum database_status status, const char *conflict)
{
    switch (status) {
    case DATABASE_AWAY:
        request->retry_seconds = AWAY_RETRY_S;
        request_reply_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "database_away",
                            "The service cannot reach its database now: try again in a moment.");
        break;
    case DATABASE_OK:
    case DATABASE_BROKEN:
        request_reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "database",
                            "The database did not do it; the service's terminal says why.");
        break;
    case DATABASE_CONFLICT:
        request_reply_error(request, MHD_HTTP_CONFLICT, "conflict", "%s", conflict);
        break;
    case DATABASE_FULL:
        request_reply_error(request, MHD_HTTP_INSUFFICIENT_STORAGE, "disk_full",
                            "The service's disk is full: nothing new can be stored. What there is can still be read.");
        break;
    }
}

void request_add_type(struct MHD_Response *response, const char *type, const char *download)
{
    char disposition[256];

    MHD_add_response_header(response, "Content-Type", type);
    if (download) {
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", download);
        MHD_add_response_header(response, "Content-Disposition", disposition);
    }
}

void request_reply_octets(struct request *request, const char *type, const void *octets, size_t len,
                          const char *download)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(len, (void *)(uintptr_t)octets, MHD_RESPMEM_MUST_COPY);

    if (response) {
        request_add_type(response, type, download);
    }
    request->octets = (int64_t)len;
    request_queue(request, MHD_HTTP_OK, response);
}

void request_reply_redirect(struct request *request, const char *path)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);

    if (response) {
        MHD_add_response_header(response, "Location", path);
    }
    request->octets = 0;
    request_queue(request, MHD_HTTP_SEE_OTHER, response);
}

void request_reply_nothing(struct request *request)
{
    request->octets = 0;
    request_queue(request, MHD_HTTP_NO_CONTENT, MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT));
}
