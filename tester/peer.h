/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scripted peers on the Portals TCP binding (specs/portals-wire.md): sockets, octets, and the cutting of streams into
 * messages. A peer decides nothing: whatever is sent was asked for by the case.
 */
#ifndef TESTER_PEER_H
#define TESTER_PEER_H

#include "tester/buffer.h"
#include "tester/evidence.h"
#include "tester/loop.h"
#include "wire/portals.h"

struct witness;

/* The most that a case may have. */
enum { PEERS_MAX = 64, STREAMS_MAX = 256 };

/* struct stream is one TCP connection of a peer. */
struct stream {
    struct peer *peer;
    int fd; /* -1: closed */
    struct loop_watch *watch;
    struct flow flow;
    struct buffer in, out;
    bool connecting, ended, reset; /* ended: the other side has finished or reset */
    bool finished;                 /* we have */
    bool held;                     /* nothing is read */
    bool accepted;                 /* the case has it */
    char other[32];                /* who is at the other end, for the ladder */
};

/* struct peer is one scripted process; its id holds the address at which it listens. */
struct peer {
    struct peers *all;
    unsigned index;
    int fd;
    struct loop_watch *watch;
    struct sockaddr_in address;
    struct wire_portals_id id;
    char label[32];
};

/* struct peers is all of a case's. evidence may be NULL. */
struct peers {
    size_t waiting; /* octets that came and were not taken, of all streams */
    struct loop *loop;
    struct evidence *evidence;
    struct witness *witness; /* or NULL */
    struct peer *peers[PEERS_MAX];
    unsigned peer_count;
    struct stream *streams[STREAMS_MAX];
    unsigned stream_count;
};

/* Why something did not come. */
enum stream_result { STREAM_MESSAGE, STREAM_NOTHING, STREAM_CLOSED, STREAM_RESET, STREAM_MALFORMED };

/* peer_open_all begins with none; peer_close_all closes all. */
void peer_open_all(struct peers *peers, struct loop *loop, struct evidence *evidence);
void peer_close_all(struct peers *peers);

/* peer_all_read tells whether nothing is waiting to be read on any stream that is read from. `context` is struct peers.
 */
bool peer_all_read(void *context);

/* peer_new makes a peer that listens at the numeric IPv4 address; NULL and a message when it cannot. */
struct peer *peer_new(struct peers *peers, const char *address, char *message, size_t message_octets);

/* peer_accepted gives the next stream that was opened to the peer and not yet given, or NULL. */
struct stream *peer_accepted(struct peer *peer);

/* peer_connect opens a stream from the peer; stream->connecting is true until that is decided. NULL: too many, or no
 * socket. */
struct stream *peer_connect(struct peer *peer, uint32_t nid, uint32_t pid);

/* stream_hold stops reading, or goes on with it: what comes stays in the network, as with a process that does not
 * listen. */
void stream_hold(struct stream *stream, bool held);

/* stream_send queues octets; false when the stream is over or its limit of 64 MiB reached. */
bool stream_send(struct stream *stream, const void *octets, size_t len);

/* stream_next decodes the message at the front of what has come. STREAM_MESSAGE: header, its octets and those of the
 * data (all there); it stays at the front until stream_take. STREAM_NOTHING: not complete. */
enum stream_result stream_next(struct stream *stream, struct wire_portals_header *header, size_t *header_octets,
                               size_t *data_octets);
void stream_take(struct stream *stream, size_t octets);

/* stream_finish ends our direction (FIN); what the other side still sends is read. stream_close closes the socket,
 * orderly or with a reset (RST). */
void stream_finish(struct stream *stream);
void stream_close(struct stream *stream, bool reset);

/* stream_describe prints a message's fields on one line: "put initiator.nid=127.0.0.1 ... rlength=40". */
void stream_describe(const void *octets, size_t len, char *text, size_t room);

#endif
