/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay cases`: lists the cases of a profile with their requirements.
 */
#include "tester/commands/commands.h"
#include "tester/commands/option.h"
#include "tester/commands/profile_help.h"
#include "tester/engine/engine.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: assay cases [--profile P] [--json]\n"
    "\n"
    "Lists the cases of a profile with the requirements that they judge.\n"
    "\n"
    "  --profile P  the profile; the first one listed below where it is not given\n"
    "  --json       as a JSON array\n"
    "\n"
    "Cases are read from $ASSAY_CASES, else from share/assay/cases beside the program's folder.\n"
    "\n";

static json_t *case_object(const struct case_info *about)
{
    json_t *requirements = json_array();

    for (const char *const *at = about->requirements; *at; at++) {
        json_array_append_new(requirements, json_string(*at));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:b, s:b, s:s, s:s}", "id", about->id, "title", about->title,
                     "purpose", about->purpose, "suite", about->suite, "chapter", about->chapter, "requirements",
                     requirements, "ranks", (int)about->ranks, "wire", about->needs_wire, "negative", about->negative,
                     "role", about->role, "file", about->file);
}

static int print_json(const struct case_list *cases)
{
    json_t *list = json_array();

    for (size_t i = 0; i < case_list_count(cases); i++) {
        json_array_append_new(list, case_object(case_list_at(cases, i)));
    }
    int failed = json_dumpf(list, stdout, JSON_INDENT(2));
    json_decref(list);
    putchar('\n');
    return failed ? 2 : 0;
}

static int print_text(const struct case_list *cases)
{
    for (size_t i = 0; i < case_list_count(cases); i++) {
        const struct case_info *about = case_list_at(cases, i);
        printf("%-14s %-40s", about->suite, about->id);
        for (const char *const *at = about->requirements; *at; at++) {
            printf(" %s", *at);
        }
        printf("\n               %s\n", about->title);
    }
    printf("%zu cases\n", case_list_count(cases));
    return 0;
}

int cmd_cases(int argc, char **argv)
{
    static const struct option known[] = {{"profile", required_argument, NULL, 'p'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    const char *profile = NULL;
    struct case_list *cases;
    char message[700];
    int option, json = 0;

    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, known, 0)) != -1) {
        switch (option) {
        case 'p':
            profile = optarg;
            break;
        case 'j':
            json = 1;
            break;
        case 'h':
            fputs(help, stdout);
            profile_help_names(stdout);
            return 0;
        default:
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "assay cases: \"%s\" is not expected; see assay cases --help\n", argv[optind]);
        return 2;
    }
    if (case_list_load(NULL, profile, &cases, message, sizeof message) != ENGINE_OK) {
        fprintf(stderr, "assay cases: %s\n", message);
        return 2;
    }
    int status = json ? print_json(cases) : print_text(cases);
    case_list_free(cases);
    return status;
}
