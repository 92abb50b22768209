/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading the agent's command line.
 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/connection.h"
#include "../common/line.h"
#include "../common/report.h"
#include "others.h"
#include "words.h"

static const char usage[] =
    "usage: sut-agent --url http://HOST:PORT [--token TOKEN] [--server WORDS] [--advertise HOST:PORT]\n"
    "                 [--jobs N] [--patience SECONDS] [--quiet] -- TEMPLATE...\n"
    "\n"
    "Starts and stops jobs of the system under test for a test manager. TEMPLATE is the command that starts one job;\n"
    "{np} in it becomes the number of processes, {args} the interpreter's arguments (appended when it is not there),\n"
    "{client} and {server} the rank and the server of an IMPI client, {hosts} its number of hosts, {clients} the "
    "number\n"
    "of clients of an IMPI server, {options} options that the IMPI document gives a server. It is executed without a\n"
    "shell. For example:\n"
    "\n"
    "  sut-agent --url http://tests.example.org:8080 -- mpirun -np {np} ./interp-portals {args}\n"
    "  sut-agent --url .. -- mpirun -client {client} {server} -np {np} ./interp-mpi {args}\n"
    "  sut-agent --url .. -- mpirun -server {clients} {options}\n"
    "  sut-agent --url .. --server 'mpirun -server {clients} {options}' -- mpirun -client {client} {server} ..\n"
    "\n"
    "  --url http://HOST:PORT  where the manager listens; --manager HOST:PORT says the same\n"
    "  --token TOKEN           the run's token; without it ASSAY_TOKEN of the environment is taken, which other users\n"
    "                          of this machine cannot see\n"
    "  --server WORDS          beside clients: the command of your IMPI server, which then takes part in jobs with\n"
    "                          clients of the reference; words are separated by blanks, quotes keep them together\n"
    "  --advertise HOST:PORT   where the interpreters find the manager, if not at the same address\n"
    "  --jobs N                so many cases may be executed at once, each with jobs of its own: up to 16, one if not\n"
    "                          given\n"
    "  --patience SECONDS      how long to try to connect again when the connection to the manager breaks, to go on "
    "with "
    "the\n"
    "                          run: up to 86400, 900 if not given; 0 ends at once\n"
    "  --quiet                 tell of failures only, and do not show what jobs print\n"
    "  --version, --help\n"
    "\n"
    "Status: 0 conforms, at least in part, 1 it does not, 2 wrong arguments, 3 refused or the manager is gone.\n";

static int misuse(const char *what, const char *which)
{
    report_say("%s%s; try --help", what, which);
    return EXIT_MISUSED;
}

/* address_of cuts http://HOST:PORT/ down to HOST:PORT, in place. NULL when it is another kind of URL. */
static const char *address_of(char *url)
{
    static const char scheme[] = "http://";
    char *address = url + sizeof scheme - 1;

    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return NULL;
    address[strcspn(address, "/")] = '\0';
    return strrchr(address, ':') ? address : NULL;
}

/* read_server cuts the server's template into words, as the shell has done with the other one. */
static int read_server(struct agent_options *options)
{
    const char *why;
    char **words = words_split(options->server_text, &why);

    if (words) {
        options->server = words;
        why = words_check_server(words);
        if (!why)
            return -1;
        words_free(words);
    }
    return misuse("--server: ", why);
}

/* read_count reads a whole number within bounds; where there is no text, *count stays. */
static bool read_count(const char *text, unsigned long long least, unsigned long long most, unsigned *count)
{
    unsigned long long number = *count;
    bool good = !text || text_read_count(text, least, most, &number);

    *count = (unsigned)number;
    return good;
}

static int check(struct agent_options *options)
{
    if (!options->manager)
        return misuse("--url is missing, or is not http://HOST:PORT", "");
    if (!options->token)
        return misuse("--token is missing, and ASSAY_TOKEN is not set", "");
    if (!connection_check_token(options->token))
        return misuse("the token must be 16 to 128 characters of A-Z a-z 0-9 _ -", "");
    if (!options->words || !options->words[0])
        return misuse("the command template is missing: put it behind --", "");
    if (!read_count(options->jobs_text, 1, OTHERS + 1, &options->jobs))
        return misuse("--jobs is not a whole number from 1 to 16: ", options->jobs_text);
    if (!read_count(options->patience_text, 0, 86400, &options->patience_s))
        return misuse("--patience is not a whole number from 0 to 86400: ", options->patience_text);
    return options->server_text ? read_server(options) : -1;
}

/* read_one takes one option and gives how many arguments it took; 0: it is none of ours, or its value is missing. */
static int read_one(char **arguments, struct agent_options *options)
{
    const char *name = arguments[0];
    char *value = arguments[1];

    if (strcmp(name, "--quiet") == 0) {
        options->quiet = true;
        return 1;
    }
    if (!value)
        return 0;
    if (strcmp(name, "--url") == 0)
        options->manager = address_of(value);
    else if (strcmp(name, "--manager") == 0)
        options->manager = value;
    else if (strcmp(name, "--token") == 0)
        options->token = value;
    else if (strcmp(name, "--server") == 0)
        options->server_text = value;
    else if (strcmp(name, "--advertise") == 0)
        options->advertised = value;
    else if (strcmp(name, "--jobs") == 0)
        options->jobs_text = value;
    else if (strcmp(name, "--patience") == 0)
        options->patience_text = value;
    else
        return 0;
    return 2;
}

int options_read(int count, char **arguments, struct agent_options *options)
{
    int i = 1;

    memset(options, 0, sizeof *options);
    options->token = getenv("ASSAY_TOKEN");
    options->jobs = 1;
    options->patience_s = 900;
    while (i < count && strcmp(arguments[i], "--") != 0) {
        int taken;
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            return report_printed();
        }
        if (strcmp(arguments[i], "--version") == 0) {
            puts("sut-agent " ASSAY_VERSION " (protocol 1)");
            return report_printed();
        }
        taken = read_one(arguments + i, options);
        if (!taken)
            return misuse("unknown argument, or its value is missing: ", arguments[i]);
        i += taken;
    }
    if (i < count)
        options->words = arguments + i + 1;
    if (!options->advertised)
        options->advertised = options->manager;
    return check(options);
}
