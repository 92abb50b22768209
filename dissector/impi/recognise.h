/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What a TCP connection is to IMPI, and where its messages begin. A connection is recognised by its first octets, or by
 * the port at which it arrives when the start-up of the job was seen.
 */
#ifndef DISSECTOR_IMPI_RECOGNISE_H
#define DISSECTOR_IMPI_RECOGNISE_H

#include "dissector/impi/stream.h"

/* impi_recognise - says what the connection is, from a segment, if it is not yet known; false when that cannot be
 * told for certain. */
bool impi_recognise(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo);

/* impi_recognise_as_told - takes a connection for a channel, since the user says that it is IMPI, when it begins with
 * what can be a host's rank. */
void impi_recognise_as_told(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo);

/* impi_recognise_start - as way_start_of, and judges whether a message begins at the start of the segment. `rank`: the
 * rank that opens a channel is what begins there. */
struct way_start impi_recognise_start(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo,
                                      const struct tcpinfo *tcp, bool *rank);

/* impi_recognise_code - whether the octets begin with a command's code. */
bool impi_recognise_code(tvbuff_t *tvb, int offset);

#endif
