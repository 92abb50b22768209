/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending a short message from a call that waits for it anyway: without a request.
 */
#ifndef REF_IMPL_MPI_LOCAL_NOW_H
#define REF_IMPL_MPI_LOCAL_NOW_H

#include <stdbool.h>
#include <stddef.h>

struct request_match;

/* local_send_now - `send_now` of messages/device.h. */
bool local_send_now(const struct request_match *match, const void *octets, size_t length);

#endif
