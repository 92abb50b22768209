/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * gzip by zlib.
 */
#include "web/http/compress.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum { GZIP = 16, WINDOW_BITS = 15, MEMORY_LEVEL = 8 };

/* "gzip", "gzip;q=0.5" take it, "gzip;q=0" does not. */
static bool takes(const char *coding, size_t len)
{
    const char *q = memmem(coding, len, "q=", 2);

    return !q || strtod(q + 2, NULL) > 0;
}

bool compress_is_accepted(const char *accepted)
{
    while (accepted && *accepted) {
        size_t len;

        accepted += strspn(accepted, ", \t");
        len = strcspn(accepted, ",");
        if (strncasecmp(accepted, "gzip", 4) == 0 && strchr("; \t,", accepted[4])) {
            return takes(accepted, len);
        }
        accepted += len;
    }
    return false;
}

char *compress_gzip(const void *octets, size_t len, size_t *compressed_len)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)octets, .avail_in = (uInt)len};
    char *compressed = NULL;

    if (len < 64 || len > UINT32_MAX / 2 ||
        deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS + GZIP, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    compressed = malloc(len);
    if (compressed) {
        stream.next_out = (Bytef *)compressed;
        stream.avail_out = (uInt)len;
        if (deflate(&stream, Z_FINISH) != Z_STREAM_END) {
            free(compressed);
            compressed = NULL;
        }
    }
    *compressed_len = stream.total_out;
    deflateEnd(&stream);
    return compressed;
}
