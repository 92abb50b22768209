/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One capture of many; see trace.h. Of each process's file its one interface is kept, and every packet with that
 * interface's new number. A file that a crash has cut off is read up to its last whole block. Numbers are as this
 * machine holds them, for the processes ran here.
 */
#include "ref-impl/launch/trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where things stand in a block of a pcapng file, in words of four octets. */
enum {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 6,
    WORD_TYPE = 0,
    WORD_LENGTH = 1,
    WORD_INTERFACE = 2,
    WORD_TIME_HIGH = 3,
    WORD_TIME_LOW = 4,
    WORDS_LEAST = 3,
    WORDS_OF_PACKET = 8,
};

/* struct part is the file of one process, in memory while it is gathered. */
struct part {
    const unsigned char *at;
    size_t len;
};

struct packet {
    uint64_t time;
    const unsigned char *at;
    uint32_t len;
    uint32_t part;
};

struct gathering {
    struct part *parts;
    uint32_t part_count;
    struct packet *packets;
    size_t packet_count, packet_room;
    FILE *out;
};

static uint32_t word(const unsigned char *block, size_t index)
{
    uint32_t value = 0;

    memcpy(&value, block + index * sizeof value, sizeof value);
    return value;
}

/* The whole block at `at`, of `left` octets; 0: none is there. */
static uint32_t block_octets(const unsigned char *at, size_t left)
{
    uint32_t len = left >= WORDS_LEAST * sizeof len ? word(at, WORD_LENGTH) : 0;

    return len >= WORDS_LEAST * sizeof len && len % sizeof len == 0 && len <= left ? len : 0;
}

static bool packet_add(struct gathering *gathering, const unsigned char *at, uint32_t len)
{
    if (len < WORDS_OF_PACKET * sizeof len) {
        return true;
    }
    if (gathering->packet_count == gathering->packet_room) {
        size_t room = gathering->packet_room ? 2 * gathering->packet_room : 1024;
        struct packet *packets = reallocarray(gathering->packets, room, sizeof *packets);
        if (!packets) {
            return false;
        }
        gathering->packets = packets;
        gathering->packet_room = room;
    }
    gathering->packets[gathering->packet_count++] = (struct packet){
        (uint64_t)word(at, WORD_TIME_HIGH) << 32 | word(at, WORD_TIME_LOW), at, len, gathering->part_count - 1};
    return true;
}

/* Writes its interface and notes its packets. */
static bool part_read(struct gathering *gathering)
{
    const struct part *part = &gathering->parts[gathering->part_count - 1];
    bool good = true;

    for (size_t at = 0, len; good && (len = block_octets(part->at + at, part->len - at)) > 0; at += len) {
        uint32_t type = word(part->at + at, WORD_TYPE);

        if (type == BLOCK_PACKET) {
            good = packet_add(gathering, part->at + at, (uint32_t)len);
        } else if (type == BLOCK_INTERFACE) {
            good = fwrite(part->at + at, len, 1, gathering->out) == 1;
        }
    }
    return good;
}

static bool part_open(struct gathering *gathering, int folder, const char *name)
{
    struct stat status;
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool good = fd >= 0 && fstat(fd, &status) == 0;

    if (good && status.st_size > 0) {
        void *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        struct part *parts =
            reallocarray(gathering->parts, gathering->part_count + (size_t)1, sizeof *gathering->parts);
        good = at != MAP_FAILED && parts;
        gathering->parts = parts ? parts : gathering->parts;
        if (good) {
            gathering->parts[gathering->part_count++] = (struct part){at, (size_t)status.st_size};
            good = part_read(gathering);
        } else if (at != MAP_FAILED) {
            munmap(at, (size_t)status.st_size);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* By time; at the same time as the processes' files follow each other, and within one of them as they stand there. */
static int packet_compare(const void *left, const void *right)
{
    const struct packet *a = left;
    const struct packet *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->part != b->part ? (a->part < b->part ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

static bool packets_write(struct gathering *gathering)
{
    bool good = true;

    if (gathering->packet_count > 0) {
        qsort(gathering->packets, gathering->packet_count, sizeof *gathering->packets, packet_compare);
    }
    for (size_t i = 0; good && i < gathering->packet_count; i++) {
        const struct packet *packet = &gathering->packets[i];
        size_t before = WORD_INTERFACE * sizeof packet->part;
        size_t behind = before + sizeof packet->part;

        good = fwrite(packet->at, before, 1, gathering->out) == 1 &&
               fwrite(&packet->part, sizeof packet->part, 1, gathering->out) == 1 &&
               fwrite(packet->at + behind, packet->len - behind, 1, gathering->out) == 1;
    }
    return good && fflush(gathering->out) == 0;
}

static bool head_write(FILE *out)
{
    static const uint32_t section[7] = {0x0a0d0d0a, sizeof section, 0x1a2b3c4d,    1,
                                        UINT32_MAX, UINT32_MAX,     sizeof section};

    return fwrite(section, sizeof section, 1, out) == 1; /* version 1.0, of a length that is not told */
}

/* Calls `do_with` for each file of the folder, in the order of their names, until it fails. */
static bool folder_walk(const char *path, struct gathering *gathering,
                        bool (*do_with)(struct gathering *gathering, int folder, const char *name))
{
    struct dirent **entries = NULL;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int count = folder >= 0 ? scandirat(folder, ".", &entries, NULL, versionsort) : -1;
    bool good = count >= 0;

    for (int i = 0; i < count; i++) {
        good = good && (entries[i]->d_name[0] == '.' || do_with(gathering, folder, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    if (folder >= 0) {
        int error = errno;
        close(folder);
        errno = error;
    }
    return good;
}

static bool part_remove(struct gathering *gathering, int folder, const char *name)
{
    (void)gathering;
    return unlinkat(folder, name, 0) == 0;
}

static bool gather(const struct job_trace *trace)
{
    struct gathering gathering = {.out = fdopen(trace->fd, "w")};
    bool good = gathering.out && head_write(gathering.out) && folder_walk(trace->folder, &gathering, part_open) &&
                packets_write(&gathering);
    int error = errno;

    for (uint32_t i = 0; i < gathering.part_count; i++) {
        munmap((void *)gathering.parts[i].at, gathering.parts[i].len);
    }
    free(gathering.parts);
    free(gathering.packets);
    if (gathering.out) {
        good = fclose(gathering.out) == 0 && good;
    } else {
        close(trace->fd);
    }
    errno = error;
    return good;
}

bool job_trace_begin(struct job_trace *trace, const char *path)
{
    char *absolute = NULL; /* the processes may change their directories before they join */

    trace->path = path;
    trace->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (trace->fd >= 0) {
        absolute = realpath(path, NULL);
    }
    if (absolute && asprintf(&trace->folder, "%s.XXXXXX", absolute) < 0) {
        trace->folder = NULL;
    }
    free(absolute);
    if (trace->folder && mkdtemp(trace->folder) && setenv("ASSAY_TRACE", trace->folder, 1) == 0) {
        return true;
    }
    fprintf(stderr, "portalsrun: cannot write the trace %s: %s\n", path, strerror(errno));
    free(trace->folder);
    trace->folder = NULL;
    return false;
}

bool job_trace_end(struct job_trace *trace)
{
    if (!trace->folder) {
        return true;
    }
    bool good = gather(trace);
    if (good) {
        good = folder_walk(trace->folder, NULL, part_remove) && rmdir(trace->folder) == 0;
    }
    if (!good) {
        fprintf(stderr, "portalsrun: cannot gather the trace %s: %s; what each process wrote is in %s\n", trace->path,
                strerror(errno), trace->folder);
    }
    free(trace->folder);
    trace->folder = NULL;
    return good;
}
