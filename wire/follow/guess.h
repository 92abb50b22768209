/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What octets of a connection look like of which nobody has told what it is: a part of wire/follow/examine_impi.c.
 */
#ifndef WIRE_FOLLOW_GUESS_H
#define WIRE_FOLLOW_GUESS_H

#include "wire/follow/segment.h"
#include "wire/impi/packet.h"

/* wire_guess_host_of - an end's address as a host identifier, in WIRE_IMPI_HOST_OCTETS octets. */
void wire_guess_host_of(const struct wire_end *end, unsigned char *id);

/* wire_guess_packet_of - what a header says but for its type, which may be one that does not exist. */
struct wire_impi_packet wire_guess_packet_of(const unsigned char *octets);

/* wire_guess_is_packet - whether these WIRE_IMPI_PACKET_OCTETS octets look like a packet of IMPI whose processes have
 * addresses. wire_guess_is_between: and the addresses are those of who sends and who receives. */
bool wire_guess_is_packet(const unsigned char *octets);
bool wire_guess_is_between(const unsigned char *octets, const struct wire_end *from, const struct wire_end *to);

#endif
