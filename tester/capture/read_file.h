/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A capture file that is being read, and the numbers in it: what the readers of its two formats share.
 */
#ifndef TESTER_CAPTURE_READ_FILE_H
#define TESTER_CAPTURE_READ_FILE_H

#include "tester/capture/packet.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CAPTURE_PACKET_MAX = 256 << 10, /* octets of a packet; no program captures longer ones */
    CAPTURE_BLOCK_MAX = 16 << 20,   /* octets of a pcapng block */
    CAPTURE_INTERFACES_MAX = 1024,  /* of one pcapng section */
};

/* An interface of a pcapng section. */
struct capture_interface {
    unsigned link;
    uint64_t ticks;    /* a second */
    uint64_t offset_s; /* what times lack; less than nothing in two's complement */
    uint32_t snap;     /* octets of a packet that are captured at most; 0: all */
};

struct capture {
    FILE *file;
    bool pcapng, swapped; /* swapped: the most significant octet comes first */
    bool evidence;        /* pcapng: the section is a case's, so that directions tell who is who */
    uint64_t packets;
    uint64_t offset;        /* octets read */
    unsigned char ahead[4]; /* octets that are read again, the last `ahead_count` of these */
    size_t ahead_count;
    unsigned char *block;
    size_t room;
    unsigned link;    /* pcap: of all packets */
    bool nanoseconds; /* pcap */
    struct capture_interface *interfaces;
    unsigned interface_count;
};

/* capture_read reads exactly so many octets: their number, less at the end of the file. */
size_t capture_read(struct capture *capture, void *octets, size_t len);

/* capture_room makes capture->block hold `len` octets, which the caller has bounded. */
void capture_room(struct capture *capture, size_t len);

/* capture_u16 and capture_u32 read a number in the byte order of the file. */
unsigned capture_u16(const struct capture *capture, const unsigned char *at);
uint32_t capture_u32(const struct capture *capture, const unsigned char *at);

/* capture_alien says what a file is that begins with these octets, which are those of neither format: as the rest of a
 * sentence about it, with what to do where something can be done. */
void capture_alien(const unsigned char *head, size_t len, char *message, size_t message_octets);

/* capture_reason - why the file could not be read, after errno. */
const char *capture_reason(void);

/* capture_fail writes the message with the offset, and returns CAPTURE_BROKEN. */
enum capture_result capture_fail(const struct capture *capture, char *message, size_t message_octets, const char *what);

#endif
