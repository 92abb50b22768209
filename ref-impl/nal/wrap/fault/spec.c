/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading the spec of the fault network; see spec.h.
 */
#include "ref-impl/nal/wrap/fault/spec.h"

#include "wire/portals/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DELAY_MAX_MS = 60000, PART_OCTETS = 128 };

static bool probability_parse(const char *text, double *probability)
{
    char *end = NULL;
    double value = strtod(text, &end);

    if (end == text || *end || !(value >= 0.0 && value <= 1.0)) {
        return false;
    }
    *probability = value;
    return true;
}

static bool number_parse(const char *text, uint64_t max, uint64_t *number)
{
    char *end = NULL;

    if (*text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end || errno != 0 || value > max) {
        return false;
    }
    *number = value;
    return true;
}

/* "put|ack": names of messages. */
static bool kinds_parse(const char *text, uint32_t *kinds)
{
    char copy[PART_OCTETS];
    char *save = NULL;
    uint32_t found = 0;

    snprintf(copy, sizeof copy, "%s", text);
    for (const char *name = strtok_r(copy, "|", &save); name; name = strtok_r(NULL, "|", &save)) {
        const struct wire_message *message = wire_portals_message_named(name);

        if (!message || message->operation < WIRE_PORTALS_PUT || message->operation > WIRE_PORTALS_REPLY) {
            return false;
        }
        found |= 1U << message->operation;
    }
    *kinds = found;
    return found != 0;
}

/* The probability of that name, or NULL. */
static double *probability_named(const char *name, struct fault_spec *spec)
{
    if (strcmp(name, "drop") == 0) {
        return &spec->drop;
    }
    if (strcmp(name, "dup") == 0) {
        return &spec->dup;
    }
    return strcmp(name, "reorder") == 0 ? &spec->reorder : NULL;
}

/* Takes one part, name and value; NULL, or what it should have been. */
static const char *part_parse(const char *name, const char *value, struct fault_spec *spec)
{
    double *probability = probability_named(name, spec);
    uint64_t delay_ms = 0;

    if (probability) {
        return probability_parse(value, probability) ? NULL : "a probability from 0 to 1";
    }
    if (strcmp(name, "kinds") == 0) {
        return kinds_parse(value, &spec->kinds) ? NULL : "names out of put, ack, get, reply, separated by |";
    }
    if (strcmp(name, "seed") == 0) {
        return number_parse(value, UINT64_MAX, &spec->seed) ? NULL : "a number";
    }
    if (strcmp(name, "delay_ms") != 0) {
        return "drop, dup, reorder, delay_ms, seed or kinds as its name";
    }
    if (!number_parse(value, DELAY_MAX_MS, &delay_ms)) {
        return "a number of milliseconds up to 60000";
    }
    spec->delay_ms = (uint32_t)delay_ms;
    return NULL;
}

bool fault_spec_parse(const char *text, struct fault_spec *spec, char *problem, size_t cap)
{
    *spec = (struct fault_spec){.seed = 1, .kinds = FAULT_KINDS_ALL};
    for (size_t len; *text; text += len + (text[len] == ',')) {
        char part[PART_OCTETS];

        len = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(len < sizeof part ? len : sizeof part), text);
        char *equals = strchr(part, '=');
        if (!equals || len >= sizeof part) {
            snprintf(problem, cap, "'%s' is not of the form name=value", part);
            return false;
        }
        *equals = '\0';
        const char *wanted = part_parse(part, equals + 1, spec);
        if (wanted) {
            snprintf(problem, cap, "'%s=%s' needs %s", part, equals + 1, wanted);
            return false;
        }
    }
    return true;
}
