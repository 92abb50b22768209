/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The pcapng writer; see pcapng.h. Blocks are put together in one place and leave with one system call. The format lets
 * the writer choose the byte order; a magic number tells it, so numbers are written as this machine holds them.
 */
#include "ref-impl/nal/wrap/trace/pcapng.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCK_SECTION = 0x0a0d0d0a,
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 6,
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    OPTION_NAME = 2,        /* of an interface */
    OPTION_APPLICATION = 4, /* of a section */
    OPTION_RESOLUTION = 9,  /* of an interface's time stamps */
    LINK_ETHERNET = 1,
    NANOSECONDS = 9,
    BLOCK_OCTETS = 1024, /* of a block without its packet; texts are cut so that they fit */
    TEXT_OCTETS = 400,
};

struct pcapng {
    int fd;
    off_t end; /* where the last whole block ends */
};

/* struct block is the part of a block that is put together here. */
struct block {
    size_t len;
    unsigned char at[BLOCK_OCTETS];
};

static void block_append(struct block *block, const void *octets, size_t len)
{
    memcpy(block->at + block->len, octets, len);
    block->len += len;
}

static void block_u16(struct block *block, uint16_t value)
{
    block_append(block, &value, sizeof value);
}

static void block_u32(struct block *block, uint32_t value)
{
    block_append(block, &value, sizeof value);
}

static size_t padding(size_t len)
{
    return (4 - len % 4) % 4;
}

static void block_option(struct block *block, uint16_t code, const void *value, size_t len)
{
    static const unsigned char zeros[4];

    block_u16(block, code);
    block_u16(block, (uint16_t)len);
    block_append(block, value, len);
    block_append(block, zeros, padding(len));
}

static void block_text(struct block *block, uint16_t code, const char *text)
{
    size_t len = strnlen(text, TEXT_OCTETS);

    block_option(block, code, text, len);
}

/* Ends the block: total length behind it, and in its second word. */
static void block_end(struct block *block)
{
    uint32_t total = (uint32_t)block->len + 4;

    block_u32(block, total);
    memcpy(block->at + 4, &total, sizeof total);
}

/* Writes all parts, or none: what is half there is taken away again. */
static bool parts_write(struct pcapng *capture, struct iovec *parts, int count)
{
    size_t total = 0;

    for (int i = 0; i < count; i++) {
        total += parts[i].iov_len;
    }
    ssize_t written;
    do {
        written = pwritev(capture->fd, parts, count, capture->end);
    } while (written < 0 && errno == EINTR);
    if (written == (ssize_t)total) {
        capture->end += (off_t)total;
        return true;
    }
    int error = written < 0 ? errno : ENOSPC;
    (void)!ftruncate(capture->fd, capture->end);
    errno = error;
    return false;
}

static bool head_write(struct pcapng *capture, const char *application, const char *comment, const char *interface)
{
    struct block section = {.len = 0};
    struct block link = {.len = 0};
    unsigned char resolution = NANOSECONDS;

    block_u32(&section, BLOCK_SECTION);
    block_u32(&section, 0);
    block_u32(&section, 0x1a2b3c4d); /* tells the byte order */
    block_u16(&section, 1);
    block_u16(&section, 0);
    block_u32(&section, UINT32_MAX); /* length of the section: not known */
    block_u32(&section, UINT32_MAX);
    block_text(&section, OPTION_COMMENT, comment);
    block_text(&section, OPTION_APPLICATION, application);
    block_u32(&section, OPTION_END);
    block_end(&section);

    block_u32(&link, BLOCK_INTERFACE);
    block_u32(&link, 0);
    block_u16(&link, LINK_ETHERNET);
    block_u16(&link, 0);
    block_u32(&link, 0); /* packets of any length */
    block_text(&link, OPTION_NAME, interface);
    block_option(&link, OPTION_RESOLUTION, &resolution, 1);
    block_u32(&link, OPTION_END);
    block_end(&link);

    struct iovec parts[2] = {{section.at, section.len}, {link.at, link.len}};
    return parts_write(capture, parts, 2);
}

struct pcapng *pcapng_create(const char *path, const char *application, const char *comment, const char *interface)
{
    struct pcapng *capture = calloc(1, sizeof *capture);

    if (!capture) {
        return NULL;
    }
    capture->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (capture->fd >= 0 && head_write(capture, application, comment, interface)) {
        return capture;
    }
    int error = errno;
    pcapng_close(capture);
    errno = error;
    return NULL;
}

void pcapng_close(struct pcapng *capture)
{
    if (capture->fd >= 0) {
        close(capture->fd);
    }
    free(capture);
}

bool pcapng_write(struct pcapng *capture, const struct pcapng_packet *packet)
{
    static const unsigned char zeros[4];
    struct block head = {.len = 0};
    struct block tail = {.len = 0};
    struct iovec parts[PCAPNG_PARTS + 3];
    int count = 1;
    size_t captured = 0;

    for (int i = 0; i < packet->part_count; i++) {
        parts[count++] = packet->parts[i];
        captured += packet->parts[i].iov_len;
    }
    block_u32(&head, BLOCK_PACKET);
    block_u32(&head, 0);
    block_u32(&head, 0); /* the first interface */
    block_u32(&head, (uint32_t)(packet->time_ns >> 32));
    block_u32(&head, (uint32_t)packet->time_ns);
    block_u32(&head, (uint32_t)captured);
    block_u32(&head, (uint32_t)packet->wire_octets);
    block_append(&tail, zeros, padding(captured));
    if (packet->comment) {
        block_text(&tail, OPTION_COMMENT, packet->comment);
        block_u32(&tail, OPTION_END);
    }
    uint32_t total = (uint32_t)(head.len + captured + tail.len + 4);
    block_u32(&tail, total);
    memcpy(head.at + 4, &total, sizeof total);
    parts[0] = (struct iovec){head.at, head.len};
    parts[count++] = (struct iovec){tail.at, tail.len};
    return parts_write(capture, parts, count);
}
