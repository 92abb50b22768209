/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The variables of the environment: see settings.h.
 */
#include "ref-impl/gasnet/base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct settings read_values;

struct setting {
    const char *name;
    uint64_t *value;
    uint64_t usual, least, most;
};

enum { YES = 1, MANY = 1 << 20, EXIT_MOST = 3600 };

#define GIGABYTE ((uint64_t)1 << 30)

/* A later row of the same value is another name for it. */
static const struct setting table[] = {
    {"GASNET_PORTAL_CREDIT_STATS", &read_values.statistics, 0, 0, YES},                       //= GASN-117
    {"GASNET_PORTAL_SB_CHUNKS", &read_values.request_chunks, 512, 1, 8192},                   //= GASN-115 GASN-118
    {"GASNET_PORTAL_RPL_CHUNKS", &read_values.reply_chunks, 64, 1, 8192},                     //= GASN-119
    {"GASNET_PORTAL_NUM_TMPMD", &read_values.temporaries, 1024, 2, 65536},                    //= GASN-120
    {"GASNET_PORTAL_PUTGET_LIMIT", &read_values.messages, 250, 0, 65536},                     //= GASN-132
    {"GASNET_PORTAL_MSG_LIMIT", &read_values.messages, 250, 0, 65536},                        //= GASN-121
    {"GASNET_PORTAL_PACKED_LONG", &read_values.packed_long, 1, 0, YES},                       //= GASN-122
    {"GASNET_PORTAL_EPOCH_DURATION", &read_values.epoch, 1024, 1, MANY},                      //= GASN-123
    {"GASNET_PORTAL_FLOW_CONTROL", &read_values.flow_control, 1, 0, YES},                     //= GASN-124
    {"GASNET_PORTAL_DYNAMIC_CREDITS", &read_values.dynamic, 1, 0, YES},                       //= GASN-125
    {"GASNET_PORTAL_MAX_CRED_PER_NODE", &read_values.credits_most, 400, CREDITS_LEAST, MANY}, //= GASN-126
    {"GASNET_PORTAL_SAFE_LIMIT", &read_values.safe_events, 12, 1, MANY},                      //= GASN-127
    {"GASNET_PORTAL_AM_LIMIT", &read_values.request_events, 8, 1, MANY},                      //= GASN-128
    {"GASNET_PORTAL_SYS_LIMIT", &read_values.system_events, 0, 0, MANY},                      //= GASN-129
    {"GASNET_PORTAL_CRED_PER_NODE", &read_values.credits_each, 32, CREDITS_LEAST, MANY},      //= GASN-130
    {"GASNET_PORTAL_BANKED_CREDITS", &read_values.credits_banked, 64, 0, MANY},
    {"GASNET_PORTAL_AMRECV_SPACE", &read_values.receive_octets, 0, 0, GIGABYTE},
    {"GASNET_MAX_SEGSIZE", &read_values.segment_octets, GIGABYTE, 4096, (uint64_t)1 << 40}, //= GASN-043 GASN-134
    {"GASNET_EXITTIMEOUT", &read_values.exit_seconds, 0, 0, EXIT_MOST},                     //= GASN-133
    {"GASNET_EXITTIMEOUT_MIN", &read_values.exit_least, 5, 1, EXIT_MOST},
    {"GASNET_EXITTIMEOUT_MAX", &read_values.exit_most, 360, 1, EXIT_MOST},
};

/* A number, with K, M or G behind it perhaps (also KB and so on); false when it is none. */
static bool number(const char *text, uint64_t *value)
{
    char *end;
    unsigned shift = 0;

    errno = 0;
    *value = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)*text) || errno) {
        return false;
    }
    switch (toupper((unsigned char)*end)) {
    case 'G':
        shift += 10; /* fall through */
    case 'M':
        shift += 10; /* fall through */
    case 'K':
        shift += 10;
        end += toupper((unsigned char)end[1]) == 'B' ? 2 : 1;
        break;
    default:
        break;
    }
    if (*end || *value > UINT64_MAX >> shift) {
        return false;
    }
    *value <<= shift;
    return true;
}

static bool read_one(const struct setting *row)
{
    const char *text = getenv(row->name);
    uint64_t value;

    if (!text || !*text) {
        return true;
    }
    if (!number(text, &value) || value < row->least || value > row->most) {
        (void)fprintf(stderr, "gasnet: %s=%s is no number from %" PRIu64 " to %" PRIu64 "\n", row->name, text,
                      row->least, row->most);
        return false;
    }
    *row->value = value;
    return true;
}

/* The one value that may be a fraction. */
static bool read_factor(void)
{
    const char *text = getenv("GASNET_EXITTIMEOUT_FACTOR");
    char *end;
    double value;

    read_values.exit_factor = 0.25;
    if (!text || !*text) {
        return true;
    }
    value = strtod(text, &end);
    if (*end || !(value >= 0 && value <= EXIT_MOST)) {
        (void)fprintf(stderr, "gasnet: GASNET_EXITTIMEOUT_FACTOR=%s is no number from 0 to %d\n", text, EXIT_MOST);
        return false;
    }
    read_values.exit_factor = value;
    return true;
}

bool settings_read(void)
{
    const size_t count = sizeof(table) / sizeof(*table);
    bool good = read_factor();

    for (size_t i = 0; i < count; i++) {
        *table[i].value = table[i].usual;
    }
    for (size_t i = 0; i < count; i++) {
        good = read_one(&table[i]) && good;
    }
    if (read_values.messages == 0) {
        read_values.messages = 65536; /* no limit but that of a queue */
    }
    if (good && read_values.messages < 4) {
        (void)fprintf(stderr, "gasnet: GASNET_PORTAL_MSG_LIMIT must be 0 or at least 4: a reply may take two messages "
                              "while a request waits\n");
        good = false;
    }
    return good;
}

const struct settings *settings_get(void)
{
    return &read_values;
}

unsigned settings_exit_seconds(uint32_t nodes) //= GASN-133
{
    double wanted = (double)read_values.exit_least + read_values.exit_factor * nodes;

    if (read_values.exit_seconds > 0) {
        return (unsigned)read_values.exit_seconds;
    }
    return wanted < (double)read_values.exit_most ? (unsigned)wanted : (unsigned)read_values.exit_most;
}
