/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Beginning, end and voice of a connection to the IMPI server; see guest.h. Chapter 2.3.3: a connection that fails to
 * authenticate is terminated.
 */
#include "ref-impl/impi/server/guest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NOTES_MAX = 10, DRAIN_ROUNDS = 64 };

struct guest *guest_begin(int fd, const struct auth *auth)
{
    struct guest *g = calloc(1, sizeof *g);
    struct address peer;

    if (!g) {
        close(fd);
        return NULL;
    }
    address_ready(fd);
    g->fd = fd;
    g->rank = -1;
    session_begin(&g->session, auth);
    if (address_peer(fd, &peer)) {
        address_text(&peer, g->place);
    } else {
        snprintf(g->place, sizeof g->place, "a place unknown"); /* gone already */
    }
    return g;
}

void guest_end(struct guest *g)
{
    unsigned char waste[4096];

    (void)queue_send(&g->out, g->fd);
    (void)shutdown(g->fd, SHUT_WR);
    for (int i = 0; i < DRAIN_ROUNDS && recv(g->fd, waste, sizeof waste, MSG_DONTWAIT) > 0; i++) {
    }
    close(g->fd);
    session_end(&g->session);
    queue_free(&g->in);
    queue_free(&g->out);
    free(g);
}

void guest_report(const struct guest *g, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (g->rank >= 0) {
        fprintf(stderr, "impirun: client %" PRId32 " (%s) %s\n", g->rank, g->place, text);
    } else {
        fprintf(stderr, "impirun: connection from %s %s\n", g->place, text);
    }
}

void guest_note(struct guest *g, const char *text)
{
    g->notes++;
    if (g->notes <= NOTES_MAX) {
        guest_report(g, "%s%s", text, g->notes == NOTES_MAX ? "; no more will be told of it" : "");
    }
}

bool guest_say(struct guest *g, const void *octets, size_t len)
{
    return queue_put(&g->out, octets, len);
}
