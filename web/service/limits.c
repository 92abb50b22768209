/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of limits.
 */
#include "web/service/limits.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    unsigned otherwise, least, most;
} table[LIMITS] = {
    [LIMIT_STREAMS] = {"streams", "live views that are open at once", 256, 1, 2048},
    [LIMIT_ACCOUNT_STREAMS] = {"account-streams", "likewise of one account", 32, 1, 2048},
    [LIMIT_RUNS] = {"runs", "runs that are executed at once; others wait for their turn", 32, 1, LIMIT_RUNS_MOST},
    [LIMIT_ACCOUNT_RUNS] = {"account-runs", "likewise of one account", 4, 1, 1024},
    [LIMIT_CAPTURE_MIB] = {"capture-mib", "MiB that the capture of one case may have; it is cut off there", 2, 1, 256},
    [LIMIT_RUN_MIB] = {"run-mib", "MiB of evidence of one run; a run that has more is ended", 1024, 1, 1048576},
    [LIMIT_ACCOUNT_MIB] = {"account-mib", "MiB that the runs of one account may hold; no new run beyond", 16384, 1,
                           1073741824},
    [LIMIT_ACCOUNT_ITEMS] = {"account-items", "implementations, and likewise runs, that one account may keep", 2000, 1,
                             1000000},
    [LIMIT_ACCOUNT_REQUESTS] = {"account-requests", "requests of one account in a minute", 6000, 1, 60000000},
    [LIMIT_ACCOUNT_COSTLY] = {"account-costly", "those among them that make, cancel or delete runs", 240, 1, 1000000},
    [LIMIT_ADDRESS_REQUESTS] = {"address-requests", "likewise from one address, of those who are not signed in", 12000,
                                1, 1000000},
    [LIMIT_CACHE_MIB] = {"cache-mib", "MiB of memory for answers that are kept", 128, 1, 1048576},
    [LIMIT_REQUEST_SECONDS] = {"request-seconds", "seconds in which a request must have come whole", 60, 1, 3600},
    [LIMIT_AGENT_SECONDS] = {"agent-seconds", "seconds that a run waits for a launch agent that was lost; 0: it ends",
                             900, 0, 86400},
    [LIMIT_DECODERS] = {"decoders", "captures that are decoded for pages at once, a process each", 8, 1, 256},
    [LIMIT_ACCOUNT_DECODERS] = {"account-decoders", "likewise for one account", 2, 1, 256},
    [LIMIT_RETAIN_DAYS] = {"retain-days", "days that the evidence of runs without certificate is kept; 0: for good", 0,
                           0, 36500},
    [LIMIT_BUNDLE_MINUTES] = {"bundle-minutes", "minutes from the end of a run until its evidence is packed together",
                              1, 0, 525600},
};

void limits_default(struct limits *limits)
{
    for (size_t i = 0; i < LIMITS; i++) {
        limits->of[i] = table[i].otherwise;
    }
}

/* The number after the sign; false when it is none, or out of bounds. */
static bool read_number(const char *text, size_t index, unsigned *value)
{
    char *end;
    unsigned long number;

    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    number = strtoul(text, &end, 10);
    *value = (unsigned)number;
    return *end == '\0' && number >= table[index].least && number <= table[index].most;
}

bool limits_set(struct limits *limits, const char *text, char *message, size_t message_octets)
{
    size_t len = strcspn(text, "=");

    for (size_t i = 0; i < LIMITS; i++) {
        if (strncmp(table[i].name, text, len) != 0 || table[i].name[len] != '\0') {
            continue;
        }
        if (text[len] == '=' && read_number(text + len + 1, i, &limits->of[i])) {
            return true;
        }
        snprintf(message, message_octets, "--limit %s=N: N must be a whole number from %u to %u", table[i].name,
                 table[i].least, table[i].most);
        return false;
    }
    snprintf(message, message_octets, "--limit: there is no limit \"%.*s\" (see assayd --help)",
             len < 40 ? (int)len : 40, text);
    return false;
}

const char *limits_name(enum limit limit)
{
    return table[limit].name;
}

uint64_t limits_octets(const struct limits *limits, enum limit limit)
{
    return (uint64_t)limits->of[limit] << 20;
}

void limits_print(FILE *out)
{
    for (size_t i = 0; i < LIMITS; i++) {
        fprintf(out, "    %-18s %-6u %s\n", table[i].name, table[i].otherwise, table[i].meaning);
    }
}
