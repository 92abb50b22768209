/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The program `assay`: one table of subcommands.
 */
#include "tester/commands/commands.h"
#include "tester/commands/profile_help.h"

#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *purpose;
} commands[] = {
    {"run", cmd_run, "judge a system under test on this machine"},
    {"cases", cmd_cases, "list the cases of a profile"},
    {"profiles", cmd_profiles, "list the specifications to judge by"},
    {"spec", cmd_spec, "a requirement: its sentence, and where it is fulfilled, judged, proven"},
    {"decode", cmd_decode, "octets of a protocol to JSON lines"},
    {"encode", cmd_encode, "JSON lines to octets of a protocol"},
    {"check", cmd_check, "judge the conversations in a capture"},
    {"certify", cmd_certify, "judge a system under test through a service"},
    {"verify", cmd_verify, "verify a certificate"},
};

static const size_t command_count = sizeof commands / sizeof commands[0];

static void print_usage(FILE *out)
{
    fputs("usage: assay COMMAND [OPTIONS]\n\n", out);
    for (size_t i = 0; i < command_count; i++) {
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].purpose);
    }
    fputs("\n", out);
    profile_help_names(out);
    fputs("\nassay COMMAND --help tells more; assay --version prints the version.\n"
          "Exit status: 0 good, 1 judged and found wanting, 2 usage or broken input.\n",
          out);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    if (strcmp(name, "--version") == 0) {
        puts("assay " ASSAY_VERSION);
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    if (*name) {
        fprintf(stderr, "assay: there is no command \"%s\"; see assay --help\n", name);
    } else {
        print_usage(stderr);
    }
    return 2;
}
