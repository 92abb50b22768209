/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of `assay decode` and `assay encode`.
 */
#include "tester/commands/codec/proto.h"

#include "tester/commands/option.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const protocols[] = {
    [CMD_PROTOCOL_PORTALS] = "portals",         [CMD_PROTOCOL_IMPI_CLIENT] = "impi-client",
    [CMD_PROTOCOL_IMPI_SERVER] = "impi-server", [CMD_PROTOCOL_IMPI_PACKET] = "impi-packet",
    [CMD_PROTOCOL_INTERCEPT] = "intercept",
};
#define PROTOCOLS "portals, impi-client, impi-server, impi-packet, intercept"

static const struct option options[] = {
    {"proto", required_argument, NULL, 'p'},
    {"hex", no_argument, NULL, 'x'},
    {"json", no_argument, NULL, 'j'},
    {"text", no_argument, NULL, 't'},
    {"match-bits", required_argument, NULL, 'm'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int bad_usage(const struct cmd_proto *proto, const char *what, const char *word)
{
    fprintf(stderr, "assay %s: %s%s; see assay %s --help\n", proto->command, what, word, proto->command);
    return CMD_PROTO_BAD;
}

static int take_protocol(struct cmd_proto *proto, const char *name)
{
    if (!name) {
        return bad_usage(proto, "which protocol? say --proto with one of " PROTOCOLS, "");
    }
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (strcmp(name, protocols[i]) == 0) {
            proto->protocol = (enum cmd_protocol)i;
            return CMD_PROTO_GO;
        }
    }
    fprintf(stderr, "assay %s: no protocol is called %s; there are: " PROTOCOLS "\n", proto->command, name);
    return CMD_PROTO_BAD;
}

static int open_input(struct cmd_proto *proto, const char *path)
{
    bool standard = strcmp(path, "-") == 0;

    proto->path = standard ? "standard input" : path;
    proto->input = standard ? stdin : fopen(path, "rb");
    if (!proto->input) {
        return cmd_proto_fail(proto, "%s", strerror(errno));
    }
    return CMD_PROTO_GO;
}

int cmd_proto_open(int argc, char **argv, const char *usage, struct cmd_proto *proto)
{
    const char *name = NULL;
    int status;
    int option;

    *proto = (struct cmd_proto){.command = argv[0]};
    optind = 0; /* start over, whatever has been read before */
    while ((option = option_next(argc, argv, options, 1)) != -1) {
        switch (option) {
        case 'p':
            name = optarg;
            break;
        case 'x':
            proto->hex = true;
            break;
        case 'j':
            proto->text = false;
            break;
        case 't':
            proto->text = true;
            break;
        case 'm':
            if (strcmp(proto->command, "decode") != 0) {
                return bad_usage(proto, "--match-bits is for decode", "");
            }
            proto->match_bits = option_match_bits(argv, optarg);
            if (!proto->match_bits) {
                return CMD_PROTO_BAD;
            }
            break;
        case 'h':
            fputs(usage, stdout);
            return CMD_PROTO_GOOD;
        default:
            return CMD_PROTO_BAD;
        }
    }
    status = take_protocol(proto, name);
    if (status != CMD_PROTO_GO) {
        return status;
    }
    if (proto->match_bits && proto->protocol != CMD_PROTOCOL_PORTALS) {
        return bad_usage(proto, "--match-bits is for --proto portals", "");
    }
    if (optind != argc - 1) {
        return bad_usage(proto, "name one file, or - for standard input", "");
    }
    return open_input(proto, argv[optind]);
}

int cmd_proto_fail(const struct cmd_proto *proto, const char *fmt, ...)
{
    va_list args;

    fflush(stdout);
    fprintf(stderr, "assay %s: %s: ", proto->command, proto->path);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    return CMD_PROTO_BAD;
}

int cmd_proto_close(struct cmd_proto *proto, int status)
{
    if (proto->input != stdin) {
        fclose(proto->input);
    }
    return status;
}
