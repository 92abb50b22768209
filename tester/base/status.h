/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the engine's operations answer.
 */
#ifndef TESTER_BASE_STATUS_H
#define TESTER_BASE_STATUS_H

enum engine_status {
    ENGINE_OK,
    ENGINE_NO_MEMORY,
    ENGINE_NO_PROFILE,    /* no such profile */
    ENGINE_BAD_TABLE,     /* the table of profiles is broken; the message says file, row and field */
    ENGINE_NO_CASE,       /* the selection is empty: no such suite or case */
    ENGINE_BAD_CASE,      /* a case file does not load; the message says file, line and why */
    ENGINE_BAD_GUEST,     /* the profile knows no meetings of implementations */
    ENGINE_BAD_SERVER,    /* the command of an own server can be none, or the profile knows no servers */
    ENGINE_BAD_WAIVERS,   /* engine_config.waivers is no list of waivers */
    ENGINE_BAD_STATEMENT, /* the conformance statement cannot be read, or says what the profile does not know */
    ENGINE_BAD_EARLIER,   /* what an earlier run has told is none of these cases' */
    ENGINE_UNWRITABLE,    /* the report folder cannot be written */
    ENGINE_UNKNOWN_TOKEN, /* attach: nobody waits for this token */
    ENGINE_USED_TOKEN,    /* attach: every connection that this token stands for has been made */
    ENGINE_OVER_TOKEN,    /* attach: the run or job that this token stood for is over */
};

#endif
