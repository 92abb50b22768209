/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The names of verdicts (verdict.h).
 */
#include "tester/profile/verdict.h"

#include <string.h>

const char *verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return "pass";
    case VERDICT_FAIL:
        return "fail";
    case VERDICT_WARN:
        return "warn";
    case VERDICT_SKIP:
        return "skip";
    case VERDICT_INCONCLUSIVE:
        return "inconclusive";
    }
    return "inconclusive";
}

enum verdict verdict_of(const char *name)
{
    enum verdict verdict = VERDICT_PASS;

    while (verdict != VERDICT_INCONCLUSIVE && (!name || strcmp(name, verdict_name(verdict)) != 0)) {
        verdict++;
    }
    return verdict;
}
