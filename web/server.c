/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starts libmicrohttpd and takes a request from its first header to its handler: route, who asks, size, body, handler.
 */
#include "web/server.h"

#include "web/account.h"
#include "web/request.h"
#include "web/route.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS = 4,
    CONNECTIONS_MAX = 1024,
    CONNECTION_TIMEOUT_S = 60,
    CONNECTION_MEMORY = 32 * 1024, /* bounds the request line and the headers: more is answered 431 */
    BODY_MAX = 64 * 1024,          /* no route takes more */
    FILE_MAX = 1024 * 1024,
};

struct server {
    struct MHD_Daemon *daemon;
    char *certificate, *key;
    int listening; /* after server_quiesce: ours to close */
};

/* ---- the way of a request ---------------------------------------------------------------------------------------- */

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

/* False: answered. */
static bool check_who(struct request *request)
{
    enum database_status status;

    if (request->route->who == WHO_ANYONE) {
        return !changes_something(request) || check_origin(request);
    }
    status = account_identify(request->service->database, request, &request->who);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
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
    return !changes_something(request) || check_origin(request);
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

/* Finds the route and judges the headers. False: answered. */
static bool begin(struct request *request)
{
    bool known_path = false;

    request->route = route_find(request->method, request->path, request->parameters, &known_path);
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

/* The whole request is there. */
static void finish(struct request *request)
{
    if (!begin(request)) {
        return;
    }
    if (request->overflow || request->text_len > request->route->body_limit) {
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_large", "The body may have %zu octets here.",
                            request->route->body_limit);
        return;
    }
    request->route->handle(request);
}

/* The headers are there. A request that is refused is still read to its end if that end is near: who is answered in the
 * middle of sending may never see the answer. Only what announces more than anybody takes is cut off at once. */
static enum MHD_Result start(struct service *service, struct MHD_Connection *connection, const char *url,
                             const char *method, void **request_context)
{
    struct request *request = calloc(1, sizeof *request);
    const char *length;

    if (!request) {
        return MHD_NO;
    }
    *request_context = request;
    *request = (struct request){
        .service = service, .connection = connection, .method = method, .path = url, .answered = MHD_YES};
    length = request_header(request, "Content-Length");
    if (length && strtoull(length, NULL, 10) > BODY_MAX && begin(request)) {
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_large", "The body may have %zu octets here.",
                            request->route->body_limit);
    }
    return request->answered;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *upload_len, void **request_context)
{
    struct request *request = *request_context;

    (void)version;
    if (!request) {
        return start(context, connection, url, method, request_context);
    }
    if (*upload_len > 0) {
        collect(request, upload, *upload_len);
        *upload_len = 0;
        return MHD_YES;
    }
    finish(request);
    return request->answered;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request_context,
                         enum MHD_RequestTerminationCode code)
{
    struct request *request = *request_context;

    (void)context;
    (void)connection;
    (void)code;
    if (request) {
        request_release(request);
        free(request);
        *request_context = NULL;
    }
}

/* ---- starting and stopping --------------------------------------------------------------------------------------- */

/* The library's own words say why it does not start (a broken TLS key). Once it has started they are about clients. */
__attribute__((format(printf, 2, 0))) static void on_log(void *context, const char *format, va_list arguments)
{
    const struct server *server = context;

    if (!server->daemon) {
        fputs("assayd: http: ", stderr);
        vfprintf(stderr, format, arguments);
    }
}

static char *read_file(const char *path, char *message, size_t message_octets)
{
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, FILE_MAX + 1) : NULL;
    size_t len = text ? fread(text, 1, FILE_MAX, file) : 0;

    if (len == 0) {
        snprintf(message, message_octets, "%s: %s", path, file && !errno ? "is empty" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

/* Bound by ourselves, so that the reason of a failure is known: the library would only say that it failed. */
static int bind_listener(const struct options *options, char *message, size_t message_octets)
{
    int fd = socket(options->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;

    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (fd < 0 || bind(fd, (const struct sockaddr *)&options->address, options->address_len) != 0 ||
        listen(fd, 256) != 0) {
        snprintf(message, message_octets, "cannot listen at %s: %s%s", options->listen, strerror(errno),
                 errno == EADDRINUSE ? " (another program has the port: choose another one)" : "");
        if (fd >= 0) {
            close(fd);
        }
        return -1;
    }
    return fd;
}

static struct MHD_Daemon *start_daemon(struct server *server, struct service *service, int fd)
{
    unsigned flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_UPGRADE | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, server->certificate},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, server->key},
                                   {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};

    if (service->tls) {
        flags |= MHD_USE_TLS;
    }
    return MHD_start_daemon(flags, 0, NULL, NULL, on_request, service, MHD_OPTION_EXTERNAL_LOGGER, on_log, server,
                            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL,
                            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CONNECTION_TIMEOUT_S,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_ARRAY,
                            service->tls ? tls : none, MHD_OPTION_END);
}

static void release(struct server *server)
{
    free(server->certificate);
    free(server->key);
    free(server);
}

struct server *server_start(struct service *service, const struct options *options, char *message,
                            size_t message_octets)
{
    struct server *server = calloc(1, sizeof *server);
    int fd;

    if (!server) {
        snprintf(message, message_octets, "out of memory");
        return NULL;
    }
    server->listening = -1;
    if (service->tls) {
        server->certificate = read_file(options->tls_cert, message, message_octets);
        server->key = server->certificate ? read_file(options->tls_key, message, message_octets) : NULL;
        if (!server->key) {
            release(server);
            return NULL;
        }
    }
    fd = bind_listener(options, message, message_octets);
    if (fd < 0) {
        release(server);
        return NULL;
    }
    server->daemon = start_daemon(server, service, fd);
    if (!server->daemon) {
        if (service->tls) {
            snprintf(message, message_octets, "cannot start: %s and %s are not a certificate and its key in PEM",
                     options->tls_cert, options->tls_key);
        } else {
            snprintf(message, message_octets, "cannot start the HTTP server");
        }
        close(fd);
        release(server);
        return NULL;
    }
    return server;
}

int server_port(const struct server *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);

    return info ? info->port : 0;
}

void server_quiesce(struct server *server)
{
    server->listening = MHD_quiesce_daemon(server->daemon);
}

void server_stop(struct server *server)
{
    MHD_stop_daemon(server->daemon);
    if (server->listening >= 0) {
        close(server->listening);
    }
    release(server);
}
