/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The blocks of a pcapng file (read.h): section headers, interface descriptions, and the three kinds of packet that
 * the format has had. Other blocks are stepped over. A section brings its own byte order and interfaces.
 */
#include "tester/capture/read_pcapng.h"

#include "tester/base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET_OLD = 2,
    BLOCK_PACKET_SIMPLE = 3,
    BLOCK_PACKET = 6,
    BLOCK_JOURNAL = 9,
    BLOCK_CUSTOM = 0xbad,
    BLOCK_CUSTOM_KEPT = 0x40000bad, /* that is not to be copied */
    BLOCK_FRAME = 12,               /* type and length before, length behind the body */
    BLOCK_SECTION_MIN = 28,
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    OPTION_PACKET_FLAGS = 2,
    OPTION_APPLICATION = 4, /* of a section */
    OPTION_TICKS = 9,
    OPTION_OFFSET = 14, /* of an interface: seconds to be added to all its times */
    SECTION_FIXED = 12, /* octets behind a section's byte order that are no options */
    INBOUND = 1,        /* of a packet's flags */
    OUTBOUND = 2,
};

static const uint32_t block_section = 0x0a0d0d0a;

/* Ticks a second, from the octet of the option: a power of ten, or of two when the top bit is set. Ones that no clock
 * of nanoseconds can show are taken as nanoseconds. */
static uint64_t ticks_of(unsigned char octet)
{
    unsigned power = octet & 0x7f;
    uint64_t ticks = 1;

    if (octet & 0x80) {
        return power <= 40 ? (uint64_t)1 << power : 1000000000;
    }
    for (unsigned i = 0; i < power && i < 12; i++) {
        ticks *= 10;
    }
    return ticks;
}

/* One option of a block. */
struct option {
    unsigned code;
    const unsigned char *octets;
    size_t len;
};

/* The option at `*at` of a body of `len` octets, which moves on behind it; false at the last one. */
static bool next_option(const struct capture *capture, const unsigned char *body, size_t len, size_t *at,
                        struct option *option)
{
    size_t padded;

    if (*at > len || len - *at < 4) {
        return false;
    }
    *option = (struct option){capture_u16(capture, body + *at), body + *at + 4, capture_u16(capture, body + *at + 2)};
    *at += 4;
    if (option->code == OPTION_END || option->len > len - *at) {
        return false;
    }
    padded = (option->len + 3) / 4 * 4;
    *at += padded < len - *at ? padded : len - *at;
    return true;
}

static uint64_t u64_of(const struct capture *capture, const unsigned char *at)
{
    uint64_t first = capture_u32(capture, at), second = capture_u32(capture, at + 4);

    return capture->swapped ? first << 32 | second : second << 32 | first;
}

/* The body of an interface description: link type, snap length, options. */
static void take_interface(struct capture *capture, const unsigned char *body, size_t len)
{
    struct capture_interface made = {
        .link = capture_u16(capture, body), .ticks = 1000000, .snap = capture_u32(capture, body + 4)};
    struct option option;

    for (size_t at = 8; next_option(capture, body, len, &at, &option);) {
        if (option.code == OPTION_TICKS && option.len >= 1) {
            made.ticks = ticks_of(option.octets[0]);
        } else if (option.code == OPTION_OFFSET && option.len == 8) {
            made.offset_s = u64_of(capture, option.octets);
        }
    }
    capture->interfaces =
        memory_grow(capture->interfaces, (capture->interface_count + 1) * sizeof *capture->interfaces);
    capture->interfaces[capture->interface_count++] = made;
}

/* What is left of a section's body: its options. */
static void take_section_options(struct capture *capture, const unsigned char *body, size_t len)
{
    static const char own[] = "assay ";
    struct option option;

    capture->evidence = false;
    for (size_t at = SECTION_FIXED; next_option(capture, body, len, &at, &option);) {
        if (option.code == OPTION_APPLICATION && option.len > sizeof own - 1) {
            capture->evidence = memcmp(option.octets, own, sizeof own - 1) == 0;
        }
    }
}

static int64_t time_of(const struct capture_interface *interface, uint32_t high, uint32_t low)
{
    uint64_t ticks = (uint64_t)high << 32 | low;
    uint64_t seconds = ticks / interface->ticks + interface->offset_s, rest = ticks % interface->ticks;

    /* the rest is below a second; in floating point nothing can overflow */
    return (int64_t)(seconds % ((uint64_t)1 << 33)) * 1000000000 +
           (int64_t)((double)rest * 1e9 / (double)interface->ticks);
}

/* The options behind a packet of `padded` octets in a body of `len`: its first comment, and which way it went. A case's
 * capture is taken where the manager is, so that what comes in is the system's. */
static void take_packet_options(const struct capture *capture, const unsigned char *body, size_t len, size_t padded,
                                struct capture_packet *packet)
{
    struct option option;

    for (size_t at = 20 + padded; next_option(capture, body, len, &at, &option);) {
        if (option.code == OPTION_COMMENT && !packet->comment) {
            packet->comment = (const char *)option.octets;
            packet->comment_len = option.len;
        } else if (option.code == OPTION_PACKET_FLAGS && option.len == 4 && capture->evidence) {
            uint32_t direction = capture_u32(capture, option.octets) & 3;
            packet->side = direction == INBOUND    ? CAPTURE_SYSTEM
                           : direction == OUTBOUND ? CAPTURE_PEER
                                                   : CAPTURE_NO_SIDE;
        }
    }
}

/* Enhanced and old packets differ only in how wide the interface's number is. */
static const char *take_packet(struct capture *capture, uint32_t type, const unsigned char *body, size_t len,
                               struct capture_packet *packet)
{
    if (len < 20) {
        return "a packet's block is too short";
    }
    uint32_t interface = type == BLOCK_PACKET ? capture_u32(capture, body) : capture_u16(capture, body);
    size_t captured = capture_u32(capture, body + 12);
    if (interface >= capture->interface_count) {
        return "a packet's interface is not described";
    }
    if (captured > len - 20 || captured > CAPTURE_PACKET_MAX) {
        return "a packet is longer than its block";
    }
    *packet = (struct capture_packet){
        .when_ns =
            time_of(&capture->interfaces[interface], capture_u32(capture, body + 4), capture_u32(capture, body + 8)),
        .link = capture->interfaces[interface].link,
        .octets = body + 20,
        .len = captured,
        .wire_len = capture_u32(capture, body + 16),
    };
    if (type == BLOCK_PACKET) {
        take_packet_options(capture, body, len, (captured + 3) / 4 * 4, packet);
    }
    return NULL;
}

/* A simple packet has neither time nor captured length. */
static const char *take_simple(struct capture *capture, const unsigned char *body, size_t len,
                               struct capture_packet *packet)
{
    if (len < 4 || capture->interface_count == 0) {
        return "a simple packet without length or interface";
    }
    size_t wire_len = capture_u32(capture, body), captured = wire_len;
    uint32_t snap = capture->interfaces[0].snap;
    captured = snap && captured > snap ? snap : captured;
    if (captured > len - 4 || captured > CAPTURE_PACKET_MAX) {
        return "a packet is longer than its block";
    }
    *packet = (struct capture_packet){
        .link = capture->interfaces[0].link, .octets = body + 4, .len = captured, .wire_len = wire_len};
    return NULL;
}

/* A section's byte order shows in its magic, which stands behind the length whose order it tells. */
static const char *take_section(struct capture *capture, const unsigned char *head)
{
    static const unsigned char little[4] = {0x4d, 0x3c, 0x2b, 0x1a}, big[4] = {0x1a, 0x2b, 0x3c, 0x4d};

    if (memcmp(head + 8, little, 4) != 0 && memcmp(head + 8, big, 4) != 0) {
        return "a section of unknown byte order";
    }
    capture->swapped = memcmp(head + 8, big, 4) == 0;
    capture->interface_count = 0;
    return NULL;
}

/* Reads one block: its type, and its body into capture->block. An empty reason at the end of the file. */
static const char *read_block(struct capture *capture, uint32_t *type, size_t *len)
{
    unsigned char head[BLOCK_FRAME];
    size_t got = capture_read(capture, head, 8);
    size_t begun = 8;

    if (got == 0) {
        return "";
    }
    if (got < 8) {
        return "the file is cut off inside a block";
    }
    *type = capture_u32(capture, head);
    if (*type == block_section) { /* the same in either byte order */
        if (capture_read(capture, head + 8, 4) != 4) {
            return "the file is cut off inside a section's head";
        }
        const char *wrong = take_section(capture, head);
        if (wrong) {
            return wrong;
        }
        begun = 12;
    }
    size_t whole = capture_u32(capture, head + 4);
    if (whole < (*type == block_section ? BLOCK_SECTION_MIN : BLOCK_FRAME) || whole % 4 || whole > CAPTURE_BLOCK_MAX) {
        return "a block has an impossible length: the file is damaged";
    }
    capture_room(capture, whole);
    if (capture_read(capture, capture->block, whole - begun) != whole - begun) {
        return "the file is cut off inside a block";
    }
    *len = whole - begun - 4;
    return capture_u32(capture, capture->block + *len) == whole ? NULL : "a block's two lengths differ";
}

/* What a block means. `found` when it holds a packet. */
static const char *take_block(struct capture *capture, uint32_t type, size_t len, struct capture_packet *packet,
                              bool *found)
{
    if (type == block_section) {
        take_section_options(capture, capture->block, len);
        return NULL;
    }
    switch (type) {
    case BLOCK_INTERFACE:
        if (len < 8 || capture->interface_count == CAPTURE_INTERFACES_MAX) {
            return "an interface's block is too short, or there are more than 1024";
        }
        take_interface(capture, capture->block, len);
        return NULL;
    case BLOCK_PACKET:
    case BLOCK_PACKET_OLD:
        *found = true;
        return take_packet(capture, type, capture->block, len, packet);
    case BLOCK_PACKET_SIMPLE:
        *found = true;
        return take_simple(capture, capture->block, len, packet);
    case BLOCK_JOURNAL:
    case BLOCK_CUSTOM:
    case BLOCK_CUSTOM_KEPT:
        capture->packets++; /* Wireshark gives them numbers among the packets */
        return NULL;
    default:
        return NULL;
    }
}

enum capture_result capture_pcapng_next(struct capture *capture, struct capture_packet *packet, char *message,
                                        size_t message_octets)
{
    bool found = false;

    while (!found) {
        uint32_t type;
        size_t len;
        const char *wrong = read_block(capture, &type, &len);
        if (!wrong) {
            wrong = take_block(capture, type, len, packet, &found);
        }
        if (wrong && (*wrong || ferror(capture->file))) {
            return capture_fail(capture, message, message_octets, wrong);
        }
        if (wrong) {
            return CAPTURE_END;
        }
    }
    packet->number = ++capture->packets;
    return CAPTURE_PACKET;
}
