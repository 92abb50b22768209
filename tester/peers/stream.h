/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections of scripted peers, whatever protocol is spoken on them: reading ahead, writing what is queued, every
 * way to end, and the capture of it all. Nothing here decides anything: whatever is sent was asked for by the case.
 * Who listens and connects is in port.h.
 */
#ifndef TESTER_PEERS_STREAM_H
#define TESTER_PEERS_STREAM_H

#include "tester/base/buffer.h"
#include "tester/base/loop.h"
#include "tester/capture/evidence.h"

#include <stdbool.h>
#include <stddef.h>

/* The most that a case may have. */
enum { STREAMS_MAX = 1024, PORTS_MAX = 512 };

struct port;

/* struct stream is one TCP connection. */
struct stream {
    struct streams *all;
    struct port *port; /* at which it was accepted, or from whose address it was opened; NULL: neither */
    unsigned index;
    int fd; /* -1: closed */
    struct loop_watch *watch;
    struct flow flow;
    struct buffer in, out;
    bool connecting, ended, reset; /* ended: the other side has finished or reset */
    bool finished;                 /* we have */
    bool held;                     /* nothing is read */
    bool accepted;                 /* the case has it */
    char label[32];                /* whose it is, for the transcript and the ladder */
    char other[32];                /* who is at the other end */
};

/* struct streams is all that a case has. evidence may be NULL. */
struct streams {
    size_t waiting; /* octets that came and were not taken, of all streams */
    struct loop *loop;
    struct evidence *evidence;
    struct port *ports[PORTS_MAX];
    unsigned port_count;
    struct stream *streams[STREAMS_MAX];
    unsigned stream_count;
};

/* stream_open_all begins with none; stream_close_all closes all connections; their ports are port.h's to
 * close. */
void stream_open_all(struct streams *streams, struct loop *loop, struct evidence *evidence);
void stream_close_all(struct streams *streams);

/* stream_all_read tells whether nothing is waiting to be read on any stream that is read from. `context` is struct
 * streams. */
bool stream_all_read(void *context);

/* stream_new takes a connected or connecting socket over; NULL, and the socket is closed, when there are too many.
 * stream_watch begins to read, write and finish connecting in the loop. */
struct stream *stream_new(struct streams *streams, int fd, const char *label);
void stream_watch(struct stream *stream);

/* stream_hold stops reading, or goes on with it: what comes stays in the network, as with a process that does not
 * listen. */
void stream_hold(struct stream *stream, bool held);

/* stream_send queues octets; false when the stream is over or its limit of 64 MiB reached. */
bool stream_send(struct stream *stream, const void *octets, size_t len);

/* stream_take removes the first octets of what has come; they must be there. */
void stream_take(struct stream *stream, size_t octets);

/* stream_finish ends our direction (FIN), without what was queued and not taken; what the other side sends is read.
 * stream_close closes the socket, orderly or with a reset (RST). */
void stream_finish(struct stream *stream);
void stream_close(struct stream *stream, bool reset);

#endif
