/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From where a request came, by which scheme and name: as its connection says, or as a trusted proxy says in Forwarded
 * (RFC 7239), or in X-Forwarded-For, -Proto and -Host where that is missing.
 */
#ifndef WEB_HTTP_FORWARDED_H
#define WEB_HTTP_FORWARDED_H

#include "web/service/proxies.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { FORWARDED_HOST_SIZE = 300 };

struct forwarded {
    struct sockaddr_storage client; /* family 0: not known */
    bool tls;
    char host[FORWARDED_HOST_SIZE]; /* "" when there is none, or it is no host's name */
};

/* forwarded_read finds out; `tls` tells whether the connection itself has it. What a client says through a proxy that
 * is trusted stands left of what the proxy adds, and is not believed. */
void forwarded_read(struct MHD_Connection *connection, const struct proxies *proxies, bool tls,
                    struct forwarded *forwarded);

#endif
