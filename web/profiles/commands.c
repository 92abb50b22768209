/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The very commands to type. They stand in one place, so that page, API and command line say the same.
 */
#include "web/profiles/commands.h"

#include <stdio.h>
#include <string.h>

#define FOLDER "assay-interpreter-" ASSAY_VERSION

/* How the interpreter is built, and how it is started: the words behind sut-agent's own. Profiles that are judged in
 * two roles have two ways. */
static const struct way {
    const char *profile, *role, *build, *title, *template;
} ways[] = {
    {"portals-3.0", NULL,
     "make -C " FOLDER " PORTALS_CFLAGS=\"-I/opt/portals/include\" PORTALS_LIBS=\"-L/opt/portals/lib -lportals\"",
     "Start it with your own launcher; {np} and {args} stay as they are",
     "mpirun -np {np} " FOLDER "/interp-portals {args}"},
    {"impi-0.0", "client", "make -C " FOLDER " sut-agent interp-mpi MPICC=/opt/mpi/bin/mpicc",
     "Judge IMPI clients with your own launcher; words in braces stay as they are",
     "impirun -client {client} {server} -np {np} -hosts {hosts} " FOLDER "/interp-mpi {args}"},
    {"impi-0.0", "server", "make -C " FOLDER " sut-agent",
     "Judge an IMPI server with its own command; words in braces stay as they are",
     "impirun -server {clients} {options}"},
};

static bool is_asked(const struct way *way, const struct commands_order *order)
{
    bool other = *order->server && way->role && strcmp(way->role, "client") != 0; /* its server only comes along */

    return strcmp(way->profile, order->profile) == 0 && !other;
}

static void add(json_t *list, const char *title, const char *text, const char *role)
{
    json_t *one = json_pack("{s:s,s:s}", "title", title, "text", text);

    if (role) {
        json_object_set_new(one, "role", json_string(role));
    }
    json_array_append_new(list, one);
}

/* ` --server 'WORDS'` as a shell takes it; nothing without an own server. What does not fit is left out. */
static void write_server(const char *server, char *text, size_t text_octets)
{
    size_t len = (size_t)snprintf(text, text_octets, "%s", *server ? " --server '" : "");

    for (; *server && len + 6 < text_octets; server++) {
        len += (size_t)snprintf(text + len, text_octets - len, *server == '\'' ? "'\\''" : "%c", *server);
        if (!server[1]) {
            snprintf(text + len, text_octets - len, "'");
        }
    }
}

static void add_ways(json_t *list, const struct commands_order *order, const char *manager)
{
    char text[4096], server[2600];

    write_server(order->server, server, sizeof server);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (is_asked(&ways[i], order)) {
            snprintf(text, sizeof text, "ASSAY_TOKEN=%s " FOLDER "/sut-agent --url %s%s -- %s", order->token, manager,
                     server, ways[i].template);
            add(list, ways[i].title, text, ways[i].role);
        }
    }
}

static void add_build(json_t *list, const struct commands_order *order)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (is_asked(&ways[i], order)) {
            bool agent = ways[i].role && strcmp(ways[i].role, "server") == 0;

            add(list, agent ? "Build the launch agent, all that a server needs" : "Build it against your library",
                ways[i].build, ways[i].role);
        }
    }
}

json_t *commands_json(const struct commands_order *order)
{
    json_t *list = json_array();
    const char *manager = order->base;
    char text[1024];

    snprintf(text, sizeof text, "curl -fsSL %s/download/assay-interpreter.tar.gz | tar xz", order->base);
    add(list, "Get the test interpreter (plain C, no dependency)", text, NULL);
    add_build(list, order);
    if (order->tls) {
        /* The agent has no dependency, so it speaks no TLS: a tunnel does. */
        const char *host = strstr(manager, "://") ? strstr(manager, "://") + 3 : manager;

        snprintf(text, sizeof text, "socat TCP-LISTEN:7440,bind=127.0.0.1,reuseaddr,fork OPENSSL:%s%s &", host,
                 strchr(host, ':') ? "" : ":443");
        add(list, "Open a tunnel: interpreters speak plain HTTP, this service HTTPS", text, NULL);
        manager = "http://127.0.0.1:7440";
    }
    add_ways(list, order, manager);
    return list;
}
