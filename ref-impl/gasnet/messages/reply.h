/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Replies. Each request gets exactly one: the handler's, or one that calls nothing. It goes into the chunk that the
 * request came from, so it needs no credit; what it needs here is in hand (hand.h).
 */
#ifndef REF_IMPL_GASNET_MESSAGES_REPLY_H
#define REF_IMPL_GASNET_MESSAGES_REPLY_H

#include <gasnet.h>

#include "ref-impl/gasnet/messages/invoke.h"
#include "ref-impl/gasnet/messages/message.h"

/* reply_open - makes the descriptor over the reply store, and the queue of two events for data of long replies.
 * reply_request - calls the handler of a request that is all here, and sees that it gets its reply. */
void reply_open(void);
void reply_request(const struct message *message);

#endif
