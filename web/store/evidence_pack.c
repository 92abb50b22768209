/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * gzip by zlib. A quick level: a run waits while its evidence is packed.
 */
#include "web/store/evidence_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#define MODE "wb3"

enum { PIECE = 64 * 1024 };

/* A packed stream that is written to a copy of the descriptor; NULL: errno says why. */
static gzFile open_packed(int to)
{
    int copy = dup(to);
    gzFile packed = copy >= 0 ? gzdopen(copy, MODE) : NULL;

    if (copy >= 0 && !packed) {
        close(copy);
        errno = ENOMEM;
    }
    return packed;
}

/* Writes the rest; true when that and all before it went well. */
static bool close_packed(gzFile packed, bool good)
{
    int error = errno;
    bool closed = gzclose(packed) == Z_OK;

    if (!good) {
        errno = error;
    }
    return good && closed;
}

bool evidence_pack_octets(const void *octets, size_t len, int to)
{
    gzFile packed = open_packed(to);
    const char *at = octets;
    bool good = true;

    while (packed && good && len > 0) {
        unsigned piece = len < PIECE ? (unsigned)len : PIECE;

        good = gzwrite(packed, at, piece) == (int)piece;
        at += piece;
        len -= piece;
    }
    return packed && close_packed(packed, good);
}

bool evidence_pack_file(int from, int to)
{
    gzFile packed = open_packed(to);
    char *piece = malloc(PIECE);
    ssize_t len = 1;
    bool good = piece != NULL;

    while (packed && good && (len = read(from, piece, PIECE)) > 0) {
        good = gzwrite(packed, piece, (unsigned)len) == (int)len;
    }
    good = good && len == 0;
    free(piece);
    return packed && close_packed(packed, good);
}

char *evidence_unpack(int fd, uint64_t octets)
{
    gzFile packed = gzdopen(fd, "rb");
    char *text = packed && octets < SIZE_MAX ? malloc((size_t)octets + 1) : NULL;
    uint64_t len = 0;
    int got = 1;

    if (!packed) {
        close(fd);
        return NULL;
    }
    while (text && len < octets && got > 0) {
        uint64_t rest = octets - len;

        got = gzread(packed, text + len, rest < PIECE ? (unsigned)rest : PIECE);
        len += got > 0 ? (uint64_t)got : 0;
    }
    if (text && (len < octets || gzgetc(packed) >= 0)) {
        free(text);
        text = NULL;
    }
    gzclose(packed);
    if (text) {
        text[len] = '\0';
    }
    return text;
}
