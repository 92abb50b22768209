/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The archive is a list of entries, and a reader that goes through it in three steps for each:
 *
 *     HEAD: local header -> BODY: data, from a file or memory -> TAIL: data descriptor (CRC, lengths)
 *
 * and at the end writes the central directory with what it has learned. CRC and lengths stand behind the data, for they
 * are only known when a file has been read to its end. All numbers are little-endian.
 */
#include "web/api/archive.h"

#include "web/http/compress.h"
#include "web/service/service.h"
#include "web/store/evidence_files.h"
#include "web/store/evidence_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { ENTRIES_MAX = 65000, FIRST_ROOM = 64, PIECE = 64 * 1024 };
enum { GZIP_HEADER = 10, GZIP_TRAILER = 8, LOCAL_HEADER = 30, DESCRIPTOR = 16, CENTRAL_HEADER = 46, END_RECORD = 22 };
enum { METHOD_STORED = 0, METHOD_DEFLATED = 8, FLAGS = 1 << 3 | 1 << 11 /* a descriptor follows; names are UTF-8 */ };
enum { VERSION = 20, DATE = (2026 - 1980) << 9 | 1 << 5 | 1 };

static const uint64_t octets_max = 0xf0000000;

struct entry {
    char *name, *text;    /* text: what is in memory; NULL: a file */
    char *case_id, *kind; /* of evidence */
    size_t begin;         /* of what is in memory: where the data begins */
    uint64_t offset, packed, octets;
    uint32_t crc;
    uint16_t method;
};

enum step { HEAD, BODY, TAIL, DIRECTORY, END };

struct archive {
    const struct service *service;
    char run[SECRET_ID_SIZE];
    char *folder;
    struct entry *entries;
    size_t count, room, at;
    uint64_t planned; /* octets of all data */
    /* while it is sent */
    enum step step;
    uint64_t sent, left; /* octets in all; of the entry's data */
    int fd;
    char *pending; /* of what is neither file nor text: headers */
    size_t pending_len, pending_at, pending_room;
    size_t text_at;
};

struct archive *archive_new(const struct service *service, const char *run, const char *folder)
{
    struct archive *archive = calloc(1, sizeof *archive);

    if (archive) {
        archive->service = service;
        snprintf(archive->run, sizeof archive->run, "%s", run);
        archive->fd = -1;
        archive->folder = strdup(folder);
    }
    if (archive && !archive->folder) {
        free(archive);
        archive = NULL;
    }
    return archive;
}

void archive_free(struct archive *archive)
{
    for (size_t i = 0; i < archive->count; i++) {
        free(archive->entries[i].name);
        free(archive->entries[i].text);
        free(archive->entries[i].case_id);
        free(archive->entries[i].kind);
    }
    if (archive->fd >= 0) {
        close(archive->fd);
    }
    free(archive->entries);
    free(archive->folder);
    free(archive->pending);
    free(archive);
}

static struct entry *add(struct archive *archive, const char *name, uint64_t octets)
{
    struct entry *entry;

    if (archive->count == archive->room) {
        size_t room = archive->room ? 2 * archive->room : FIRST_ROOM;
        struct entry *entries = realloc(archive->entries, room * sizeof *entries);

        if (!entries) {
            return NULL;
        }
        archive->entries = entries;
        archive->room = room;
    }
    archive->planned += octets;
    if (archive->count == ENTRIES_MAX || archive->planned > octets_max) {
        return NULL;
    }
    entry = &archive->entries[archive->count];
    *entry = (struct entry){.octets = octets};
    if (asprintf(&entry->name, "%s/%s", archive->folder, name) < 0) {
        return NULL;
    }
    archive->count++;
    return entry;
}

bool archive_add_text(struct archive *archive, const char *name, char *text)
{
    struct entry *entry = text ? add(archive, name, strlen(text)) : NULL;

    if (!entry) {
        bool nothing = !text;

        free(text);
        return nothing;
    }
    entry->text = text;
    entry->packed = entry->octets;
    entry->crc = (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)entry->octets);
    return true;
}

bool archive_add_evidence(struct archive *archive, const char *name, const char *case_id, const char *kind,
                          uint64_t octets)
{
    struct entry *entry = add(archive, name, octets);

    if (entry) {
        entry->case_id = strdup(case_id);
        entry->kind = strdup(kind);
    }
    return entry && entry->case_id && entry->kind;
}

/* ---- headers ----------------------------------------------------------------------------------------------------- */

static bool reserve(struct archive *archive, size_t octets)
{
    if (archive->pending_len + octets > archive->pending_room) {
        size_t room = 2 * (archive->pending_len + octets);
        char *pending = realloc(archive->pending, room);

        if (!pending) {
            return false;
        }
        archive->pending = pending;
        archive->pending_room = room;
    }
    return true;
}

/* Room for it has been reserved. */
static void put(struct archive *archive, unsigned octets, uint64_t value)
{
    for (unsigned i = 0; i < octets; i++) {
        archive->pending[archive->pending_len++] = (char)(value >> (8 * i) & 0xff);
    }
}

static void put_name(struct archive *archive, const struct entry *entry)
{
    size_t len = strlen(entry->name);

    memcpy(archive->pending + archive->pending_len, entry->name, len);
    archive->pending_len += len;
}

static bool put_local(struct archive *archive, struct entry *entry)
{
    if (!reserve(archive, LOCAL_HEADER + strlen(entry->name))) {
        return false;
    }
    entry->offset = archive->sent;
    put(archive, 4, 0x04034b50);
    put(archive, 2, VERSION);
    put(archive, 2, FLAGS);
    put(archive, 2, entry->method);
    put(archive, 4, (uint64_t)DATE << 16);
    put(archive, 4, 0); /* CRC and lengths: in the descriptor */
    put(archive, 4, 0);
    put(archive, 4, 0);
    put(archive, 2, strlen(entry->name));
    put(archive, 2, 0);
    put_name(archive, entry);
    return true;
}

static bool put_descriptor(struct archive *archive, const struct entry *entry)
{
    if (!reserve(archive, DESCRIPTOR)) {
        return false;
    }
    put(archive, 4, 0x08074b50);
    put(archive, 4, entry->crc);
    put(archive, 4, entry->packed);
    put(archive, 4, entry->octets);
    return true;
}

static bool put_central(struct archive *archive, const struct entry *entry)
{
    if (!reserve(archive, CENTRAL_HEADER + strlen(entry->name))) {
        return false;
    }
    put(archive, 4, 0x02014b50);
    put(archive, 2, 3 << 8 | VERSION); /* made on Unix */
    put(archive, 2, VERSION);
    put(archive, 2, FLAGS);
    put(archive, 2, entry->method);
    put(archive, 4, (uint64_t)DATE << 16);
    put(archive, 4, entry->crc);
    put(archive, 4, entry->packed);
    put(archive, 4, entry->octets);
    put(archive, 2, strlen(entry->name));
    put(archive, 8, 0); /* no extra field, no comment, first disk, no kind of text */
    put(archive, 4, (uint64_t)0100644 << 16);
    put(archive, 4, entry->offset);
    put_name(archive, entry);
    return true;
}

static bool put_directory(struct archive *archive)
{
    uint64_t begin = archive->sent, len;

    for (size_t i = 0; i < archive->count; i++) {
        if (!put_central(archive, &archive->entries[i])) {
            return false;
        }
    }
    len = archive->pending_len;
    if (!reserve(archive, END_RECORD)) {
        return false;
    }
    put(archive, 4, 0x06054b50);
    put(archive, 4, 0); /* disks */
    put(archive, 2, archive->count);
    put(archive, 2, archive->count);
    put(archive, 4, len);
    put(archive, 4, begin);
    put(archive, 2, 0);
    return true;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static uint32_t read_number(const unsigned char *octets)
{
    return octets[0] | (uint32_t)octets[1] << 8 | (uint32_t)octets[2] << 16 | (uint32_t)octets[3] << 24;
}

/* Packs a piece of a bundle as it is wanted. */
static void take_piece(struct entry *entry, char *piece)
{
    size_t len = 0;
    char *packed = compress_gzip(piece, (size_t)entry->octets, &len);

    entry->crc = (uint32_t)crc32(0, (const unsigned char *)piece, (unsigned)entry->octets);
    entry->text = packed ? packed : piece;
    entry->packed = entry->octets;
    if (packed) {
        free(piece);
        entry->begin = GZIP_HEADER;
        entry->packed = len - GZIP_HEADER - GZIP_TRAILER;
        entry->method = METHOD_DEFLATED;
    }
}

/* Opens the entry's file and goes to its data. False: it is not there, or not as the service writes it. */
static bool open_file(struct archive *archive, struct entry *entry, const struct evidence_place *place)
{
    unsigned char octets[GZIP_HEADER];
    uint64_t len;

    archive->fd = evidence_files_read(archive->service->evidence, place->sha256, &len);
    if (archive->fd < 0) {
        return false;
    }
    if (len == 0) { /* not packed: by an earlier version */
        entry->packed = entry->octets;
        return true;
    }
    if (len < GZIP_HEADER + GZIP_TRAILER ||
        pread(archive->fd, octets, GZIP_TRAILER, (off_t)(len - GZIP_TRAILER)) != GZIP_TRAILER) {
        return false;
    }
    entry->crc = read_number(octets);
    if (read_number(octets + 4) != entry->octets || pread(archive->fd, octets, GZIP_HEADER, 0) != GZIP_HEADER ||
        octets[3] != 0 || lseek(archive->fd, GZIP_HEADER, SEEK_SET) < 0) {
        return false;
    }
    entry->packed = len - GZIP_HEADER - GZIP_TRAILER;
    entry->method = METHOD_DEFLATED;
    return true;
}

/* Looks where the evidence lies now: it may have been put into a bundle since the archive was begun, and, between the
 * looks at its row and at its file, again. */
static bool open_evidence(struct archive *archive, struct entry *entry)
{
    const struct service *service = archive->service;
    struct evidence_place place;
    bool found = true, good = false;

    for (unsigned i = 0; found && !good && i < 2; i++) {
        found = evidence_rows_find(service->database, archive->run, entry->case_id, entry->kind, &place, &found) ==
                    DATABASE_OK &&
                found && place.octets == entry->octets;
        if (found && *place.bundle) {
            char *piece = evidence_files_load(service->evidence, &place);

            if (piece) {
                take_piece(entry, piece);
                good = true;
            }
        } else if (found) {
            good = open_file(archive, entry, &place);
        }
    }
    return good;
}

static bool begin(struct archive *archive, struct entry *entry)
{
    bool good = entry->text || open_evidence(archive, entry);

    archive->left = entry->packed;
    archive->text_at = entry->begin;
    return good && put_local(archive, entry);
}

static ssize_t copy_data(struct archive *archive, struct entry *entry, char *buffer, size_t most)
{
    size_t wanted = archive->left < most ? (size_t)archive->left : most;
    ssize_t got = (ssize_t)wanted;

    if (entry->text) {
        memcpy(buffer, entry->text + archive->text_at, wanted);
        archive->text_at += wanted;
    } else {
        got = read(archive->fd, buffer, wanted);
        if (got > 0 && entry->method == METHOD_STORED) {
            entry->crc = (uint32_t)crc32(entry->crc, (const unsigned char *)buffer, (unsigned)got);
        }
    }
    archive->left -= got > 0 ? (uint64_t)got : 0;
    return got;
}

/* Goes to the next step, with what has to be sent first in `pending`. False: it cannot. */
static bool advance(struct archive *archive)
{
    struct entry *entry = archive->at < archive->count ? &archive->entries[archive->at] : NULL;

    archive->pending_len = archive->pending_at = 0;
    switch (archive->step) {
    case HEAD:
        archive->step = entry ? BODY : DIRECTORY;
        return !entry || begin(archive, entry);
    case BODY:
        archive->step = TAIL;
        if (archive->fd >= 0) {
            close(archive->fd);
            archive->fd = -1;
        }
        free(entry->text);
        entry->text = NULL;
        return put_descriptor(archive, entry);
    case TAIL:
        archive->step = HEAD;
        archive->at++;
        return true;
    case DIRECTORY:
        archive->step = END;
        return put_directory(archive);
    case END:
        break;
    }
    return false;
}

static ssize_t read_archive(void *context, uint64_t position, char *buffer, size_t most)
{
    struct archive *archive = context;

    (void)position;
    for (;;) {
        size_t waiting = archive->pending_len - archive->pending_at;
        ssize_t got = 0;

        if (waiting > 0) {
            got = (ssize_t)(waiting < most ? waiting : most);
            memcpy(buffer, archive->pending + archive->pending_at, (size_t)got);
            archive->pending_at += (size_t)got;
        } else if (archive->step == BODY && archive->left > 0) {
            got = copy_data(archive, &archive->entries[archive->at], buffer, most);
            if (got <= 0) {
                return MHD_CONTENT_READER_END_WITH_ERROR;
            }
        } else if (archive->step == END) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        } else if (!advance(archive)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        if (got > 0) {
            archive->sent += (uint64_t)got;
            return got;
        }
    }
}

static void end_archive(void *context)
{
    archive_free(context);
}

void archive_reply(struct request *request, struct archive *archive, const char *download)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE, read_archive, archive, end_archive);

    if (!response) {
        archive_free(archive);
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
        return;
    }
    request_add_type(response, "application/zip", download);
    request_queue(request, MHD_HTTP_OK, response);
}
