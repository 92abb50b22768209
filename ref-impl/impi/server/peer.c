/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Beginning, end and voice of a connection to the IMPI server; see server/peer.h. Chapter 2.3.3: a connection that
 * fails to authenticate is terminated.
 */
#include "ref-impl/impi/server/peer.h"

#include "ref-impl/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NOTES_MAX = 10, DRAIN_ROUNDS = 64 };

struct peer *peer_begin(int fd, const struct auth *auth)
{
    struct peer *g = calloc(1, sizeof *g);
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

void peer_end(struct peer *g)
{
    unsigned char waste[4096];

    (void)secure_send(g->secure, g->fd, &g->out);
    secure_close(g->secure, g->fd);
    (void)shutdown(g->fd, SHUT_WR);
    for (int i = 0; i < DRAIN_ROUNDS && recv(g->fd, waste, sizeof waste, MSG_DONTWAIT) > 0; i++) {
    }
    close(g->fd);
    session_end(&g->session);
    queue_free(&g->in);
    queue_free(&g->out);
    free(g);
}

bool peer_secure(struct peer *g, const struct secure_key *key, const struct auth *auth)
{
    if (queue_send(&g->out, g->fd) == QUEUE_BROKEN || queue_len(&g->out) > 0) {
        return false;
    }
    g->secure = secure_create(key, SECURE_ACCEPTS, SECURE_NAME_SERVER);
    g->handshake_until_ms = clock_now_ms() + SECURE_HANDSHAKE_MS;
    session_end(&g->session);
    session_begin(&g->session, auth);
    return g->secure != NULL;
}

bool peer_handshakes(const struct peer *g)
{
    return g->secure && !secure_ready(g->secure);
}

void peer_report(const struct peer *g, const char *fmt, ...)
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

void peer_note(struct peer *g, const char *text)
{
    g->notes++;
    if (g->notes <= NOTES_MAX) {
        peer_report(g, "%s%s", text, g->notes == NOTES_MAX ? "; no more will be told of it" : "");
    }
}

bool peer_say(struct peer *g, const void *octets, size_t len)
{
    return queue_put(&g->out, octets, len);
}
