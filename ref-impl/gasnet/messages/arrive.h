/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What comes of active messages: requests into the receive space, replies into the chunk of their request, the data of
 * long ones into the segment.
 */
#ifndef REF_IMPL_GASNET_MESSAGES_ARRIVE_H
#define REF_IMPL_GASNET_MESSAGES_ARRIVE_H

#include "ref-impl/gasnet/base/poll.h"

/* arrive_request - a request has come into the receive space. */
void arrive_request(const ptl_event_t *event);

/* arrive_messages - takes the events of the request store: requests have left, replies have come.
 * arrive_request_data, arrive_reply_data - take the events of data of long requests, of long replies. */
const struct poll_sink *arrive_messages(void);
const struct poll_sink *arrive_request_data(void);
const struct poll_sink *arrive_reply_data(void);

#endif
