/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of portalsrun; see options.h. `-np` is what users of such launchers type, though it is no option
 * that getopt could read: one hyphen, two letters.
 */
#include "ref-impl/launch/options.h"

#include "ref-impl/nal/networks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 4096, JOIN_SECONDS = 60, JOIN_SECONDS_MAX = 86400 };

static const char help_begin[] =
    "usage: portalsrun -np N [--nal NETWORK] [--trace FILE] [--listen ADDRESS] [--join-timeout SECONDS]\n"
    "                  PROGRAM [ARGUMENT...]\n"
    "\n"
    "Starts N processes of PROGRAM on this machine as one Portals job.\n"
    "\n"
    "  -np N, -n N             how many processes, 1 to 4096; ranks are 0 to N-1\n"
    "  --nal NETWORK           the network that the processes use; without this option ASSAY_NAL names it, and where\n"
    "                          that is not set each peer is reached over the nearest one that reaches it\n";

static const char help_end[] =
    "  --trace FILE            write what the processes send and receive to FILE, a capture for Wireshark\n"
    "  --listen ADDRESS        IPv4 address of the job directory and of the processes (127.0.0.1)\n"
    "  --join-timeout SECONDS  how long others may take to join after the first has (60)\n"
    "  --help, --version       say this, or which version it is\n"
    "\n"
    "Rank 0 gets the standard input. SIGINT, SIGTERM and SIGHUP are forwarded. When a process fails, the others get\n"
    "SIGTERM, and SIGKILL two seconds later.\n"
    "\n"
    "Exit status: 0 when every process exited with 0 and left the job in order; otherwise that of the first process\n"
    "that failed, or 128 plus the number of the signal that ended it; 1 when a process did not join, or exited "
    "without\n"
    "leaving; 2 wrong usage; 126 PROGRAM cannot be run; 127 PROGRAM not found.\n";

/* One line on stderr: what is wrong. Always OPTIONS_WRONG. */
__attribute__((format(printf, 1, 2))) static enum options_outcome wrong(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fputs("portalsrun: ", stderr);
    vfprintf(stderr, fmt, args);
    fputs("; portalsrun --help tells more\n", stderr);
    va_end(args);
    return OPTIONS_WRONG;
}

static bool number_read(const char *text, uint32_t max, uint32_t *number)
{
    char *end = NULL;

    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || errno != 0 || value == 0 || value > max) {
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

static enum options_outcome nal_read(const char *value, struct options *options)
{
    char names[NETWORKS_NAMES_OCTETS];

    if (!networks_find(value)) {
        return wrong("unknown network '%s'; this library has %s", value, networks_names("and", names));
    }
    options->nal = value;
    return OPTIONS_RUN;
}

static void help_show(void)
{
    fputs(help_begin, stdout);
    for (size_t i = 0; i < networks_count(); i++) {
        printf("      %-19s %s\n", networks_row(i)->name, networks_row(i)->about);
    }
    fputs(help_end, stdout);
}

/* One option that has a value. */
static enum options_outcome option_read(const char *name, const char *value, struct options *options)
{
    bool count = strcmp(name, "-np") == 0 || strcmp(name, "-n") == 0;
    bool known = count || strcmp(name, "--nal") == 0 || strcmp(name, "--trace") == 0 || strcmp(name, "--listen") == 0 ||
                 strcmp(name, "--join-timeout") == 0;

    if (!known) {
        return wrong("unknown option %s", name);
    }
    if (!value) {
        return wrong("option %s needs a value", name);
    }
    if (count) {
        return number_read(value, PROCESSES_MAX, &options->count)
                   ? OPTIONS_RUN
                   : wrong("%s %s: the number of processes must be 1 to %d", name, value, PROCESSES_MAX);
    }
    if (strcmp(name, "--nal") == 0) {
        return nal_read(value, options);
    }
    if (strcmp(name, "--trace") == 0) {
        options->trace = value;
        return OPTIONS_RUN;
    }
    if (strcmp(name, "--listen") == 0) {
        return inet_pton(AF_INET, value, &options->listen) == 1 ? OPTIONS_RUN
                                                                : wrong("--listen %s is not an IPv4 address", value);
    }
    return number_read(value, JOIN_SECONDS_MAX, &options->join_seconds)
               ? OPTIONS_RUN
               : wrong("--join-timeout %s: must be 1 to %d seconds", value, JOIN_SECONDS_MAX);
}

enum options_outcome options_read(int argc, char **argv, struct options *options)
{
    int i = 1;

    options->join_seconds = JOIN_SECONDS;
    options->listen.s_addr = htonl(INADDR_LOOPBACK);
    while (i < argc && argv[i][0] == '-') {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help_show();
            return OPTIONS_SHOWN;
        }
        if (strcmp(argv[i], "--version") == 0) {
            puts("portalsrun " ASSAY_VERSION);
            return OPTIONS_SHOWN;
        }
        enum options_outcome outcome = option_read(argv[i], i + 1 < argc ? argv[i + 1] : NULL, options);
        if (outcome != OPTIONS_RUN) {
            return outcome;
        }
        i += 2;
    }
    if (options->count == 0) {
        return wrong("say how many processes: portalsrun -np N PROGRAM");
    }
    if (i == argc) {
        return wrong("say which program to run");
    }
    options->command = argv + i;
    return OPTIONS_RUN;
}
