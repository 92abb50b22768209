/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * junit.xml, for continuous integration.
 */
#ifndef TESTER_REPORT_JUNIT_H
#define TESTER_REPORT_JUNIT_H

#include "tester/report/outcome.h"
#include "tester/report/results.h"

#include <stdbool.h>

/* junit_write writes the results under the profile's name, and what they come to, as JUnit XML; `started` is ISO 8601.
 * False with errno set when that fails. */
bool junit_write(const struct results *results, const struct outcome *outcome, const char *profile, const char *started,
                 const char *path);

#endif
