/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reports of a run: report.json (DESIGN, section 7, and more fields), the same to read as report.html, and
 * junit.xml.
 */
#ifndef TESTER_REPORT_REPORT_H
#define TESTER_REPORT_REPORT_H

#include "tester/profile/profile.h"
#include "tester/profile/selection.h"
#include "tester/report/outcome.h"
#include "tester/report/results.h"
#include "tester/sut/facts.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct report_subject is the run that is reported on; all pointers are the caller's. */
struct report_subject {
    const char *folder; /* where the reports go */
    const struct profile *profile;
    const char *sut_name; /* of the system under test; may be "" */
    const char *problem;  /* why the run could not judge; "" when there was no reason */
    const char *started;  /* ISO 8601 */
    int64_t begin_ms;     /* the same by clock_now_ms */
    uint64_t seed;
    const struct sut_facts *facts;
    const json_t *build; /* what was judged, as build_json gives it (tester/sut/build.h); or NULL */
    const struct selection *selection;
    const struct results *results;
};

/* report_outcome decides what the run has come to so far. */
void report_outcome(const struct report_subject *subject, struct outcome *outcome);

/* report_write writes report.json, report.html and junit.xml, each complete or not at all; false and a message when one
 * could not be. */
bool report_write(const struct report_subject *subject, char *message, size_t message_octets);

#endif
