/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the streams of scripted peers (stream.h) come from: sockets that listen, and connections that are opened.
 */
#ifndef TESTER_PEERS_PORT_H
#define TESTER_PEERS_PORT_H

#include "tester/peers/stream.h"

#include <stddef.h>
#include <stdint.h>

/* struct port is one listening socket. `opened`, if it is not NULL, hears of a connection before anything of it is
 * captured. */
struct port {
    struct streams *all;
    unsigned index;
    int fd, held_fd; /* which listens, -1 behind port_close; which keeps the port from others then, or -1 */
    struct loop_watch *watch;
    struct sockaddr_in address;
    char label[32];
    void *owner;
    void (*opened)(struct port *port, struct stream *stream);
};

/* port_new listens at the numeric IPv4 address; port 0 takes a free one. NULL and a message when it cannot. */
struct port *port_new(struct streams *streams, const char *address, uint16_t number, const char *label, char *message,
                      size_t message_octets);

/* port_accepted gives the next stream that was opened to the port and not yet given, or NULL. */
struct stream *port_accepted(struct port *port);

/* port_close stops listening; a connection is refused from then on, for nobody else gets the port before
 * port_close_all. What was accepted stays open. */
void port_close(struct port *port);

/* port_close_all ends all ports of the case. */
void port_close_all(struct streams *streams);

/* port_connect opens a stream from the address `from` (INADDR_ANY: the system chooses) with the given label;
 * stream->connecting is true until that is decided. NULL: too many, or no socket. */
struct stream *port_connect(struct streams *streams, struct in_addr from, const struct sockaddr_in *to,
                            const char *label);

#endif
