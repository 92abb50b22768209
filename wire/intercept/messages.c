/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The messages of the Intercept network as tables, made from the lists of message_rows.h.
 */
#include "wire/intercept/messages.h"

#include "wire/intercept/message_rows.h"

#include <assert.h>
#include <string.h>

static const struct wire_value kind_values[] = {
    {WIRE_INTERCEPT_VDMA, "vdma_data"},        {WIRE_INTERCEPT_SHORT, "short_message"},
    {WIRE_INTERCEPT_COMMAND, "command"},       {WIRE_INTERCEPT_ACKNOWLEDGE, "acknowledge"},
    {WIRE_INTERCEPT_RETRANSMIT, "retransmit"}, {0, NULL},
};

static const struct wire_value command_values[] = {{WIRE_INTERCEPT_COMMAND_CREDIT, "credit"}, {0, NULL}};

static const struct wire_value rmpp_values[] = {
    {1, "rts"},       {2, "cts"},    {3, "next_cts"}, {4, "data"}, {5, "stop_data"},
    {6, "last_data"}, {7, "msgend"}, {8, "msgerror"}, {0, NULL},
};

static const struct wire_value control_values[] = {
    {1, "connect"},       {2, "refuse"},    {3, "vdma_get"},    {4, "vdma_put"}, {5, "done"},
    {6, "get_ext_reply"}, {7, "try_match"}, {8, "match_reply"}, {9, "upd_conn"}, {0, NULL},
};

static const struct wire_value status_values[] = {
    {WIRE_INTERCEPT_STATUS_OK, "ok"},
    {WIRE_INTERCEPT_STATUS_NO_MATCH, "no match"},
    {WIRE_INTERCEPT_STATUS_FAULT, "fault"},
    {WIRE_INTERCEPT_STATUS_CONNECTED, "connected"},
    {WIRE_INTERCEPT_STATUS_UNKNOWN, "unknown"},
    {WIRE_INTERCEPT_STATUS_NO_RESOURCES, "no resources"},
    {0, NULL},
};

#define TABLE_ROW(member, label_, clause_, offset_, width_, base_, values_, help_)                                     \
    {.name = #member,                                                                                                  \
     .label = label_,                                                                                                  \
     .clause = clause_,                                                                                                \
     .offset = offset_,                                                                                                \
     .width = width_,                                                                                                  \
     .base = base_,                                                                                                    \
     .values = values_,                                                                                                \
     .help = help_},
#define PLUS_WIDTH(member, label, clause, offset, width, base, values, help) +(width)

/* Each message's table, its length, and what its entry in the list of messages says of them. */
#define ROW_TABLE(id, name, label, clause, kind, ROWS, payload_row)                                                    \
    static const struct wire_row rows_##id[] = {ROWS(TABLE_ROW)};
#define LENGTH(id, name, label, clause, kind, ROWS, payload_row) OCTETS_##id = 0 ROWS(PLUS_WIDTH),
#define IS_BOUNDED(id, name, label, clause, kind, ROWS, payload_row)                                                   \
    static_assert((int)OCTETS_##id <= (int)WIRE_INTERCEPT_FIXED_MAX, "the maximum is that of the longest table");
#define ENTRY(id, name, label, clause, kind, ROWS, payload_row)                                                        \
    [WIRE_INTERCEPT_##id] = {name,                                                                                     \
                             label,                                                                                    \
                             clause,                                                                                   \
                             WIRE_INTERCEPT_##kind,                                                                    \
                             OCTETS_##id,                                                                              \
                             rows_##id,                                                                                \
                             sizeof rows_##id / sizeof rows_##id[0],                                                   \
                             payload_row,                                                                              \
                             OCTETS_##id - WIRE_INTERCEPT_HEADER_OCTETS},

ICPT_MESSAGES(ROW_TABLE)

enum { ICPT_MESSAGES(LENGTH) };

ICPT_MESSAGES(IS_BOUNDED)

//= ICPT-001
//= ICPT-278
//= ICPT-279
//= ICPT-280
//= ICPT-284
//= ICPT-288
//= ICPT-292
//= ICPT-293
const struct wire_message wire_intercept_messages[WIRE_INTERCEPT_COUNT] = {ICPT_MESSAGES(ENTRY)};

const struct wire_message *wire_intercept_message_named(const char *name)
{
    for (size_t i = 0; i < WIRE_INTERCEPT_COUNT; i++) {
        if (strcmp(wire_intercept_messages[i].name, name) == 0) {
            return &wire_intercept_messages[i];
        }
    }
    return NULL;
}
