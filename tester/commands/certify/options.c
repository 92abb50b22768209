/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of `assay certify`.
 */
#include "tester/commands/certify/certify.h"

#include "tester/commands/option.h"
#include "tester/commands/profile_help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: assay certify --url URL --token TOKEN --profile PROFILE [options] -- TEMPLATE...\n"
    "\n"
    "Has an implementation judged by an Assay service: makes a run there, starts the system under test here by the\n"
    "template, shows the progress and fetches the report.\n"
    "\n"
    "  --url URL              the service, http://HOST:PORT\n"
    "  --token TOKEN          an API token of the account (made on the account's page); or ASSAY_API_TOKEN\n"
    "  --profile PROFILE      what to judge by; this release knows those listed below\n"
    "  --suite SUITE          only this suite, or several: SUITE,SUITE,..\n"
    "  --case ID              only this case, or several: ID,ID,..\n"
    "  --server WORDS         beside a client: command of an own IMPI server, 'impirun -server {clients} {options}',\n"
    "                         which sut-agent then starts too; it joins the meetings of the suite interop\n"
    "  --jobs N               judge by so many cases at once, each with jobs of its own: up to 16, one if not given\n"
    "  --statement FILE       what the implementation declares of its limits and readings (specs/statement.md)\n"
    "  --seed N               repeat the random choices of an earlier run\n"
    "  --repeat N             so many runs, up to 1000; tells which cases came out in different ways\n"
    "  --linger MINUTES       where a case has failed, the agent stays so long (up to 30) after the last one: "
    "meanwhile\n"
    "                         the page of any case has a button that runs it again, and of the run one that ends it\n"
    "  --report DIR           fetch report.json, junit.xml, captures, transcripts and the certificate into DIR\n"
    "  --annotate             print a line for each case that failed which CI shows beside the change (::error, as\n"
    "                         GitHub, Gitea and Forgejo read it)\n"
    "  --implementation NAME  how the service knows the implementation (default: implementation under test)\n"
    "  --release VERSION      its version (default: unversioned)\n"
    "  --agent-url URL        where the agent connects when that is another address, such as that of a tunnel\n"
    "\n"
    "The template is the command that starts a job of {np} processes; {args} stands for the interpreter's arguments.\n"
    "Example: assay certify --url http://tests.example.org:8080 --token api_... --profile PROFILE --report out -- "
    "TEMPLATE\n"
    "Where a profile has roles, the words in braces decide which is judged; assay run --help shows templates.\n"
    "\n";

static const char help_end[] =
    "\n"
    "Exit status: 0 conforms, at least in part, 1 does not conform or cannot be judged, 2 wrong usage or no answer.\n";

enum { JOBS_MAX = 16 };
enum {
    URL = 256,
    TOKEN,
    PROFILE,
    SUITE,
    CASE,
    SEED,
    REPORT,
    IMPLEMENTATION,
    RELEASE,
    AGENT_URL,
    SERVER,
    JOBS,
    STATEMENT,
    REPEAT,
    ANNOTATE,
    LINGER,
};
enum { REPEAT_MAX = 1000, LINGER_MAX = 30 };

static const struct option long_options[] = {
    {"url", required_argument, NULL, URL},
    {"token", required_argument, NULL, TOKEN},
    {"profile", required_argument, NULL, PROFILE},
    {"suite", required_argument, NULL, SUITE},
    {"case", required_argument, NULL, CASE},
    {"seed", required_argument, NULL, SEED},
    {"report", required_argument, NULL, REPORT},
    {"implementation", required_argument, NULL, IMPLEMENTATION},
    {"release", required_argument, NULL, RELEASE},
    {"agent-url", required_argument, NULL, AGENT_URL},
    {"server", required_argument, NULL, SERVER},
    {"jobs", required_argument, NULL, JOBS},
    {"statement", required_argument, NULL, STATEMENT},
    {"repeat", required_argument, NULL, REPEAT},
    {"annotate", no_argument, NULL, ANNOTATE},
    {"linger", required_argument, NULL, LINGER},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* Where the value of an option of text goes; NULL for the others. */
static const char **place_of(struct certify_options *options, int option)
{
    switch (option) {
    case URL:
        return &options->url;
    case TOKEN:
        return &options->token;
    case PROFILE:
        return &options->profile;
    case SUITE:
        return &options->suite;
    case CASE:
        return &options->case_id;
    case REPORT:
        return &options->report;
    case IMPLEMENTATION:
        return &options->implementation;
    case RELEASE:
        return &options->release;
    case AGENT_URL:
        return &options->agent_url;
    case SERVER:
        return &options->server;
    case JOBS:
        return &options->jobs;
    case STATEMENT:
        return &options->statement;
    default:
        return NULL;
    }
}

static bool parse_number(const char *text, long long *number)
{
    char *end;

    *number = strtoll(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *number <= 9007199254740991;
}

static bool jobs_are_good(const char *text)
{
    long long jobs;

    return !text || (parse_number(text, &jobs) && jobs >= 1 && jobs <= JOBS_MAX);
}

static const char *find_mistake(const struct certify_options *options)
{
    if (!options->url || !options->token || !options->profile) {
        return "--url, --token and --profile are needed (see assay certify --help)";
    }
    if (strncmp(options->url, "http://", 7) != 0 && strncmp(options->url, "https://", 8) != 0) {
        return "--url: not http://HOST:PORT, the address that assayd prints when it starts";
    }
    if (!jobs_are_good(options->jobs)) {
        return "--jobs: not a whole number from 1 to 16";
    }
    if (options->repeat < 1 || options->repeat > REPEAT_MAX) {
        return "--repeat: not a whole number from 1 to 1000";
    }
    if (options->linger < 0 || options->linger > LINGER_MAX) {
        return "--linger: not a whole number of minutes from 0 to 30";
    }
    if (options->repeat > 1 && options->report) {
        return "--repeat: goes without --report; the service has the report of each run";
    }
    if (!options->template[0]) {
        return "there is no template: say after -- how a job is started (assay run --help shows templates)";
    }
    return NULL;
}

int certify_options_parse(int argc, char **argv, struct certify_options *options)
{
    const char *mistake;
    int option;

    *options = (struct certify_options){.token = getenv("ASSAY_API_TOKEN"),
                                        .implementation = "implementation under test",
                                        .release = "unversioned",
                                        .seed = -1,
                                        .repeat = 1};
    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, long_options, 0)) != -1) {
        const char **place = place_of(options, option);

        if (place) {
            *place = optarg;
        } else if (option == 'h') {
            fputs(help, stdout);
            profile_help_names(stdout);
            fputs(help_end, stdout);
            return 0;
        } else if (option == ANNOTATE) {
            options->annotate = true;
        } else if (option == REPEAT) {
            options->repeat = parse_number(optarg, &options->repeat) ? options->repeat : 0;
        } else if (option == LINGER) {
            options->linger = parse_number(optarg, &options->linger) ? options->linger : -1;
        } else if (option != SEED || !parse_number(optarg, &options->seed)) {
            if (option == SEED) {
                fprintf(stderr, "assay certify: --seed: not a number from 0 to 9007199254740991: %s\n", optarg);
            }
            return CERTIFY_BROKEN;
        }
    }
    options->template = argv + optind;
    mistake = find_mistake(options);
    if (mistake) {
        fprintf(stderr, "assay certify: %s\n", mistake);
        return CERTIFY_BROKEN;
    }
    return -1;
}
