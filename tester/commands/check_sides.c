/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Violations by side (check_sides.h).
 */
#include "tester/commands/check_sides.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = CAPTURE_PEER + 1, PORT_MAX = 65535 };

static bool port_of(const char *text, uint16_t *port)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    *port = (uint16_t)number;
    return *text >= '0' && *text <= '9' && *end == 0 && number > 0 && number <= PORT_MAX;
}

bool check_sides_place(const char *text, struct wire_end *place)
{
    bool bracket = *text == '[';
    const char *close = bracket ? strchr(text, ']') : NULL;
    const char *colon = bracket ? close : strchr(text, ':');
    bool has_port = bracket ? close && close[1] == ':' : colon && !strchr(colon + 1, ':');
    char address[64];
    size_t len = bracket && close ? (size_t)(close - text - 1) : has_port ? (size_t)(colon - text) : strlen(text);
    struct wire_end made = {.family = 4};

    if (len >= sizeof address || (bracket && (!close || (close[1] != ':' && close[1] != 0)))) {
        return false;
    }
    memcpy(address, text + bracket, len);
    address[len] = 0;
    if (has_port && !port_of((bracket ? close + 1 : colon) + 1, &made.port)) {
        return false;
    }
    if (inet_pton(AF_INET, address, made.address) != 1) {
        made.family = 6;
        if (inet_pton(AF_INET6, address, made.address) != 1) {
            return false;
        }
    }
    *place = made;
    return true;
}

static const char *const names[SIDES] = {
    [CAPTURE_NO_SIDE] = "unknown", [CAPTURE_SYSTEM] = "system", [CAPTURE_PEER] = "peer"};

const char *check_sides_name(const struct findings *findings, const struct wire_examine_violation *violation)
{
    enum capture_side side = findings_side(findings, violation);

    return side == CAPTURE_NO_SIDE ? NULL : names[side];
}

static void count(const struct findings *findings, size_t counts[SIDES])
{
    for (size_t i = 0; i < findings->violation_count; i++) {
        counts[findings_side(findings, &findings->violations[i])]++;
    }
}

void check_sides_print(const struct findings *findings)
{
    size_t counts[SIDES] = {0};

    count(findings, counts);
    if (counts[CAPTURE_SYSTEM] + counts[CAPTURE_PEER] == 0) {
        return;
    }
    printf(" (%zu by the system under test, %zu by its peers", counts[CAPTURE_SYSTEM], counts[CAPTURE_PEER]);
    if (counts[CAPTURE_NO_SIDE]) {
        printf(", %zu by nobody knows whom", counts[CAPTURE_NO_SIDE]);
    }
    putchar(')');
}

json_t *check_sides_json(const struct findings *findings)
{
    size_t counts[SIDES] = {0};
    json_t *made = json_object();

    count(findings, counts);
    for (int side = 0; side < SIDES; side++) {
        json_object_set_new(made, names[side], json_integer((json_int_t)counts[side]));
    }
    return made;
}
