/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The memory of the channel checker (wire/impi/check_channel.h): pairs of processes, and messages by source and srqid.
 * Nobody else includes this.
 */
#ifndef WIRE_IMPI_CHECK_REQUESTS_H
#define WIRE_IMPI_CHECK_REQUESTS_H

#include "wire/impi/check_channel_state.h"

/* What has become of a message. */
enum wire_impi_request_state {
    WIRE_IMPI_FREE = 0,
    WIRE_IMPI_WAITING,   /* for its SYNCACK */
    WIRE_IMPI_SENDING,   /* a long one: acknowledged, the rest is to come */
    WIRE_IMPI_SETTLED,   /* acknowledged, and sent to its end */
    WIRE_IMPI_DESTROYED, /* by CANCELYES */
    WIRE_IMPI_OTHER,     /* one that wants no SYNCACK, and is being cancelled */
    WIRE_IMPI_UNSURE,    /* it may have been answered where nobody saw it */
};

/* wire_impi_pair_of - what is known about the packets from `src` to `dest`, which `side` sends; made when it is not
 * there. NULL: no room. */
struct wire_impi_pair *wire_impi_pair_of(struct wire_impi_channel *channel, enum wire_impi_side side,
                                         const struct wire_impi_process *src, const struct wire_impi_process *dest);

/* wire_impi_request_find - the latest message of this pair with this srqid, or NULL. */
struct wire_impi_request *wire_impi_request_find(struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                                                 uint64_t srqid);

/* wire_impi_request_awaiting - the oldest one that waits for its SYNCACK: where several have the same srqid, against
 * the rules, each may be answered; if none waits, the latest, or NULL. */
struct wire_impi_request *wire_impi_request_awaiting(struct wire_impi_channel *channel,
                                                     const struct wire_impi_pair *pair, uint64_t srqid);

/* wire_impi_request_waits - whether a message of this source, to anybody, with this srqid waits for its SYNCACK, for
 * sure; its mark, or 0. */
uint64_t wire_impi_request_waits(struct wire_impi_channel *channel, const struct wire_impi_pair *pair, uint64_t srqid);

/* wire_impi_request_make - a new message of this pair, whose other members are 0. Something older gives way when there
 * is no room; NULL only when there are no requests at all. */
struct wire_impi_request *wire_impi_request_make(struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                                                 uint64_t srqid);

/* wire_impi_request_drop - forgets it. */
void wire_impi_request_drop(struct wire_impi_channel *channel, struct wire_impi_request *request);

#endif
