/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The test interpreter (interp-portals, interp-mpi). A vendor links it with the library to be tested and starts it, one
 * process for each rank, where that library's programs are started. It connects to the test manager and does what that
 * says (specs/interpreter.md). The main thread executes commands, since some libraries want to be called from it;
 * others read, watch, and execute what the manager gives to threads.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/connection.h"
#include "../common/line.h"
#include "../common/lines.h"
#include "../common/report.h"
#include "api.h"
#include "call.h"
#include "executor.h"
#include "fatal.h"
#include "output.h"
#include "reader.h"
#include "verbs.h"
#include "watch.h"

static const char usage[] =
    "usage: %s --manager HOST:PORT [--token TOKEN] [--core]\n"
    "\n"
    "Executes the commands of a test manager with the %s library that it is linked with.\n"
    "Usually started by sut-agent, which supplies the arguments.\n"
    "\n"
    "  --manager HOST:PORT  where the manager listens\n"
    "  --token TOKEN        the job's token; without it ASSAY_TOKEN of the environment is taken\n"
    "  --core               after a fatal signal leave a core file instead of status 70\n"
    "%s"
    "  --version, --help\n"
    "\n"
    "Status: 0 done, 2 wrong arguments, 3 refused or the manager is gone, 70 fatal signal, 71 deadline passed.\n";

struct options {
    const char *manager, *token;
    bool core;
};

/* misuse prints what is wrong with the arguments and gives the status for it. */
static int misuse(const char *what, const char *which)
{
    report_say("%s%s; try --help", what, which);
    return EXIT_MISUSED;
}

/* read_options gives -1 to go on, else the status with which the program ends. */
static int read_options(int count, char **arguments, struct options *options)
{
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        const char **value = strcmp(name, "--manager") == 0 ? &options->manager
                             : strcmp(name, "--token") == 0 ? &options->token
                                                            : NULL;
        if (value && i + 1 == count)
            return misuse("a value is missing behind ", name);
        if (value) {
            *value = arguments[++i];
        } else if (strcmp(name, "--core") == 0) {
            options->core = true;
        } else if (strcmp(name, "--help") == 0) {
            printf(usage, api.program, api.library, api.options);
            return report_printed();
        } else if (strcmp(name, "--version") == 0) {
            printf("%s " ASSAY_VERSION " (protocol 1, api %s)\n", api.program, api.name);
            return report_printed();
        } else if (api.leaves_to) {
            report_say("argument %s is left to %s", name, api.leaves_to);
        } else {
            return misuse("unknown argument ", name);
        }
    }
    if (!options->manager)
        return misuse("--manager is missing", "");
    if (!options->token)
        return misuse("--token is missing, and ASSAY_TOKEN is not set", "");
    if (!connection_check_token(options->token))
        return misuse("the token must be 16 to 128 characters of A-Z a-z 0-9 _ -", "");
    return -1;
}

static void add_hello(struct line *hello, const char *features)
{
    const uint16_t one = 1;
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    line_add(hello, "hello versions=1 role=interpreter api=%s name=%s/%s pid=%ld host=", api.name, api.program,
             ASSAY_VERSION, (long)getpid());
    line_add_encoded(hello, host, strlen(host));
    line_add(hello, " order=%s features=threads,guard%s\n", *(const unsigned char *)&one ? "little" : "big", features);
}

int main(int argc, char **argv)
{
    struct options options = {.token = getenv("ASSAY_TOKEN")};
    static struct lines lines; /* the reader's, for the life of the process */
    struct line hello = {0};
    const char *features;
    bool connected;
    int status;

    report_name(api.program);
    features = api.begin(&argc, &argv);
    status = read_options(argc, argv, &options);
    if (status >= 0)
        return status;
    add_hello(&hello, features);
    connected = !hello.failed && connection_open(options.manager, options.token, hello.text, &lines) == CONNECTION_OPEN;
    line_release(&hello);
    if (!connected)
        return EXIT_REFUSED;
    output_open(lines.fd);
    executor_open(verbs_execute);
    fatal_open(options.core);
    if (!values_open() || !watch_open() || !reader_open(&lines)) {
        report_say("the system gives too little memory or too few threads");
        output_quit();
        return EXIT_REFUSED;
    }
    api.ready();
    executor_run(executor_at(0));
    return EXIT_DONE;
}
