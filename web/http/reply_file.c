/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Evidence. Files lie packed on the disk: sent as they are to who takes gzip, else unpacked on the way. What was in a
 * bundle comes unpacked, in memory.
 */
#include "web/http/compress.h"
#include "web/http/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 64 * 1024 };

static ssize_t read_unpacked(void *context, uint64_t position, char *buffer, size_t room)
{
    int got = gzread(context, buffer, room < PIECE ? (unsigned)room : PIECE);

    (void)position;
    return got > 0 ? got : MHD_CONTENT_READER_END_WITH_ERROR; /* the library stops by itself at the end */
}

static void close_unpacked(void *context)
{
    gzclose(context);
}

static void give_up(const struct request_file *file)
{
    free(file->octets);
    if (!file->octets) {
        close(file->fd);
    }
}

/* The whole file in the form that was chosen; NULL and the descriptor closed when memory ends. */
static struct MHD_Response *respond(const struct request_file *file, bool packed)
{
    struct MHD_Response *response = NULL;
    gzFile unpacked;

    if (packed || file->packed_len == 0) {
        response = MHD_create_response_from_fd64(packed ? file->packed_len : file->len, file->fd);
        if (!response) {
            close(file->fd);
        }
        return response;
    }
    unpacked = gzdopen(file->fd, "rb");
    if (unpacked) {
        response = MHD_create_response_from_callback(file->len, PIECE, read_unpacked, unpacked, close_unpacked);
    }
    if (!response && unpacked) {
        gzclose(unpacked);
    } else if (!unpacked) {
        close(file->fd);
    }
    return response;
}

/* Packs octets in memory for who takes that; they stay as they are where it does not make them fewer. */
static bool pack_octets(struct request_file *file)
{
    size_t len = 0;
    char *packed = compress_gzip(file->octets, file->len, &len);

    if (packed) {
        free(file->octets);
        file->octets = packed;
        file->packed_len = len;
    }
    return packed != NULL;
}

static struct MHD_Response *respond_octets(const struct request_file *file, bool packed)
{
    size_t len = (size_t)(packed ? file->packed_len : file->len);
    struct MHD_Response *response = MHD_create_response_from_buffer(len, file->octets, MHD_RESPMEM_MUST_FREE);

    if (!response) {
        free(file->octets);
    }
    return response;
}

void request_reply_file(struct request *request, struct request_file *file)
{
    bool accepted = compress_is_accepted(request_header(request, "Accept-Encoding"));
    bool packed = accepted && (file->octets ? pack_octets(file) : file->packed_len > 0);
    const char *known = request_header(request, "If-None-Match");
    struct MHD_Response *response;
    char quoted[80];
    bool same;

    snprintf(quoted, sizeof quoted, "\"%s%s\"", file->tag, packed ? "-gzip" : "");
    same = known && strstr(known, quoted);
    if (same) {
        give_up(file);
        response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    } else {
        response = file->octets ? respond_octets(file, packed) : respond(file, packed);
    }
    if (response) {
        request_add_type(response, file->type, file->download);
        MHD_add_response_header(response, "ETag", quoted);
        MHD_add_response_header(response, "Vary", "Accept-Encoding");
        if (packed) {
            MHD_add_response_header(response, "Content-Encoding", "gzip");
        }
        /* It never changes, but whether the account may still see it is asked again. */
        MHD_add_response_header(response, "Cache-Control", "private, no-cache");
    }
    request->octets = same ? 0 : (int64_t)(packed ? file->packed_len : file->len);
    request_queue(request, same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}
