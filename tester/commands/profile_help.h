/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the commands' --help says of profiles: made from the table, so that a new profile needs no new help.
 */
#ifndef TESTER_COMMANDS_PROFILE_HELP_H
#define TESTER_COMMANDS_PROFILE_HELP_H

#include <stdio.h>

/* profile_help_names prints one line for each profile, its name and its title, the first marked as the default. Where
 * the table cannot be read, it prints why: help must not fail. */
void profile_help_names(FILE *out);

/* profile_help_templates prints, for each role of each profile, the command template by which the reference is judged:
 * "  PREFIX --profile NAME -- WORDS". Prints nothing where the table cannot be read. */
void profile_help_templates(FILE *out, const char *prefix);

/* profile_help_prefixes prints one line for each profile: how the ids of its requirements look, and its title. */
void profile_help_prefixes(FILE *out);

#endif
