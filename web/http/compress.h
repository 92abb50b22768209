/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Answers in the content coding gzip.
 */
#ifndef WEB_HTTP_COMPRESS_H
#define WEB_HTTP_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

/* compress_is_accepted tells whether the header Accept-Encoding, or NULL, takes gzip. */
bool compress_is_accepted(const char *accepted);

/* compress_gzip gives the octets compressed, which the caller frees. NULL: no memory, or they would not be fewer. */
char *compress_gzip(const void *octets, size_t len, size_t *compressed_len);

#endif
