/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * zstd with a window as long as a bundle. Whoever reads one piece often reads its neighbours next (a page of a case, an
 * archive, a judgement of all that is stored), so the last bundles stay unpacked.
 */
#include "web/store/evidence_bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { LEVEL = 9, WINDOW_BITS = 23, SLOTS = 4 };

/* One bundle, unpacked. */
struct slot {
    char sha256[EVIDENCE_FILE_DIGEST];
    char *octets;
    uint64_t len, used; /* when it was used last: the count of that */
};

struct evidence_bundles {
    pthread_mutex_t lock; /* guards what follows */
    struct slot slots[SLOTS];
    uint64_t uses;
};

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static bool write_all(int to, const char *octets, size_t len)
{
    while (len > 0) {
        ssize_t done = write(to, octets, len);

        if (done <= 0) {
            return false;
        }
        octets += done;
        len -= (size_t)done;
    }
    return true;
}

bool evidence_bundle_pack(const void *octets, size_t len, int to)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t room = ZSTD_compressBound(len), packed_len = 0;
    char *packed = malloc(room);
    bool good = context && packed;

    if (good) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_BITS);
        ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        packed_len = ZSTD_compress2(context, packed, room, octets, len);
        good = !ZSTD_isError(packed_len);
    }
    ZSTD_freeCCtx(context);
    if (!good) {
        errno = ENOMEM;
    }
    good = good && write_all(to, packed, packed_len);
    free(packed);
    return good;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct evidence_bundles *evidence_bundles_new(void)
{
    struct evidence_bundles *bundles = calloc(1, sizeof *bundles);

    if (bundles) {
        pthread_mutex_init(&bundles->lock, NULL);
    }
    return bundles;
}

void evidence_bundles_free(struct evidence_bundles *bundles)
{
    if (bundles) {
        for (size_t i = 0; i < SLOTS; i++) {
            free(bundles->slots[i].octets);
        }
        pthread_mutex_destroy(&bundles->lock);
        free(bundles);
    }
}

/* All of a file, which is no longer than a packed bundle may be. */
static char *read_file(const char *path, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *octets = NULL;

    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0 &&
        (uint64_t)status.st_size <= ZSTD_compressBound(EVIDENCE_BUNDLE_OCTETS)) {
        *len = (size_t)status.st_size;
        octets = malloc(*len);
    }
    if (octets && read(fd, octets, *len) != (ssize_t)*len) {
        free(octets);
        octets = NULL;
    }
    if (fd >= 0) {
        close(fd);
    }
    return octets;
}

static char *unpack(const char *path, uint64_t octets)
{
    size_t packed_len = 0;
    char *packed = octets <= EVIDENCE_BUNDLE_OCTETS ? read_file(path, &packed_len) : NULL;
    char *unpacked = packed ? malloc((size_t)octets + 1) : NULL;

    if (unpacked && ZSTD_decompress(unpacked, (size_t)octets, packed, packed_len) != octets) {
        free(unpacked);
        unpacked = NULL;
    }
    free(packed);
    return unpacked;
}

/* The slot that has the bundle, or gets it in the place of the one that was used the longest ago; NULL: it cannot be
 * read. Under the lock. */
static struct slot *find_slot(struct evidence_bundles *bundles, const struct evidence_place *place, const char *path)
{
    struct slot *slot = &bundles->slots[0];
    char *octets;

    for (size_t i = 0; i < SLOTS; i++) {
        if (strcmp(bundles->slots[i].sha256, place->bundle) == 0) {
            return &bundles->slots[i];
        }
        if (bundles->slots[i].used < slot->used) {
            slot = &bundles->slots[i];
        }
    }
    octets = unpack(path, place->bundle_octets);
    if (!octets) {
        return NULL;
    }
    free(slot->octets);
    *slot = (struct slot){.octets = octets, .len = place->bundle_octets};
    snprintf(slot->sha256, sizeof slot->sha256, "%s", place->bundle);
    return slot;
}

char *evidence_bundles_piece(struct evidence_bundles *bundles, const struct evidence_place *place, const char *path)
{
    struct slot *slot;
    char *piece = NULL;

    pthread_mutex_lock(&bundles->lock);
    slot = find_slot(bundles, place, path);
    if (slot && place->octets <= slot->len && place->at <= slot->len - place->octets) {
        slot->used = ++bundles->uses;
        piece = malloc((size_t)place->octets + 1);
    }
    if (piece) {
        memcpy(piece, slot->octets + place->at, (size_t)place->octets);
        piece[place->octets] = '\0';
    }
    pthread_mutex_unlock(&bundles->lock);
    return piece;
}
