/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Symptoms (symptom.h).
 */
#include "tester/judging/symptom.h"

#include <stdio.h>
#include <string.h>

void symptom_set(struct symptom *symptom, enum symptom_kind kind, const char *subject, const char *detail, bool basic)
{
    *symptom = (struct symptom){.kind = kind, .basic = basic};
    snprintf(symptom->subject, sizeof symptom->subject, "%s", subject);
    snprintf(symptom->detail, sizeof symptom->detail, "%s", detail);
}

void symptom_text(const struct symptom *symptom, char text[SYMPTOM_TEXT])
{
    const char *subject = symptom->subject, *detail = symptom->detail;

    switch (symptom->kind) {
    case SYMPTOM_NONE:
        text[0] = 0;
        return;
    case SYMPTOM_RETURNS:
        snprintf(text, SYMPTOM_TEXT, "%s returns %s", subject, *detail ? detail : "no code");
        return;
    case SYMPTOM_MISSING:
        snprintf(text, SYMPTOM_TEXT, "%s", subject);
        return;
    case SYMPTOM_HANGS:
        snprintf(text, SYMPTOM_TEXT, "%s does not return", subject);
        return;
    case SYMPTOM_CRASHES:
        snprintf(text, SYMPTOM_TEXT, "%s in %s", detail, subject);
        return;
    case SYMPTOM_LOSES:
        snprintf(text, SYMPTOM_TEXT, "%s are lost at times", subject);
        return;
    }
}

bool symptom_same(const struct symptom *one, const struct symptom *other)
{
    return one->kind == other->kind && strcmp(one->subject, other->subject) == 0 &&
           strcmp(one->detail, other->detail) == 0;
}
