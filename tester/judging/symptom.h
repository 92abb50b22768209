/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is seen of a fault, as far as other cases may see the same.
 */
#ifndef TESTER_JUDGING_SYMPTOM_H
#define TESTER_JUDGING_SYMPTOM_H

#include <stdbool.h>

enum symptom_kind {
    SYMPTOM_NONE,    /* nothing that another case could have in common */
    SYMPTOM_RETURNS, /* a call returns a code that it should not */
    SYMPTOM_MISSING, /* a step is not taken: an event, a message, a start-up */
    SYMPTOM_HANGS,   /* a function does not return */
    SYMPTOM_CRASHES, /* the process dies in a function */
    SYMPTOM_LOSES,   /* what should come each time does not come at times */
};

enum { SYMPTOM_ROOM = 96, SYMPTOM_TEXT = 2 * SYMPTOM_ROOM + 32 };

/* struct symptom is how a case came to its end. `subject` is the function ("PtlMEAttach"), the step ("no event comes"),
 * or of SYMPTOM_LOSES what is lost ("messages"); `detail` the code or signal. `basic`: a case that shows it was not yet
 * at what it judges. */
struct symptom {
    enum symptom_kind kind;
    char subject[SYMPTOM_ROOM], detail[SYMPTOM_ROOM];
    bool basic;
};

/* symptom_set fills a symptom; detail may be "". symptom_text writes it as a person reads it: "PtlEQGet does not
 * return". */
void symptom_set(struct symptom *symptom, enum symptom_kind kind, const char *subject, const char *detail, bool basic);
void symptom_text(const struct symptom *symptom, char text[SYMPTOM_TEXT]);

/* symptom_same tells whether two are the same. */
bool symptom_same(const struct symptom *one, const struct symptom *other);

#endif
