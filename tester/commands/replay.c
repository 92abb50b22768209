/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay replay`: the frames of an Intercept capture as steps, for the service's page that replays them.
 */
#include "tester/capture/replay.h"

#include "tester/commands/commands.h"

#include <stdio.h>
#include <string.h>

enum { GOOD = 0, BROKEN = 2, MESSAGE_ROOM = 256 };

static const char help[] =
    "usage: assay replay CAPTURE\n"
    "\n"
    "Prints the frames of the Intercept network that CAPTURE (pcap or pcapng) holds as one JSON object: each with its\n"
    "decoded header, what became of it, and the Portals call that caused it. The page Replay of the service shows\n"
    "them step by step. The traces that portalsrun writes of a job over that network are such captures.\n"
    "\n"
    "At most 2000 frames are shown; how many were left out is said in the object.\n"
    "\n"
    "Exit status: 0 good, 2 no such capture or wrong usage.\n";

int cmd_replay(int argc, char **argv)
{
    char message[MESSAGE_ROOM] = "";

    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return GOOD;
    }
    if (argc != 2 || argv[1][0] == '-') {
        fputs("assay replay: name one capture; see assay replay --help\n", stderr);
        return BROKEN;
    }
    json_t *json = replay_read(argv[1], message, sizeof message);
    if (!json) {
        fprintf(stderr, "assay replay: %s: %s\n", argv[1], message);
        return BROKEN;
    }
    json_dumpf(json, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(json);
    return GOOD;
}
