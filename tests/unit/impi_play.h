/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Conversations of two IMPI hosts written down as text, for tests of the checker of channels: each line is a packet,
 * behind an exclamation mark stands what must be found in it, behind a question mark what must be noted. The job has
 * two clients of one host each: processes 0 and 1 on host 0, which accepts, 2 and 3 on host 1, which connects; 10
 * octets a packet, ackmark 2, hiwater 3, tags to 32767.
 *
 *     c DATASYNC 2>0 s7 l5/5 ! tag-range      connector (a: acceptor), type, source > destination, fields, findings
 *     c end, c end inside, c rank 1, c broken, c gone, c missed
 *
 * Fields: s srqid, d drqid, l pk_len/pk_msglen, t tag, c cid, v reserved, r lsrank (else the source's rank in the
 * world), = the first octets of data.
 */
#ifndef TESTS_UNIT_IMPI_PLAY_H
#define TESTS_UNIT_IMPI_PLAY_H

#include "wire/impi/check_channel.h"
#include "wire/impi/check_job.h"

enum { PLAY_PAIRS = 64, PLAY_REQUESTS = 16 };

extern struct wire_impi_job play_job;
extern struct wire_impi_pair play_pairs[PLAY_PAIRS];
extern struct wire_impi_request play_requests[PLAY_REQUESTS];
extern const struct wire_impi_limits play_limits;

/* play_make_job makes play_job. */
void play_make_job(void);

/* play_begin begins with a channel of play_job. */
void play_begin(struct wire_impi_channel *channel);

/* play_lines has the lines judged, to the NULL behind them; notes are compared when `notes` is set. */
void play_lines(struct wire_impi_channel *channel, bool notes, const char *const *lines);

#endif
