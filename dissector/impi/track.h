/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What belongs together: a client's word and the server's answer; a message, its synchronization acknowledgement and
 * the packets in which it goes on; a cancel request and its reply (IMPI 0.0, 2.3 and 3.7).
 */
#ifndef DISSECTOR_IMPI_TRACK_H
#define DISSECTOR_IMPI_TRACK_H

#include "dissector/impi/pdu.h"

/* impi_track_register - sets up the memory of messages, emptied with every capture file. Once, at start-up. */
void impi_track_register(void);

/* impi_track_startup - first pass: remembers what a client asks, or finds what the server answers. */
void impi_track_startup(struct impi_pdu *pdu);

/* impi_track_packet - first pass: finds the message to which a packet belongs. */
void impi_track_packet(struct impi_pdu *pdu);

/* impi_track_show - every pass: adds the links and the time between what is asked and what answers it. */
void impi_track_show(const struct impi_pdu *pdu);

/* impi_track_asked - when was sent what the message answers, or NULL when it answers nothing in the capture. */
const nstime_t *impi_track_asked(const struct impi_pdu *pdu);

/* impi_track_whole - every pass: puts the long message together to which these `len` octets of data belong. Returns the
 * whole message where this packet completes it, else NULL. Up to `limit` octets. */
tvbuff_t *impi_track_whole(const struct impi_pdu *pdu, uint32_t len, uint64_t limit);

#endif
