/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The program `assay`: one table of subcommands.
 */
#include "tester/base/output.h"
#include "tester/commands/commands.h"
#include "tester/commands/profile_help.h"

#include <stdio.h>
#include <string.h>

enum { GOOD = 0, BROKEN = 2 };

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
    {"replay", cmd_replay, "frames of an Intercept capture as steps, for the service's page"},
    {"certify", cmd_certify, "judge a system under test through a service"},
    {"verify", cmd_verify, "verify a certificate"},
};

static const size_t command_count = sizeof commands / sizeof commands[0];

static void print_usage(void)
{
    puts("usage: assay COMMAND [OPTIONS]\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("  %-9s %s\n", commands[i].name, commands[i].purpose);
    }
    putchar('\n');
    profile_help_names(stdout);
    fputs("\nassay COMMAND --help tells more; assay --version prints the version.\n"
          "Exit status: 0 good, 1 judged and found wanting, 2 usage or broken input.\n",
          stdout);
}

/* What nobody has said: which command. */
static int name_commands(void)
{
    fputs("assay: name a command:", stderr);
    for (size_t i = 0; i < command_count; i++) {
        fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
    }
    fputs("; see assay --help\n", stderr);
    return BROKEN;
}

/* Runs a command. What it should have printed and could not is an error of its own. */
static int run_command(const struct command *command, int argc, char **argv)
{
    char program[32];

    snprintf(program, sizeof program, "assay %s", command->name);
    int status = command->run(argc, argv);
    return output_flushed(program) ? status : BROKEN;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    output_begin();
    if (strcmp(name, "--version") == 0) {
        puts("assay " ASSAY_VERSION);
        return output_flushed("assay") ? GOOD : BROKEN;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_usage();
        return output_flushed("assay") ? GOOD : BROKEN;
    }
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return run_command(&commands[i], argc - 1, argv + 1);
        }
    }
    if (!*name) {
        return name_commands();
    }
    fprintf(stderr, "assay: there is no command \"%s\"; see assay --help\n", name);
    return BROKEN;
}
