/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The very commands to type. They stand in one place, so that page, API and command line say the same.
 */
#include "web/commands.h"

#include <stdio.h>
#include <string.h>

#define FOLDER "assay-interpreter-" ASSAY_VERSION

static void add(json_t *list, const char *title, const char *text)
{
    json_array_append_new(list, json_pack("{s:s,s:s}", "title", title, "text", text));
}

json_t *commands_json(const char *base, bool tls, const char *token)
{
    json_t *list = json_array();
    const char *manager = base;
    char text[1024];

    snprintf(text, sizeof text, "curl -fsSL %s/download/assay-interpreter.tar.gz | tar xz", base);
    add(list, "Get the test interpreter (plain C, no dependency)", text);
    add(list, "Build it against your library",
        "make -C " FOLDER " PORTALS_CFLAGS=\"-I/opt/portals/include\" PORTALS_LIBS=\"-L/opt/portals/lib -lportals\"");
    if (tls) {
        /* The agent has no dependency, so it speaks no TLS: a tunnel does. */
        const char *host = strstr(base, "://") ? strstr(base, "://") + 3 : base;

        snprintf(text, sizeof text, "socat TCP-LISTEN:7440,bind=127.0.0.1,reuseaddr,fork OPENSSL:%s%s &", host,
                 strchr(host, ':') ? "" : ":443");
        add(list, "Open a tunnel: interpreters speak plain HTTP, this service HTTPS", text);
        manager = "http://127.0.0.1:7440";
    }
    snprintf(text, sizeof text,
             "ASSAY_TOKEN=%s " FOLDER "/sut-agent --url %s -- mpirun -np {np} " FOLDER "/interp-portals {args}", token,
             manager);
    add(list, "Start it with your own launcher; {np} and {args} stay as they are", text);
    return list;
}
