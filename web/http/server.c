/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starts and stops libmicrohttpd: listening socket, threads, limits, TLS. What happens to a request is in dispatch.c.
 */
#include "web/http/server.h"

#include "web/http/dispatch.h"
#include "web/http/target.h"
#include "web/http/timeout.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS = 16, /* some of them wait for the connection that writes */
    CONNECTIONS_MAX = 4096,
    CONNECTIONS_OF_ONE = 2048,     /* address: nobody takes them all, but many may share a proxy's */
    CONNECTION_TIMEOUT_S = 10,     /* until a request's headers are there; dispatch.c gives answers more */
    CONNECTION_MEMORY = 32 * 1024, /* bounds the request line and the headers: more is answered 431 */
    FILE_MAX = 1024 * 1024,
};

struct server {
    struct MHD_Daemon *daemon;
    char *certificate, *key;
};

/* The library's own words say why it does not start (a broken TLS key). Once it has started they are about clients. */
__attribute__((format(printf, 2, 0))) static void on_log(void *context, const char *format, va_list arguments)
{
    const struct server *server = context;

    if (!server->daemon) {
        fputs("assayd: http: ", stderr);
        vfprintf(stderr, format, arguments);
    }
}

static void on_connection(void *context, struct MHD_Connection *connection, void **timeout,
                          enum MHD_ConnectionNotificationCode what)
{
    struct service *service = context;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *timeout = timeout_begin(service->timeouts,
                                 MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    } else {
        timeout_end(service->timeouts, *timeout);
        *timeout = NULL;
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
        listen(fd, CONNECTIONS_MAX) != 0) { /* a connection that finds no room there tries again after a second */
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
    return MHD_start_daemon(flags, 0, NULL, NULL, dispatch_request, service, MHD_OPTION_EXTERNAL_LOGGER, on_log, server,
                            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, dispatch_completed, service,
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, service, MHD_OPTION_URI_LOG_CALLBACK,
                            target_check, NULL, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS_OF_ONE, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CONNECTION_TIMEOUT_S,
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

void server_stop(struct server *server)
{
    MHD_stop_daemon(server->daemon);
    release(server);
}
