/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Places for tests of the TCP network: whole presences on it, several of them in one process, and raw peers that say
 * octets written by hand.
 */
#ifndef TESTS_REFTCP_PLACE_H
#define TESTS_REFTCP_PLACE_H

#include "ref-impl/nal/tcp/tcp.h"
#include "tests/reftcp/recorder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLACE_GROUP = 7, PLACE_GROUP_SIZE = 4 };

/* struct place is one presence with one interface, whose core is a recorder. */
struct place {
    int listen_fd;
    struct wire_portals_id self;
    struct tcp_net *net;
    struct nal *nal;
    struct recorder core;
};

/* place_begin - starts presence `rank` without an interface.
 * place_begin_at - starts it at a port of the caller's choice.
 * place_open - opens interface `number`.
 * place_end - closes what is open. A failure to begin ends the test program. */
void place_begin(struct place *place, uint32_t rank);
void place_begin_at(struct place *place, uint32_t rank, uint32_t port);
void place_open(struct place *place, uint32_t number);
void place_end(struct place *place);

/* place_header - a header from one place to another. */
struct wire_portals_header place_header(enum wire_portals_operation operation, const struct wire_portals_id *from,
                                        const struct wire_portals_id *to);

/* struct raw is a peer that is nothing but a socket and an id. */
struct raw {
    int fd;
    struct wire_portals_id self;
};

/* raw_call - connects to a place as a process of rank `rank` whose own port is made up.
 * raw_say - sends octets, false when the other side is gone.
 * raw_hear - receives exactly `len` octets, false at the end of the stream or after a deadline.
 * raw_closed - whether the stream ends now, or before a deadline, without any further octet.
 * raw_end - closes it. */
void raw_call(struct raw *raw, const struct place *place, uint32_t rank);
bool raw_say(const struct raw *raw, const void *octets, size_t len);
bool raw_hear(const struct raw *raw, void *octets, size_t len);
bool raw_closed(const struct raw *raw);
void raw_end(struct raw *raw);

/* raw_socket, raw_connect - the two halves of raw_call. */
void raw_socket(struct raw *raw, uint32_t rank);
void raw_connect(const struct raw *raw, const struct place *place);

/* raw_hello - sends the HELLO for interface `number`, written octet by octet as the binding says.
 * raw_greet - sends it and takes the answer; false when none comes. */
void raw_hello(const struct raw *raw, const struct place *place, uint32_t number);
bool raw_greet(const struct raw *raw, const struct place *place, uint32_t number);

/* struct octets is a message put together by hand, field after field. */
struct octets {
    unsigned char at[256];
    size_t len;
};

/* octets_u16, octets_u32, octets_u64, octets_id - append a number, network byte order, or the ids of a process. */
void octets_u16(struct octets *octets, uint16_t value);
void octets_u32(struct octets *octets, uint32_t value);
void octets_u64(struct octets *octets, uint64_t value);
void octets_id(struct octets *octets, const struct wire_portals_id *id);

/* octets_put, octets_answer - a PUT or GET, an ACK or REPLY header (76 and 80 octets). */
void octets_put(struct octets *octets, uint32_t operation, const struct wire_portals_id *from,
                const struct wire_portals_id *to, uint64_t md, uint64_t length);
void octets_answer(struct octets *octets, uint32_t operation, const struct wire_portals_id *from,
                   const struct wire_portals_id *to, uint64_t rlength, uint64_t mlength);

#endif
