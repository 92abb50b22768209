/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Faults; see faults.h. A frame is damaged in at most one bit: the chance of it is that of any of its bits.
 */
#include "ref-impl/intercept/faults.h"

#include <stdlib.h>
#include <string.h>

/* SplitMix64: a counter, stirred. */
uint64_t intercept_faults_random(uint64_t *seed)
{
    uint64_t mixed = *seed += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

/* Whether something of that chance happens. */
static bool happens(struct intercept_faults *faults, double chance)
{
    return chance > 0 && (double)(intercept_faults_random(&faults->seed) >> 11) < chance * 9007199254740992.0;
}

bool intercept_faults_pass(struct intercept_faults *faults, unsigned plane, unsigned char *octets, size_t len)
{
    double bits = (double)len * 8;

    if (faults->cut >> plane & 1 || happens(faults, faults->lost)) {
        return false;
    }
    if (happens(faults, bits * faults->bit_errors)) {
        uint64_t bit = intercept_faults_random(&faults->seed) % (len * 8);

        octets[bit / 8] = (unsigned char)(octets[bit / 8] ^ 1U << bit % 8);
    }
    return true;
}

/* The value of "name=" at *text, up to `max`; moves *text behind it. */
static bool read_value(const char **text, const char *name, double max, double *value)
{
    size_t len = strlen(name);
    char *end = NULL;
    double got;

    if (strncmp(*text, name, len) != 0 || (*text)[len] < '0' || (*text)[len] > '9') {
        return false;
    }
    got = strtod(*text + len, &end);
    if (!(got >= 0 && got <= max) || (*end != ',' && *end != '\0')) {
        return false;
    }
    *text = end;
    *value = got;
    return true;
}

bool intercept_faults_read(const char *text, struct intercept_faults *faults, const char **wrong)
{
    struct intercept_faults got = {.seed = 1};

    while (*text) {
        double value = 0;

        *wrong = text;
        if (read_value(&text, "lost=", 1, &value)) {
            got.lost = value;
        } else if (read_value(&text, "bit-errors=", 1, &value)) {
            got.bit_errors = value;
        } else if (read_value(&text, "cut=", 15, &value)) {
            got.cut = (unsigned)value;
        } else if (read_value(&text, "skew=", 1e6, &value)) {
            got.skew_ns = (uint32_t)value;
        } else if (read_value(&text, "slow=", 1e9, &value)) {
            got.slow_ns = (uint64_t)value;
        } else if (read_value(&text, "seed=", 4294967295.0, &value)) {
            got.seed = (uint64_t)value;
        } else {
            return false;
        }
        text += *text == ',';
    }
    *faults = got;
    return true;
}
