/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The subcommands of `assay`. Each gets its own arguments, argv[0] being its name, and returns the exit status: 0 good,
 * 1 judged and found wanting, 2 usage or broken input.
 */
#ifndef TESTER_COMMANDS_COMMANDS_H
#define TESTER_COMMANDS_COMMANDS_H

/* cmd_run, cmd_cases, cmd_profiles, cmd_spec, cmd_decode, cmd_encode, cmd_check, cmd_replay, cmd_certify and
 * cmd_verify are `assay run`, `assay cases` and so on. */
int cmd_run(int argc, char **argv);
int cmd_cases(int argc, char **argv);
int cmd_profiles(int argc, char **argv);
int cmd_spec(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_encode(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_certify(int argc, char **argv);
int cmd_verify(int argc, char **argv);

#endif
