/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Presences and raw peers for tests; see place.h. The octets are written from specs/portals-wire.md, not by the codec.
 */
#include "tests/reftcp/place.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HELLO_OCTETS = 48, DEADLINE_MS = 60000 };

static void demand(bool good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

void place_begin(struct place *place, uint32_t rank)
{
    place_begin_at(place, rank, 0);
}

void place_begin_at(struct place *place, uint32_t rank, uint32_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    socklen_t len = sizeof address;

    place->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    demand(place->listen_fd >= 0 &&
               setsockopt(place->listen_fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) == 0 &&
               bind(place->listen_fd, (struct sockaddr *)&address, len) == 0 && listen(place->listen_fd, 64) == 0 &&
               getsockname(place->listen_fd, (struct sockaddr *)&address, &len) == 0,
           "listening");
    place->self = (struct wire_portals_id){INADDR_LOOPBACK, ntohs(address.sin_port), PLACE_GROUP, rank};
    place->nal = NULL;
    recorder_begin(&place->core);
    demand(tcp_net_start(place->listen_fd, &place->self, PLACE_GROUP_SIZE, NULL, &place->net), "tcp_net_start");
}

void place_open(struct place *place, uint32_t number)
{
    struct nal_config config = {number, place->self, PLACE_GROUP_SIZE};

    demand(tcp_net_open(place->net, &config, &recorder_upcalls, &place->core, &place->nal) == NAL_OK, "tcp_net_open");
    place->core.nal = place->nal;
}

void place_end(struct place *place)
{
    if (place->nal) {
        nal_close(place->nal);
    }
    tcp_net_stop(place->net);
    close(place->listen_fd);
}

struct wire_portals_header place_header(enum wire_portals_operation operation, const struct wire_portals_id *from,
                                        const struct wire_portals_id *to)
{
    return (struct wire_portals_header){.operation = operation, .initiator = *from, .target = *to, .md = 1};
}

void raw_socket(struct raw *raw, uint32_t rank)
{
    struct timeval patience = {DEADLINE_MS / 1000, 0};

    raw->fd = socket(AF_INET, SOCK_STREAM, 0);
    demand(raw->fd >= 0, "socket");
    (void)setsockopt(raw->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    raw->self = (struct wire_portals_id){INADDR_LOOPBACK, 60000 + rank, PLACE_GROUP, rank};
}

void raw_connect(const struct raw *raw, const struct place *place)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(place->self.nid), .sin_port = htons((uint16_t)place->self.pid)};

    demand(connect(raw->fd, (struct sockaddr *)&address, sizeof address) == 0, "connecting");
}

void raw_call(struct raw *raw, const struct place *place, uint32_t rank)
{
    raw_socket(raw, rank);
    raw_connect(raw, place);
}

bool raw_say(const struct raw *raw, const void *octets, size_t len)
{
    return send(raw->fd, octets, len, MSG_NOSIGNAL) == (ssize_t)len;
}

bool raw_hear(const struct raw *raw, void *octets, size_t len)
{
    return recv(raw->fd, octets, len, MSG_WAITALL) == (ssize_t)len;
}

bool raw_closed(const struct raw *raw)
{
    unsigned char octet;
    struct pollfd fd = {raw->fd, POLLIN, 0};

    return poll(&fd, 1, DEADLINE_MS) == 1 && recv(raw->fd, &octet, 1, MSG_DONTWAIT) <= 0;
}

void raw_end(struct raw *raw)
{
    close(raw->fd);
}

void raw_hello(const struct raw *raw, const struct place *place, uint32_t number)
{
    struct octets hello = {.len = 0};

    octets_u32(&hello, 0x50544c33);
    octets_u16(&hello, 1);
    octets_u16(&hello, 0);
    octets_id(&hello, &raw->self);
    octets_id(&hello, &place->self);
    octets_u32(&hello, number);
    octets_u32(&hello, PLACE_GROUP_SIZE);
    demand(raw_say(raw, hello.at, hello.len), "saying HELLO");
}

bool raw_greet(const struct raw *raw, const struct place *place, uint32_t number)
{
    unsigned char answer[HELLO_OCTETS];

    raw_hello(raw, place, number);
    return raw_hear(raw, answer, sizeof answer);
}

void octets_u16(struct octets *octets, uint16_t value)
{
    octets->at[octets->len++] = (unsigned char)(value >> 8);
    octets->at[octets->len++] = (unsigned char)value;
}

void octets_u32(struct octets *octets, uint32_t value)
{
    octets_u16(octets, (uint16_t)(value >> 16));
    octets_u16(octets, (uint16_t)value);
}

void octets_u64(struct octets *octets, uint64_t value)
{
    octets_u32(octets, (uint32_t)(value >> 32));
    octets_u32(octets, (uint32_t)value);
}

void octets_id(struct octets *octets, const struct wire_portals_id *id)
{
    octets_u32(octets, id->nid);
    octets_u32(octets, id->pid);
    octets_u32(octets, id->gid);
    octets_u32(octets, id->rid);
}

void octets_put(struct octets *octets, uint32_t operation, const struct wire_portals_id *from,
                const struct wire_portals_id *to, uint64_t md, uint64_t length)
{
    octets_u32(octets, operation);
    octets_id(octets, from);
    octets_id(octets, to);
    octets_u32(octets, 4);                  /* portal index */
    octets_u32(octets, 0);                  /* cookie */
    octets_u64(octets, 0x1122334455667788); /* match bits */
    octets_u64(octets, 0);                  /* offset */
    octets_u64(octets, md);
    octets_u64(octets, length);
}

void octets_answer(struct octets *octets, uint32_t operation, const struct wire_portals_id *from,
                   const struct wire_portals_id *to, uint64_t rlength, uint64_t mlength)
{
    octets_u32(octets, operation);
    octets_id(octets, from);
    octets_id(octets, to);
    octets_u32(octets, 4);
    octets_u64(octets, 0x1122334455667788);
    octets_u64(octets, 0);
    octets_u64(octets, 1);
    octets_u64(octets, rlength);
    octets_u64(octets, mlength);
}
