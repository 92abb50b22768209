/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The names of verdicts (verdict.h).
 */
#include "tester/profile/verdict.h"

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
