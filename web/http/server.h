/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The HTTP server: libmicrohttpd with its own threads, limits, and the way of a request to its handler.
 */
#ifndef WEB_HTTP_SERVER_H
#define WEB_HTTP_SERVER_H

#include "web/service/options.h"
#include "web/service/service.h"

#include <stddef.h>

struct server;

/* server_start listens and answers from now on. NULL: one line in message (address taken, no such address, bad TLS
 * files). The service must outlive the server. */
struct server *server_start(struct service *service, const struct options *options, char *message,
                            size_t message_octets);

/* server_port gives the port that it listens at. */
int server_port(const struct server *server);

/* server_stop ends all connections and frees the server. No live view may be suspended and no upgraded connection open
 * any more (hub_stop, runs_stop). */
void server_stop(struct server *server);

#endif
