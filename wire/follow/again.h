/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether a SYN with the number of a connection that has said something is the same SYN again, or opens another
 * connection that chose the same number: a part of reassembly.c. Only what follows it shows that. The same octets come
 * when the connection was captured twice; with the first other one it is another connection, to which all belongs that
 * came since the SYN.
 */
#ifndef WIRE_FOLLOW_AGAIN_H
#define WIRE_FOLLOW_AGAIN_H

#include "wire/follow/connection.h"

/* wire_again_remember - keeps the octets that come next of a direction, of the first ones. */
void wire_again_remember(const struct wire_memory *memory, struct wire_reassembly_way *way, const unsigned char *octets,
                         size_t len);

/* wire_again_is_other - looks at the next segment of a connection; whether it shows that a SYN which came again has
 * opened another one. If so, wire_again_take takes what came since, from the SYN to this segment. */
bool wire_again_is_other(const struct wire_memory *memory, struct wire_reassembly_connection *connection,
                         const struct wire_segment *segment, const struct wire_packet *packet, unsigned side);
struct wire_reassembly_held *wire_again_take(struct wire_reassembly_connection *connection);

/* wire_again_drop - frees all of it. */
void wire_again_drop(const struct wire_memory *memory, struct wire_reassembly_connection *connection);

#endif
