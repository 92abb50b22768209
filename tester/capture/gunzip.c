/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Unpacking while reading (gunzip.h): a stream over zlib, with a fixed amount of memory. A file may have several
 * members, one behind the other; what is behind the last one is not looked at, as gzip does not.
 */
#include "tester/capture/gunzip.h"

#include "tester/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <zlib.h>

enum { INPUT = 64 << 10, GZIP_ONLY = 16 + MAX_WBITS };

struct gunzip {
    FILE *file;
    z_stream stream;
    bool between, ended; /* members: the next one may begin; there is none */
    unsigned char input[INPUT];
};

bool gunzip_is(const unsigned char *head, size_t len)
{
    return len >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

/* Has as many octets as there are, or at least so many, to look at. */
static bool fill(struct gunzip *gunzip, size_t least)
{
    z_stream *stream = &gunzip->stream;

    if (stream->avail_in >= least) {
        return true;
    }
    memmove(gunzip->input, stream->next_in, stream->avail_in);
    stream->next_in = gunzip->input;
    stream->avail_in +=
        (uInt)fread(gunzip->input + stream->avail_in, 1, sizeof gunzip->input - stream->avail_in, gunzip->file);
    return stream->avail_in >= least;
}

/* Whether another member follows. */
static bool begin_member(struct gunzip *gunzip)
{
    gunzip->between = false;
    gunzip->ended = !fill(gunzip, 2) || !gunzip_is(gunzip->stream.next_in, 2);
    return !gunzip->ended && inflateReset(&gunzip->stream) == Z_OK;
}

static ssize_t on_read(void *cookie, char *octets, size_t len)
{
    struct gunzip *gunzip = cookie;
    z_stream *stream = &gunzip->stream;
    uInt room = len < INPUT ? (uInt)len : INPUT;

    stream->next_out = (Bytef *)octets;
    stream->avail_out = room;
    while (stream->avail_out == room && !gunzip->ended) {
        if (gunzip->between && !begin_member(gunzip)) {
            break;
        }
        int status = fill(gunzip, 1) ? inflate(stream, Z_NO_FLUSH) : Z_BUF_ERROR;
        if (status != Z_OK && status != Z_STREAM_END) {
            errno = ferror(gunzip->file) ? errno : GUNZIP_DAMAGED;
            return stream->avail_out < room ? (ssize_t)(room - stream->avail_out) : -1;
        }
        gunzip->between = status == Z_STREAM_END;
    }
    return (ssize_t)(room - stream->avail_out);
}

static int on_close(void *cookie)
{
    struct gunzip *gunzip = cookie;
    int status = fclose(gunzip->file);

    inflateEnd(&gunzip->stream);
    free(gunzip);
    return status;
}

FILE *gunzip_open(FILE *file, const unsigned char *head, size_t len)
{
    struct gunzip *gunzip = memory_zero(sizeof *gunzip);
    FILE *made = NULL;

    gunzip->file = file;
    memcpy(gunzip->input, head, len);
    gunzip->stream.next_in = gunzip->input;
    gunzip->stream.avail_in = (uInt)len;
    if (inflateInit2(&gunzip->stream, GZIP_ONLY) == Z_OK) {
        made = fopencookie(gunzip, "r", (cookie_io_functions_t){.read = on_read, .close = on_close});
    }
    if (!made) {
        inflateEnd(&gunzip->stream);
        free(gunzip);
        errno = ENOMEM;
    }
    return made;
}
