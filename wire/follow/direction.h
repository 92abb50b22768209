/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a TCP connection: a part of reassembly.c.
 */
#ifndef WIRE_FOLLOW_DIRECTION_H
#define WIRE_FOLLOW_DIRECTION_H

#include "wire/follow/connection.h"

/* What all directions share. */
struct wire_direction_host {
    const struct wire_reassembly_listener *listener;
    const struct wire_memory *memory;
    size_t early_octets; /* of all directions */
};

/* A direction and the packet that concerns it. */
struct wire_direction {
    struct wire_direction_host *host;
    struct wire_reassembly_connection *connection;
    struct wire_reassembly_way *way;
    unsigned side;
    const struct wire_packet *packet;
};

/* wire_direction_acknowledge - takes what a segment of the other side says about this direction. */
void wire_direction_acknowledge(const struct wire_direction *at, const struct wire_segment *segment);

/* wire_direction_take - takes a segment of this direction. */
void wire_direction_take(const struct wire_direction *at, const struct wire_segment *segment);

/* wire_direction_finish - there are no more segments. */
void wire_direction_finish(const struct wire_direction *at);

/* wire_direction_drop - frees what came too early. */
void wire_direction_drop(struct wire_direction_host *host, struct wire_reassembly_way *way);

#endif
