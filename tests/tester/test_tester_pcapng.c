/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Captures, octet by octet: the blocks of the file and the headers of a synthesized TCP connection. The expected octets
 * follow the pcapng specification and RFC 791, 793 and 1071; the checksums were added up by hand.
 */
#include "tester/capture/pcapng.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned char file[1 << 20];
static size_t file_len;

static uint32_t at32(size_t at)
{
    return (uint32_t)file[at] | (uint32_t)file[at + 1] << 8 | (uint32_t)file[at + 2] << 16 |
           (uint32_t)file[at + 3] << 24;
}

static struct pcapng *open_capture(char path[])
{
    int fd = mkstemp(path);

    close(fd);
    return pcapng_open(path, "why");
}

static void read_back(struct pcapng *capture, const char *path)
{
    CHECK(pcapng_close(capture), "everything was written");
    FILE *stream = fopen(path, "rb");
    file_len = stream ? fread(file, 1, sizeof file, stream) : 0;
    if (stream) {
        fclose(stream);
    }
    unlink(path);
}

/* The offset of the n-th enhanced packet block's packet (its length to *len), or 0. Checks every block's frame on the
 * way. */
static size_t packet(unsigned wanted, size_t *len)
{
    unsigned seen = 0;

    for (size_t at = 0; at + 12 <= file_len;) {
        uint32_t block = at32(at + 4);
        if (block < 12 || block % 4 || at + block > file_len || at32(at + block - 4) != block) {
            CHECK(false, "a block's lengths agree");
            return 0;
        }
        if (at32(at) == 6 && seen++ == wanted) {
            *len = at32(at + 20);
            return at + 28;
        }
        at += block;
    }
    return 0;
}

static struct flow loopback(void)
{
    struct flow flow = {.interface = PCAPNG_WIRE};

    for (int side = 0; side < 2; side++) {
        flow.ends[side].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        flow.ends[side].sin_port = htons((uint16_t)(1000 + side));
    }
    return flow;
}

static void blocks(void)
{
    char path[] = "/tmp/assay-capture-XXXXXX";
    static const unsigned char octets[] = {1, 2, 3, 4, 5};
    static const unsigned char section[] = {0x0a, 0x0d, 0x0d, 0x0a};
    static const unsigned char magic[] = {0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0};
    static const unsigned char comment[] = {1, 0, 3, 0, 'o', 'n', 'e', 0, 0, 0, 0, 0};
    struct pcapng *capture = open_capture(path);
    size_t len = 0;

    pcapng_comment(capture, "one");
    pcapng_packet(capture, PCAPNG_INTERPRETER, PCAPNG_UNKNOWN, octets, sizeof octets);
    pcapng_packet(capture, PCAPNG_WIRE, PCAPNG_UNKNOWN, octets, sizeof octets);
    read_back(capture, path);
    CHECK_MEM(file, section, 4, "it begins with a section header");
    CHECK_MEM(file + 8, magic, 8, "of version 1.0");
    size_t first = packet(0, &len);
    CHECK(first && len == 5 && memcmp(file + first, octets, 5) == 0, "a packet is as it was given");
    CHECK_EQ(at32(first - 20), PCAPNG_INTERPRETER, "on its interface");
    CHECK_MEM(file + first + 8, comment, sizeof comment, "behind its padding comes the comment");
    size_t second = packet(1, &len);
    CHECK(second && at32(second - 24) == 28 + 8 + 4, "the next packet has none");
}

static void handshake(void)
{
    char path[] = "/tmp/assay-capture-XXXXXX";
    struct pcapng *capture = open_capture(path);
    struct flow flow = loopback();
    size_t len = 0;
    /* IPv4 (20) and TCP with options (28): SYN of port 1001 to port 1000 */
    static const unsigned char syn[] = {
        0x45, 0,    0,    0x30, 0, 0, 0x40, 0, 0x40, 6, 0x3c, 0xc6, 127,  0, 0,    1,    127,  0,    0, 1, /* IPv4 */
        0x03, 0xe9, 0x03, 0xe8, 0, 0, 0,    0, 0,    0, 0,    0,    0x70, 2, 0xff, 0xff, 0x84, 0x1a, 0, 0, /* TCP */
        2,    4,    0xff, 0xd7, 1, 3, 3,    14};

    flow_open(capture, &flow, FLOW_SUT);
    read_back(capture, path);
    size_t at = packet(0, &len);
    CHECK_EQ(len, 14 + sizeof syn, "Ethernet, IPv4, TCP");
    CHECK_MEM(file + at + 14, syn, sizeof syn, "the SYN");
    at = packet(1, &len);
    CHECK(file[at + 14 + 20 + 13] == 0x12 && file[at + 14 + 20 + 11] == 1, "SYN and ACK acknowledge it");
    at = packet(2, &len);
    CHECK(file[at + 14 + 20 + 13] == 0x10 && len == 54, "an ACK ends it");
    CHECK(packet(3, &len) == 0, "and that is all");
}

static void data_and_end(void)
{
    char path[] = "/tmp/assay-capture-XXXXXX";
    static unsigned char big[130000];
    struct pcapng *capture = open_capture(path);
    struct flow flow = loopback();
    size_t len = 0;

    flow_data(capture, &flow, FLOW_MANAGER, "x", 1);
    flow_open(capture, &flow, FLOW_MANAGER);
    flow_data(capture, &flow, FLOW_MANAGER, big, sizeof big);
    flow_data(capture, &flow, FLOW_SUT, "abc", 3);
    flow_finish(capture, &flow, FLOW_SUT);
    flow_finish(capture, &flow, FLOW_SUT);
    flow_data(capture, &flow, FLOW_SUT, "late", 4);
    flow_reset(capture, &flow, FLOW_MANAGER);
    flow_finish(capture, &flow, FLOW_MANAGER);
    read_back(capture, path);
    CHECK(packet(3, &len) && len == 54 + 60000, "nothing before the handshake; long data is cut into segments");
    CHECK(packet(4, &len) && len == 54 + 60000 && packet(5, &len) && len == 54 + 10000, "and nothing is lost");
    size_t at = packet(6, &len);
    static const unsigned char sequence[] = {0, 0, 0, 1, 0, 1, 0xfb, 0xd1}; /* 1; 1 + 130000 */
    CHECK_MEM(file + at + 14 + 20 + 4, sequence, 8, "the answer acknowledges all of it");
    at = packet(7, &len);
    CHECK(file[at + 14 + 20 + 13] == 0x11, "FIN");
    at = packet(9, &len);
    CHECK(file[at + 14 + 20 + 13] == 0x14, "nothing behind a FIN but the other side's RST");
    CHECK(packet(10, &len) == 0, "and nothing behind that");
}

/* What does not fit is left out, and so is all that comes later; the file stays whole. */
static void limit(void)
{
    static unsigned char octets[1000];
    char path[] = "/tmp/assay-capture-XXXXXX";
    struct pcapng *capture = open_capture(path);
    size_t len;

    pcapng_limit(capture, 4000);
    for (unsigned i = 0; i < 3; i++) {
        pcapng_packet(capture, PCAPNG_WIRE, PCAPNG_UNKNOWN, octets, sizeof octets);
    }
    CHECK(!pcapng_cut(capture), "three packets fit");
    pcapng_packet(capture, PCAPNG_WIRE, PCAPNG_UNKNOWN, octets, sizeof octets);
    pcapng_packet(capture, PCAPNG_WIRE, PCAPNG_UNKNOWN, octets, 1);
    CHECK(pcapng_cut(capture) && !pcapng_cut(NULL), "the fourth does not");
    read_back(capture, path);
    CHECK(packet(2, &len) && len == 1000 && !packet(3, &len), "nor does what comes later");
    CHECK(file_len <= 4000, "the file keeps the limit");
}

static void unwritable(void)
{
    CHECK(pcapng_open("/dev/null/x", "") == NULL, "a folder that is none");
    struct pcapng *capture = pcapng_open("/dev/full", "");
    CHECK(capture != NULL && !pcapng_close(capture), "a full disk is told at the end");
    struct flow flow = loopback();
    flow_open(NULL, &flow, FLOW_SUT);
    flow_data(NULL, &flow, FLOW_SUT, "x", 1);
    CHECK(pcapng_close(NULL), "no capture at all is no failure");
}

int main(void)
{
    TAP_RUN(blocks);
    TAP_RUN(handshake);
    TAP_RUN(data_and_end);
    TAP_RUN(limit);
    TAP_RUN(unwritable);
    return tap_done();
}
