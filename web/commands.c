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

/* How the interpreter is built, and how it is started: the words behind sut-agent's own. Profiles that are judged in
 * two roles have two ways. */
static const struct way {
    const char *profile, *build, *title, *template;
} ways[] = {
    {"portals-3.0",
     "make -C " FOLDER " PORTALS_CFLAGS=\"-I/opt/portals/include\" PORTALS_LIBS=\"-L/opt/portals/lib -lportals\"",
     "Start it with your own launcher; {np} and {args} stay as they are",
     "mpirun -np {np} " FOLDER "/interp-portals {args}"},
    {"impi-0.0", "make -C " FOLDER " sut-agent interp-mpi MPICC=/opt/mpi/bin/mpicc",
     "Judge IMPI clients with your own launcher; words in braces stay as they are",
     "impirun -client {client} {server} -np {np} -hosts {hosts} " FOLDER "/interp-mpi {args}"},
    {"impi-0.0", NULL, "Or judge an IMPI server, which needs no interpreter", "impirun -server {clients} {options}"},
};

static void add_ways(json_t *list, const char *profile, const char *manager, const char *token)
{
    char text[1024];

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(ways[i].profile, profile) == 0) {
            snprintf(text, sizeof text, "ASSAY_TOKEN=%s " FOLDER "/sut-agent --url %s -- %s", token, manager,
                     ways[i].template);
            add(list, ways[i].title, text);
        }
    }
}

static void add_build(json_t *list, const char *profile)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(ways[i].profile, profile) == 0 && ways[i].build) {
            add(list, "Build it against your library", ways[i].build);
        }
    }
}

json_t *commands_json(const char *base, bool tls, const char *profile, const char *token)
{
    json_t *list = json_array();
    const char *manager = base;
    char text[1024];

    snprintf(text, sizeof text, "curl -fsSL %s/download/assay-interpreter.tar.gz | tar xz", base);
    add(list, "Get the test interpreter (plain C, no dependency)", text);
    add_build(list, profile);
    if (tls) {
        /* The agent has no dependency, so it speaks no TLS: a tunnel does. */
        const char *host = strstr(base, "://") ? strstr(base, "://") + 3 : base;

        snprintf(text, sizeof text, "socat TCP-LISTEN:7440,bind=127.0.0.1,reuseaddr,fork OPENSSL:%s%s &", host,
                 strchr(host, ':') ? "" : ":443");
        add(list, "Open a tunnel: interpreters speak plain HTTP, this service HTTPS", text);
        manager = "http://127.0.0.1:7440";
    }
    add_ways(list, profile, manager, token);
    return list;
}
