/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What peer.c needs of stream.c beside what peer.h declares.
 */
#ifndef TESTER_STREAM_H
#define TESTER_STREAM_H

#include "tester/peer.h"

/* stream_watch begins to read, write and finish connecting in the loop. */
void stream_watch(struct stream *stream);

#endif
