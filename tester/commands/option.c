/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One option after the other (option.h). getopt_long would print two things that no user knows: the name of the
 * subcommand as if it were a program, and nothing about where to look.
 */
#include "tester/commands/option.h"

#include <stdio.h>
#include <string.h>

/* What is wrong with the word that getopt_long has refused. */
static const char *fault_of(int option, const char *word)
{
    if (option == ':') {
        return "needs a value";
    }
    return optopt > '?' && strchr(word, '=') ? "takes no value" : "is no option";
}

int option_next(int argc, char **argv, const struct option *known, int mixed)
{
    opterr = 0;
    int option = getopt_long(argc, argv, mixed ? ":h" : "+:h", known, NULL);

    if (option != '?' && option != ':') {
        return option;
    }
    const char *word = argv[optind > 1 ? optind - 1 : 1];
    fprintf(stderr, "assay %s: %s %s; see assay %s --help\n", argv[0], word, fault_of(option, word), argv[0]);
    return '?';
}

const struct wire_match_layout *option_match_bits(char **argv, const char *name)
{
    const struct wire_match_layout *layout = wire_match_layout(name);

    if (!layout) {
        fprintf(stderr, "assay %s: --match-bits: no layout is called %s; there are: " WIRE_MATCH_NAMES "\n", argv[0],
                name);
    }
    return layout;
}
