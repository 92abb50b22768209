/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Takes a request from its first header to its handler: body, route, who asks, size, handler.
 */
#include "web/http/dispatch.h"

#include "tester/base/utf8.h"
#include "web/http/access.h"
#include "web/http/access_log.h"
#include "web/http/aside.h"
#include "web/http/audit.h"
#include "web/http/framing.h"
#include "web/http/rate.h"
#include "web/http/request.h"
#include "web/http/route.h"
#include "web/http/target.h"
#include "web/http/timeout.h"
#include "web/service/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    BODY_MAX = 64 * 1024,  /* no route takes more */
    BODY_TIMEOUT_S = 10,   /* of silence in the middle of a request: who says half of one is let go */
    ANSWER_TIMEOUT_S = 30, /* of a reader that takes nothing, and between two requests; live views sleep longer */
    ENDING_RETRY_S = 5
};

static void set_timeout(struct MHD_Connection *connection, unsigned seconds)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

static bool changes_something(const struct request *request)
{
    return strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0;
}

/* A browser sends its cookie with whatever a foreign page makes it send; only our own pages know the session's CSRF
 * token. False: answered. */
static bool check_origin(struct request *request)
{
    const char *site = request_header(request, "Sec-Fetch-Site");
    const char *csrf = request_header(request, "X-Assay-CSRF");

    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "foreign_origin",
                            "The request comes from another site's page.");
        return false;
    }
    if (request->who.by_cookie && request->who.account != 0 && (!csrf || strcmp(csrf, request->who.csrf) != 0)) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "csrf",
                            "The header X-Assay-CSRF is missing or is not that of this session; reload the page.");
        return false;
    }
    return true;
}

static void send_to_sign_in(struct request *request)
{
    char path[512];

    /* The path has matched a route, so it holds nothing that needs escaping but what ids may hold. */
    snprintf(path, sizeof path, "/sign-in%s%s", strcmp(request->path, "/") == 0 ? "" : "?next=",
             strcmp(request->path, "/") == 0 || strpbrk(request->path, " \r\n&?#%<>\"\\") ? "" : request->path);
    request_reply_redirect(request, path);
}

/* Takes one request off what `who` may ask. False: answered. */
static bool take(struct request *request, struct rate *rate, uint64_t who, enum limit limit)
{
    uint64_t wait_us = rate_take(rate, who, rate_now_us());

    if (wait_us == 0) {
        return true;
    }
    request->retry_seconds = (unsigned)((wait_us + 999999) / 1000000);
    request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_requests",
                        "%s made %u %s in a minute (limit %s): try again in %u s.",
                        request->who.account != 0 ? "Your account has" : "Your address has",
                        request->service->limits.of[limit],
                        limit == LIMIT_ACCOUNT_COSTLY ? "requests that make, cancel or delete runs" : "requests",
                        limits_name(limit), request->retry_seconds);
    return false;
}

/* Whether there have not been too many requests already: of the account, or where nobody is signed in, from the
 * address. Connections of test interpreters are not counted: there may be very many of them in a run, and it would be
 * spoiled. False: answered. */
static bool check_rate(struct request *request)
{
    const struct service *service = request->service;
    uint64_t who;

    if (request->who.account == 0) {
        who = rate_who_address((const struct sockaddr *)&request->from.client);
        return take(request, service->address_rate, who, LIMIT_ADDRESS_REQUESTS);
    }
    who = rate_who_account(request->who.account);
    return take(request, service->account_rate, who, LIMIT_ACCOUNT_REQUESTS) &&
           (request->route->who != WHO_COSTLY || take(request, service->costly_rate, who, LIMIT_ACCOUNT_COSTLY));
}

/* Whether the requester's role is enough. False: answered. */
static bool check_role(struct request *request)
{
    enum role least = route_role(request->route);

    if (request->who.scoped && request->route->who == WHO_ACCOUNT && changes_something(request)) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "scope",
                            "This API token was made for the role %s alone: it changes nothing of its member's.",
                            role_name(request->who.role));
        return false;
    }
    if (request->who.role >= least) {
        return true;
    }
    request_reply_error(
        request, MHD_HTTP_FORBIDDEN, "role",
        "This takes the role %s; you have the role %s here. An administrator of the account gives roles.",
        role_name(least), role_name(request->who.role));
    audit_note(request);
    return false;
}

/* False: answered. */
static bool check_who(struct request *request)
{
    enum database_status status;

    if (request->route->who == WHO_RUN) {
        return true;
    }
    if (request->route->who == WHO_ANYONE) {
        return check_rate(request) && (!changes_something(request) || check_origin(request));
    }
    status = access_identify(request, &request->who);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return false;
    }
    if (!check_rate(request)) {
        return false;
    }
    if (request->who.account == 0) {
        if (request->route->who == WHO_PAGE) {
            send_to_sign_in(request);
        } else {
            request_reply_error(request, MHD_HTTP_UNAUTHORIZED, "sign_in",
                                "Sign in, or send an API token as 'Authorization: Bearer TOKEN'.");
        }
        return false;
    }
    return check_role(request) && (!changes_something(request) || check_origin(request));
}

static bool is_json(const struct request *request)
{
    const char *type = request_header(request, "Content-Type");

    return type && strncasecmp(type, "application/json", 16) == 0 && (type[16] == '\0' || strchr("; ", type[16]));
}

/* Judges what the headers say about the body. False: answered. */
static bool check_size(struct request *request)
{
    const char *length = request_header(request, "Content-Length");
    bool chunked = request_header(request, "Transfer-Encoding") != NULL;
    unsigned long long octets = length ? strtoull(length, NULL, 10) : 0;

    if (request->route->body_limit == 0) {
        if (octets > 0 || chunked) {
            request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "no_body", "This request takes no body.");
            return false;
        }
        return true;
    }
    if (!length && !chunked) {
        request_reply_error(request, MHD_HTTP_LENGTH_REQUIRED, "length_required",
                            "The request must say its length (Content-Length).");
        return false;
    }
    if (octets > request->route->body_limit) {
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_large", "The body may have %zu octets here.",
                            request->route->body_limit);
        return false;
    }
    if (!is_json(request)) {
        request_reply_error(request, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "not_json",
                            "The body must be JSON, sent with 'Content-Type: application/json'.");
        return false;
    }
    return true;
}

/* While the service ends: MHD_quiesce_daemon would refuse connections instead, but races with the threads that
 * accept (0.9.75 aborts). */
static void reply_ending(struct request *request)
{
    request->retry_seconds = ENDING_RETRY_S;
    request_reply_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "ending",
                        "The service is being stopped: try again when it has started anew.");
}

/* Finds the route and judges the headers. False: answered. */
static bool begin(struct request *request)
{
    bool known_path = false;

    if (request->service->ending) {
        reply_ending(request);
        return false;
    }
    /* A path that is no UTF-8 names nothing, and neither a database nor a log takes it. */
    request->route = !utf8_is_whole(request->path) ? NULL
                                                   : route_find(request->service->routes, request->method,
                                                                request->path, request->parameters, &known_path);
    if (!request->route && known_path) {
        request_reply_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, "method", "This address does not know the method.");
    } else if (!request->route) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is nothing at this address.");
    } else {
        return check_who(request) && check_size(request);
    }
    return false;
}

/* A piece of the body is there. More than fits is dropped and remembered. */
static void collect(struct request *request, const char *octets, size_t len)
{
    size_t needed = request->text_len + len + 1;

    if (request->overflow || needed > BODY_MAX + 1) {
        request->overflow = true;
        return;
    }
    if (needed > request->text_room) {
        size_t room = needed < 1024 ? 1024 : needed * 2;
        char *text = realloc(request->text, room);

        if (!text) {
            request->overflow = true;
            return;
        }
        request->text = text;
        request->text_room = room;
    }
    memcpy(request->text + request->text_len, octets, len);
    request->text_len += len;
    request->text[request->text_len] = '\0';
}

static struct timeout *timeout_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* The handler has come back: it has answered, or the connection sleeps until it can. */
static void end(struct request *request)
{
    if (!request->then) {
        audit_note(request);
    }
}

/* The connection has woken up. */
static void go_on(struct request *request)
{
    void (*then)(struct request *) = request->then;

    request->then = NULL;
    then(request);
    end(request);
}

/* Answers from memory where something is kept by the path alone. */
static bool reply_kept(struct request *request)
{
    return MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, NULL, NULL) == 0 &&
           request_reply_kept(request, NULL);
}

/* The whole request is there. */
static void finish(struct request *request)
{
    timeout_answer(request->service->timeouts, timeout_of(request->connection));
    set_timeout(request->connection, ANSWER_TIMEOUT_S);
    if (!begin(request)) {
        return;
    }
    if (request->overflow || request->text_len > request->route->body_limit) {
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_large", "The body may have %zu octets here.",
                            request->route->body_limit);
        return;
    }
    if (request->route->pace == AT_ONCE) {
        request->route->handle(request);
        end(request);
    } else if (changes_something(request) || !reply_kept(request)) {
        aside_begin(request, request->route->handle);
    }
}

/* The headers are there. A request that is refused is still read to its end if that end is near: who is answered in the
 * middle of sending may never see the answer. Only what announces more than anybody takes is cut off at once. */
static enum MHD_Result start(struct service *service, struct MHD_Connection *connection, const char *url,
                             const char *method, const char *version, void **request_context)
{
    struct request *request = calloc(1, sizeof *request);
    bool too_long = target_is_refused(*request_context);
    const char *length, *problem;

    *request_context = request;
    if (!request) {
        return MHD_NO;
    }
    set_timeout(connection, BODY_TIMEOUT_S);
    *request = (struct request){.service = service,
                                .connection = connection,
                                .method = method,
                                .path = url,
                                .octets = -1,
                                .began_us = access_log_now_us(),
                                .answered = MHD_YES};
    forwarded_read(connection, &service->proxies, service->tls, &request->from);
    problem = framing_problem(connection, version);
    if (too_long) {
        request->closing = true;
        request_reply_error(request, MHD_HTTP_URI_TOO_LONG, "uri_too_long",
                            "An address may have %d octets and %d arguments at most.", TARGET_OCTETS_MAX,
                            TARGET_ARGUMENTS_MAX);
        return request->answered;
    }
    if (problem) {
        request->closing = true;
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "framing", "%s", problem);
        return request->answered;
    }
    length = request_header(request, "Content-Length");
    if (length && strtoull(length, NULL, 10) > BODY_MAX && begin(request)) {
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_large", "The body may have %zu octets here.",
                            request->route->body_limit);
    }
    return request->answered;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are libmicrohttpd's
enum MHD_Result dispatch_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *upload, size_t *upload_len, void **request_context)
{
    struct request *request = *request_context;

    if (!request || target_is_refused(request)) {
        return start(context, connection, url, method, version, request_context);
    }
    if (*upload_len > 0) {
        collect(request, upload, *upload_len);
        *upload_len = 0;
        return MHD_YES;
    }
    if (request->then) {
        go_on(request);
    } else {
        finish(request);
    }
    return request->answered;
}

void dispatch_completed(void *context, struct MHD_Connection *connection, void **request_context,
                        enum MHD_RequestTerminationCode code)
{
    struct request *request = *request_context;
    struct service *service = context;

    if (request && !target_is_refused(request)) {
        access_log_note(service->access_log, request, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
        if (!request->upgraded) {
            timeout_await(service->timeouts, timeout_of(connection), ANSWER_TIMEOUT_S);
        }
        service->slept -= request->slept;
        request_release(request);
        free(request);
        *request_context = NULL;
    }
}
