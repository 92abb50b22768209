/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a TCP segment says of several paths (MPTCP, RFC 8684): each is a TCP connection, and octets of one stream travel
 * now on one, now on another. What a path skips went elsewhere, and is missing to whoever looks at that path.
 */
#ifndef WIRE_FOLLOW_PATH_H
#define WIRE_FOLLOW_PATH_H

#include "wire/follow/segment.h"

/* wire_path_of - what the options of a header of `header` octets at `tcp` say; `data`: octets follow it. */
struct wire_path wire_path_of(const unsigned char *tcp, size_t header, bool data);

#endif
