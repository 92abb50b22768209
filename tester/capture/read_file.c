/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets and numbers of a capture file (read_file.h).
 */
#include "tester/capture/read_file.h"

#include "tester/base/memory.h"
#include "tester/capture/gunzip.h"

#include <errno.h>
#include <string.h>

size_t capture_read(struct capture *capture, void *octets, size_t len)
{
    if (len == 0) {
        return 0; /* into a room that may not be there yet */
    }
    size_t again = len < capture->ahead_count ? len : capture->ahead_count;
    size_t got = again;

    memcpy(octets, capture->ahead + sizeof capture->ahead - capture->ahead_count, again);
    capture->ahead_count -= again;
    got += fread((unsigned char *)octets + again, 1, len - again, capture->file);
    capture->offset += got;
    return got;
}

void capture_room(struct capture *capture, size_t len)
{
    if (len > capture->room) {
        capture->block = memory_grow(capture->block, len);
        capture->room = len;
    }
}

unsigned capture_u16(const struct capture *capture, const unsigned char *at)
{
    return capture->swapped ? (unsigned)at[0] << 8 | at[1] : (unsigned)at[1] << 8 | at[0];
}

uint32_t capture_u32(const struct capture *capture, const unsigned char *at)
{
    uint32_t first = capture_u16(capture, at), second = capture_u16(capture, at + 2);

    return capture->swapped ? first << 16 | second : second << 16 | first;
}

static const struct {
    const char *magic;
    size_t len;
    const char *name, *tool; /* `tool` unpacks it; NULL: it is a capture of another format */
} aliens[] = {
    {"\x28\xb5\x2f\xfd", 4, "zstd", "zstd -d"},
    {"\x04\x22\x4d\x18", 4, "lz4", "lz4 -d"},
    {"\x02\x21\x4c\x18", 4, "lz4", "lz4 -d"}, /* as it was before its frames were defined */
    {"\xfd\x37zXZ", 5, "xz", "xz -d"},
    {"\x5d\x00\x00", 3, "lzma", "xz -d"},
    {"BZh", 3, "bzip2", "bzip2 -d"},
    {"\x1f\x9d", 2, "compress", "gzip -d"},
    {"PK\x03\x04", 4, "zip", "unzip"},
    {"7z\xbc\xaf", 4, "7-Zip", "7z x"},
    {"snoop", 6, "snoop", NULL},
    {"GMBU", 4, "Network Monitor", NULL},
    {"RTSS", 4, "Network Monitor", NULL},
    {"XCP", 4, "NetXRay", NULL},
    {"\xa1\xb2\xcd\x34", 4, "a patched libpcap", NULL},
    {"\x34\xcd\xb2\xa1", 4, "a patched libpcap", NULL},
};

static bool is_text(const unsigned char *octets, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((octets[i] < ' ' && !memchr("\t\r\n", octets[i], 3)) || octets[i] == 0x7f) {
            return false;
        }
    }
    return len > 0;
}

void capture_alien(const unsigned char *head, size_t len, char *message, size_t message_octets)
{
    for (size_t i = 0; i < sizeof aliens / sizeof aliens[0]; i++) {
        if (len < aliens[i].len || memcmp(head, aliens[i].magic, aliens[i].len) != 0) {
            continue;
        }
        if (aliens[i].tool) {
            snprintf(message, message_octets, "is compressed with %s: unpack it first (%s)", aliens[i].name,
                     aliens[i].tool);
        } else {
            snprintf(message, message_octets,
                     "is a capture in the format of %s: convert it to pcapng first (editcap -F pcapng)",
                     aliens[i].name);
        }
        return;
    }
    snprintf(message, message_octets, "%s",
             len == 0             ? "is empty"
             : is_text(head, len) ? "is text, and neither a pcap nor a pcapng file; text2pcap makes one of a hex dump"
                                  : "is neither a pcap nor a pcapng file");
}

const char *capture_reason(void)
{
    return errno == GUNZIP_DAMAGED ? "what gzip has packed is damaged or cut off" : strerror(errno);
}

enum capture_result capture_fail(const struct capture *capture, char *message, size_t message_octets, const char *what)
{
    const char *reason = ferror(capture->file) ? capture_reason() : what;

    snprintf(message, message_octets, "offset %llu, behind packet %llu: %s", (unsigned long long)capture->offset,
             (unsigned long long)capture->packets, reason);
    return CAPTURE_BROKEN;
}
