/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Capture files (read.h): opening either kind, and the records of pcap. The blocks of pcapng are in
 * read_pcapng.c.
 */
#include "tester/capture/read.h"

#include "tester/base/memory.h"
#include "tester/capture/gunzip.h"
#include "tester/capture/read_pcapng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 24, RECORD = 16, VERSION = 2 }; /* major; minor ones are read alike */

/* The first four octets tell format, byte order and unit of time. */
static bool take_magic(struct capture *capture, const unsigned char *at)
{
    static const struct {
        unsigned char magic[4];
        bool pcapng, swapped, nanoseconds;
    } kinds[] = {
        {{0x0a, 0x0d, 0x0d, 0x0a}, true, false, false},  {{0xa1, 0xb2, 0xc3, 0xd4}, false, true, false},
        {{0xd4, 0xc3, 0xb2, 0xa1}, false, false, false}, {{0xa1, 0xb2, 0x3c, 0x4d}, false, true, true},
        {{0x4d, 0x3c, 0xb2, 0xa1}, false, false, true},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (memcmp(at, kinds[i].magic, 4) == 0) {
            capture->pcapng = kinds[i].pcapng;
            capture->swapped = kinds[i].swapped;
            capture->nanoseconds = kinds[i].nanoseconds;
            return true;
        }
    }
    return false;
}

/* pcap: the rest of the head says the link type. pcapng: the head is a block, which is read again as such. */
static bool take_head(struct capture *capture, char *message, size_t message_octets)
{
    unsigned char head[HEAD];

    size_t got = capture_read(capture, head, 4);
    if (ferror(capture->file)) {
        snprintf(message, message_octets, "cannot be read: %s", capture_reason());
        return false;
    }
    if (got != 4 || !take_magic(capture, head)) {
        got += capture_read(capture, head + got, HEAD - got);
        capture_alien(head, got, message, message_octets);
        return false;
    }
    if (capture->pcapng) {
        memcpy(capture->ahead, head, sizeof capture->ahead); /* not every file can be rewound */
        capture->ahead_count = sizeof capture->ahead;
        capture->offset = 0;
        return true;
    }
    if (capture_read(capture, head + 4, HEAD - 4) != HEAD - 4) {
        snprintf(message, message_octets, "ends inside its head of %d octets", HEAD);
        return false;
    }
    if (capture_u16(capture, head + 4) != VERSION) {
        snprintf(message, message_octets, "is a pcap file of version %u, of which nothing is known",
                 capture_u16(capture, head + 4));
        return false;
    }
    capture->link = capture_u32(capture, head + 20) & 0xffff; /* above: whether frames end with a checksum */
    return true;
}

/* Looks at the first octets, and unpacks the file where gzip has packed it. */
static bool look(struct capture *capture)
{
    unsigned char head[sizeof capture->ahead];
    size_t got = fread(head, 1, sizeof head, capture->file);

    if (gunzip_is(head, got)) {
        FILE *unpacked = gunzip_open(capture->file, head, got);

        capture->file = unpacked ? unpacked : capture->file;
        return unpacked != NULL;
    }
    memcpy(capture->ahead + sizeof capture->ahead - got, head, got);
    capture->ahead_count = got;
    return true;
}

static struct capture *begin(FILE *file, char *message, size_t message_octets)
{
    if (!file) {
        snprintf(message, message_octets, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    struct capture *capture = memory_zero(sizeof *capture);
    capture->file = file;
    if (!look(capture)) {
        snprintf(message, message_octets, "cannot be unpacked: %s", strerror(errno));
        capture_close(capture);
        return NULL;
    }
    if (!take_head(capture, message, message_octets)) {
        capture_close(capture);
        return NULL;
    }
    return capture;
}

struct capture *capture_open(const char *path, char *message, size_t message_octets)
{
    bool input = strcmp(path, "-") == 0;

    return begin(input ? fdopen(dup(STDIN_FILENO), "rb") : fopen(path, "rbe"), message, message_octets);
}

struct capture *capture_open_octets(const void *octets, size_t len, char *message, size_t message_octets)
{
    return begin(fmemopen((void *)(uintptr_t)octets, len, "rb"), message, message_octets); /* it is only read */
}

void capture_close(struct capture *capture)
{
    if (capture) {
        fclose(capture->file);
        free(capture->block);
        free(capture->interfaces);
        free(capture);
    }
}

static enum capture_result pcap_next(struct capture *capture, struct capture_packet *packet, char *message,
                                     size_t message_octets)
{
    unsigned char record[RECORD];
    size_t got = capture_read(capture, record, sizeof record);

    if (got == 0 && !ferror(capture->file)) {
        return CAPTURE_END;
    }
    if (got < sizeof record) {
        return capture_fail(capture, message, message_octets, "the file is cut off inside a record");
    }
    size_t len = capture_u32(capture, record + 8);
    if (len > CAPTURE_PACKET_MAX) {
        return capture_fail(capture, message, message_octets, "a packet of more than 256 KiB: the file is damaged");
    }
    capture_room(capture, len);
    if (capture_read(capture, capture->block, len) != len) {
        return capture_fail(capture, message, message_octets, "the file is cut off inside a packet");
    }
    *packet = (struct capture_packet){
        .number = ++capture->packets,
        .when_ns = (int64_t)capture_u32(capture, record) * 1000000000 +
                   (int64_t)capture_u32(capture, record + 4) * (capture->nanoseconds ? 1 : 1000),
        .link = capture->link,
        .octets = capture->block,
        .len = len,
        .wire_len = capture_u32(capture, record + 12),
    };
    return CAPTURE_PACKET;
}

enum capture_result capture_next(struct capture *capture, struct capture_packet *packet, char *message,
                                 size_t message_octets)
{
    return capture->pcapng ? capture_pcapng_next(capture, packet, message, message_octets)
                           : pcap_next(capture, packet, message, message_octets);
}
