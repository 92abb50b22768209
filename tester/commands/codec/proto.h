/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What `assay decode` and `assay encode` have in common: their options, their protocols, the way they complain.
 */
#ifndef TESTER_COMMANDS_CODEC_PROTO_H
#define TESTER_COMMANDS_CODEC_PROTO_H

#include "wire/portals/match_bits.h"

#include <stdbool.h>
#include <stdio.h>

/* What octets can be. */
enum cmd_protocol {
    CMD_PROTOCOL_PORTALS,
    CMD_PROTOCOL_IMPI_CLIENT,
    CMD_PROTOCOL_IMPI_SERVER,
    CMD_PROTOCOL_IMPI_PACKET,
    CMD_PROTOCOL_INTERCEPT,
};

/* The command line of either command. */
struct cmd_proto {
    enum cmd_protocol protocol;
    const char *command;                        /* "decode" or "encode" */
    const char *path;                           /* the input's name for messages: the file's, or "standard input" */
    FILE *input;                                /* open for reading; cmd_proto_close closes it */
    bool hex;                                   /* --hex: octets are written as hexadecimal text */
    bool text;                                  /* --text: for people instead of JSON lines */
    const struct wire_match_layout *match_bits; /* --match-bits, or NULL */
};

enum {
    CMD_PROTO_GO = -1, /* the command line is good: go on */
    CMD_PROTO_GOOD = 0,
    CMD_PROTO_BAD = 2, /* usage, or input that is broken */
};

/* cmd_proto_open - reads the command line (argv[0] is the command's name) and opens the input. Returns CMD_PROTO_GO and
 * a filled `proto`; otherwise the exit status, after help on standard output or one line on standard error. */
int cmd_proto_open(int argc, char **argv, const char *usage, struct cmd_proto *proto);

/* cmd_proto_fail - prints "assay COMMAND: INPUT: ..." as one line on standard error and returns CMD_PROTO_BAD. */
__attribute__((format(printf, 2, 3))) int cmd_proto_fail(const struct cmd_proto *proto, const char *fmt, ...);

/* cmd_proto_close - closes the input and flushes standard output. Returns `status`, or CMD_PROTO_BAD with a line on
 * standard error when not all output could be written. */
int cmd_proto_close(struct cmd_proto *proto, int status);

#endif
