/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Long messages that are not packed come as two, in any order: the message and its data. Who comes first waits here for
 * the other; both have the same number, which their sender gave.
 */
#ifndef REF_IMPL_GASNET_MESSAGES_JOINS_H
#define REF_IMPL_GASNET_MESSAGES_JOINS_H

#include <stdbool.h>

#include "ref-impl/gasnet/messages/message.h"

/* joins_message - the message of a long one has come: true when its data is here already.
 * joins_data - data has come, of a request or a reply: true when its message is here; then *message is that. */
bool joins_message(const struct message *message);
bool joins_data(uint32_t node, bool request, uint32_t number, struct message *message);

#endif
