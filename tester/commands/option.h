/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading a subcommand's options, with one line on standard error for whatever is wrong with them.
 */
#ifndef TESTER_COMMANDS_OPTION_H
#define TESTER_COMMANDS_OPTION_H

#include "wire/portals/match_bits.h"

#include <getopt.h>

/* option_next gives the next option of `known` as getopt_long does, with its value in optarg; -1 when there is none
 * more, and optind then tells where the other arguments begin. '?' for one that is unknown, lacks its value or takes
 * none: it has been told, as from `assay` and the subcommand argv[0]. Options may stand behind other arguments where
 * `mixed`. -h is the option 'h'. Set optind to 0 before the first. */
int option_next(int argc, char **argv, const struct option *known, int mixed);

/* option_match_bits - the layout that --match-bits names; NULL: there is none of that name, which has been told. */
const struct wire_match_layout *option_match_bits(char **argv, const char *name);

#endif
