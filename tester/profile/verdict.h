/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a case may come to.
 */
#ifndef TESTER_PROFILE_VERDICT_H
#define TESTER_PROFILE_VERDICT_H

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_WARN, VERDICT_SKIP, VERDICT_INCONCLUSIVE };

enum { VERDICT_COUNT = VERDICT_INCONCLUSIVE + 1 };

/* verdict_name gives the report's word: "pass", "fail", "warn", "skip", "inconclusive". */
const char *verdict_name(enum verdict verdict);

/* verdict_of gives the verdict of such a word; what is none of them, or NULL, is inconclusive. */
enum verdict verdict_of(const char *name);

#endif
