/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The blocks of a pcapng file (pcapng.h): section header, two interface descriptions, enhanced packets. All numbers are
 * written little-endian; times are in nanoseconds since 1970, taken from a clock that never goes back.
 */
#include "tester/capture/pcapng.h"

#include "tester/base/buffer.h"
#include "tester/base/clock.h"
#include "tester/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BLOCK_SECTION = 0x0A0D0D0A,
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 6,
    BYTE_ORDER_MAGIC = 0x1A2B3C4D,
    LINK_ETHERNET = 1,
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    OPTION_IF_NAME = 2,
    OPTION_IF_DESCRIPTION = 3,
    OPTION_SECTION_APPLICATION = 4,
    OPTION_IF_TSRESOL = 9,
    FILE_MAX = 256 << 20, /* octets; a system under test must not fill the manager's disk */
    OPTION_PACKET_FLAGS = 2,
    OPTION_MAX = 60000, /* octets of a comment that are kept; the format allows 65535 */
};

struct pcapng {
    FILE *file;
    char *comment;
    int64_t epoch_us; /* what must be added to clock_now_us */
    uint64_t octets, octets_max;
    bool failed, cut;
};

/* A block while it is being made. */
struct block {
    struct buffer body;
};

static void add_u16(struct block *block, unsigned value)
{
    unsigned char octets[2] = {(unsigned char)value, (unsigned char)(value >> 8)};

    buffer_append(&block->body, octets, sizeof octets);
}

static void add_u32(struct block *block, uint32_t value)
{
    add_u16(block, value & 0xffff);
    add_u16(block, value >> 16);
}

static void add_padded(struct block *block, const void *octets, size_t len)
{
    static const unsigned char zeros[4];

    buffer_append(&block->body, octets, len);
    buffer_append(&block->body, zeros, (4 - len % 4) % 4);
}

static void add_option(struct block *block, unsigned code, const void *value, size_t len)
{
    len = len > OPTION_MAX ? OPTION_MAX : len;
    add_u16(block, code);
    add_u16(block, (unsigned)len);
    add_padded(block, value, len);
}

static void add_text(struct block *block, unsigned code, const char *text)
{
    add_option(block, code, text, strlen(text));
}

static void block_write(struct pcapng *capture, struct block *block, uint32_t type)
{
    struct block frame = {.body.limit = 32};

    add_u32(&frame, type);
    add_u32(&frame, (uint32_t)block->body.len + 12);
    bool good = fwrite(frame.body.octets, 1, 8, capture->file) == 8 &&
                fwrite(block->body.octets, 1, block->body.len, capture->file) == block->body.len &&
                fwrite(frame.body.octets + 4, 1, 4, capture->file) == 4;
    capture->failed = capture->failed || !good;
    capture->octets += block->body.len + 12;
    buffer_release(&frame.body);
    buffer_release(&block->body);
}

static struct block block_new(void)
{
    return (struct block){.body.limit = 1 << 20};
}

static void write_section(struct pcapng *capture, const char *comment)
{
    struct block block = block_new();

    add_u32(&block, BYTE_ORDER_MAGIC);
    add_u16(&block, 1);
    add_u16(&block, 0);
    add_u32(&block, UINT32_MAX); /* the section's length is not given */
    add_u32(&block, UINT32_MAX);
    add_text(&block, OPTION_COMMENT, comment);
    add_text(&block, OPTION_SECTION_APPLICATION, "assay " ASSAY_VERSION);
    add_u32(&block, OPTION_END);
    block_write(capture, &block, BLOCK_SECTION);
}

static void write_interface(struct pcapng *capture, const char *name, const char *description)
{
    struct block block = block_new();
    unsigned char nanoseconds = 9;

    add_u16(&block, LINK_ETHERNET);
    add_u16(&block, 0);
    add_u32(&block, 0); /* no limit of length */
    add_text(&block, OPTION_IF_NAME, name);
    add_text(&block, OPTION_IF_DESCRIPTION, description);
    add_option(&block, OPTION_IF_TSRESOL, &nanoseconds, 1);
    add_u32(&block, OPTION_END);
    block_write(capture, &block, BLOCK_INTERFACE);
}

struct pcapng *pcapng_open(const char *path, const char *comment)
{
    FILE *file = fopen(path, "wbe");

    if (!file) {
        return NULL;
    }
    struct pcapng *capture = memory_zero(sizeof *capture);
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    capture->file = file;
    capture->octets_max = FILE_MAX;
    capture->epoch_us = (int64_t)wall.tv_sec * 1000000 + wall.tv_nsec / 1000 - clock_now_us();
    write_section(capture, comment);
    write_interface(capture, "wire", "Portals messages of the manager's scripted peers");
    write_interface(capture, "interpreter", "interpreter protocol between the manager and the system under test");
    return capture;
}

bool pcapng_close(struct pcapng *capture)
{
    if (!capture) {
        return true;
    }
    bool good = fclose(capture->file) == 0 && !capture->failed;
    free(capture->comment);
    free(capture);
    return good;
}

void pcapng_comment(struct pcapng *capture, const char *text)
{
    if (!capture) {
        return;
    }
    char *joined = capture->comment ? memory_format("%s\n%s", capture->comment, text) : memory_text(text);
    free(capture->comment);
    capture->comment = joined;
}

void pcapng_limit(struct pcapng *capture, uint64_t octets)
{
    if (capture && octets < FILE_MAX) {
        capture->octets_max = octets;
    }
}

bool pcapng_cut(const struct pcapng *capture)
{
    return capture && capture->cut;
}

void pcapng_packet(struct pcapng *capture, enum pcapng_interface interface, enum pcapng_direction direction,
                   const void *octets, size_t len)
{
    struct block block = block_new();
    uint64_t when_ns = (uint64_t)(capture->epoch_us + clock_now_us()) * 1000;

    add_u32(&block, (uint32_t)interface);
    add_u32(&block, (uint32_t)(when_ns >> 32));
    add_u32(&block, (uint32_t)when_ns);
    add_u32(&block, (uint32_t)len);
    add_u32(&block, (uint32_t)len);
    add_padded(&block, octets, len);
    if (capture->comment) {
        add_text(&block, OPTION_COMMENT, capture->comment);
    }
    if (direction != PCAPNG_UNKNOWN) {
        uint32_t flags = (uint32_t)direction;
        add_option(&block, OPTION_PACKET_FLAGS, &flags, sizeof flags);
    }
    if (capture->comment || direction != PCAPNG_UNKNOWN) {
        add_u32(&block, OPTION_END);
    }
    capture->cut = capture->cut || capture->octets + block.body.len + 12 > capture->octets_max;
    if (capture->cut) {
        buffer_release(&block.body); /* the capture ends here, as a whole file */
        return;
    }
    free(capture->comment);
    capture->comment = NULL;
    block_write(capture, &block, BLOCK_PACKET);
}
