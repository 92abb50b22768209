/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What `assay decode` asks of a protocol: to take octets and print what they say, and to tell where it stands.
 */
#ifndef TESTER_COMMANDS_CODEC_DECODE_H
#define TESTER_COMMANDS_CODEC_DECODE_H

#include "tester/commands/codec/proto.h"
#include "wire/impi/packet.h"
#include "wire/impi/startup.h"
#include "wire/intercept/frame.h"
#include "wire/portals/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CMD_DECODE_CHUNK = 65536 }; /* octets that are taken at a time, at most */

/* A list of values in the payload of an IMPI command: an element may arrive in pieces. */
struct cmd_decode_values {
    const struct wire_row *element; /* NULL: the payload is printed as data */
    unsigned char kept[16];
    size_t kept_len;
    bool begun; /* a value has been printed */
};

/* A file of Intercept frames: the frame at hand, as far as it is there. */
struct cmd_decode_frames {
    unsigned char kept[WIRE_INTERCEPT_FRAME_MAX];
    size_t kept_len;
    uint64_t offset; /* of the frame at hand in the input */
};

/* A decoding at work; of the streams that of the protocol is used. */
struct cmd_decoding {
    struct cmd_proto proto;
    const struct cmd_decoder *decoder;
    bool open; /* a message's line has been begun */
    struct wire_stream portals;
    struct wire_impi_startup startup;
    struct wire_impi_packets packets;
    struct cmd_decode_values values;
    struct cmd_decode_frames frames;
};

/* Where a decoding stands in its input. */
struct cmd_decode_place {
    uint64_t offset;  /* octets taken */
    uint64_t begun;   /* where the message at hand begins */
    uint64_t missing; /* octets that it lacks, as far as can be told; 0: the input may end here */
    const char *kind; /* what it is called, if that is known */
};

/* One protocol. */
struct cmd_decoder {
    /* prints what `len` more octets say; CMD_PROTO_GO, or CMD_PROTO_BAD after one line on standard error */
    int (*take)(struct cmd_decoding *decoding, const unsigned char *octets, size_t len);
    struct cmd_decode_place (*place)(const struct cmd_decoding *decoding);
    /* ends the line that is open, of a message that is cut off */
    void (*cut)(struct cmd_decoding *decoding);
};

extern const struct cmd_decoder cmd_decode_portals, cmd_decode_startup, cmd_decode_packets, cmd_decode_intercept;

/* cmd_decode_digits - prints octets as hexadecimal digits, at most CMD_DECODE_CHUNK of them. */
void cmd_decode_digits(const unsigned char *octets, size_t len);

#endif
