/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The receive space of requests: buffers in a chain, all with the same bits, which fill up one after the other. One in
 * which no whole chunk has room leaves the list by itself; when its requests have been handled it is linked in again,
 * at the end. Behind all of them is the catch-basin, which takes what finds no room: that must never happen.
 */
#ifndef REF_IMPL_GASNET_MESSAGES_RECEIVE_H
#define REF_IMPL_GASNET_MESSAGES_RECEIVE_H

#include "ref-impl/gasnet/base/poll.h"

/* receive_open - makes so many buffers; `request` is called with each request. */
void receive_open(unsigned chunks_in_buffer, void (*request)(const ptl_event_t *event));

#endif
