/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The forgeries of a case (forgery.h). The passive checkers note, the case declares (tester/cases/lib/forge.lua), and
 * when its function has returned the two are compared.
 */
#include "tester/judging/forgery.h"

#include "tester/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_MAX = 1024 };

/* A violation that is not declared yet, or a debt. */
struct forgery {
    struct forgery *next;
    const void *where; /* of a debt: NULL */
    const char *rule;  /* static; of a debt: NULL */
    unsigned number;
    char *text;
};

struct forgeries {
    struct forgery *open;
    unsigned open_count, numbered;
    unsigned declared, sane;
};

struct forgeries *forgery_open(void)
{
    return memory_zero(sizeof(struct forgeries));
}

/* Takes the entry out of the list. */
static void drop(struct forgeries *forgeries, struct forgery **at)
{
    struct forgery *gone = *at;

    *at = gone->next;
    forgeries->open_count--;
    free(gone->text);
    free(gone);
}

void forgery_close(struct forgeries *forgeries)
{
    while (forgeries && forgeries->open) {
        drop(forgeries, &forgeries->open);
    }
    free(forgeries);
}

static unsigned add(struct forgeries *forgeries, const void *where, const char *rule, const char *text)
{
    struct forgery *one = memory_zero(sizeof *one);
    struct forgery **at = &forgeries->open;

    while (*at) {
        at = &(*at)->next;
    }
    *one = (struct forgery){.where = where, .rule = rule, .number = ++forgeries->numbered, .text = memory_text(text)};
    *at = one;
    forgeries->open_count++;
    return one->number;
}

void forgery_found(struct forgeries *forgeries, const void *where, const char *rule, const char *text)
{
    if (forgeries && forgeries->open_count < OPEN_MAX) { /* more will not make the case any better */
        (void)add(forgeries, where, rule, text);
    }
}

void forgery_forgive(struct forgeries *forgeries, const void *where, const char *rule)
{
    for (struct forgery **at = &forgeries->open; *at;) {
        bool meant = (*at)->rule && strcmp((*at)->rule, rule) == 0 && (!where || (*at)->where == where);
        if (meant) {
            drop(forgeries, at);
        } else {
            at = &(*at)->next;
        }
    }
}

bool forgery_declare(struct forgeries *forgeries, const void *where, const char *rule)
{
    unsigned before = forgeries->open_count;

    forgery_forgive(forgeries, where, rule);
    forgeries->declared += forgeries->open_count != before;
    return forgeries->open_count != before;
}

const char *forgery_heard(const struct forgeries *forgeries, const void *where)
{
    const struct forgery *one = forgeries->open;

    while (one && (!one->rule || (where && one->where != where))) {
        one = one->next;
    }
    return one ? one->text : NULL;
}

bool forgery_stands(const struct forgeries *forgeries, const char *rule)
{
    const struct forgery *one = forgeries->open;

    while (one && (!one->rule || strcmp(one->rule, rule) != 0)) {
        one = one->next;
    }
    return one != NULL;
}

unsigned forgery_owe(struct forgeries *forgeries, const char *text)
{
    forgeries->declared++;
    return add(forgeries, NULL, NULL, text);
}

void forgery_settle(struct forgeries *forgeries, unsigned number)
{
    for (struct forgery **at = &forgeries->open; *at; at = &(*at)->next) {
        if ((*at)->number == number) {
            drop(forgeries, at);
            return;
        }
    }
}

void forgery_sane(struct forgeries *forgeries)
{
    forgeries->sane++;
}

void forgery_judge(const struct forgeries *forgeries, struct judge *judge)
{
    bool negative = judge->about->negative;

    for (const struct forgery *one = forgeries->open; one && !judge->ended; one = one->next) {
        judge_end_format(judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s",
                         one->rule ? "a scripted peer breaks a rule and the case does not declare it"
                                   : "nothing shows that the same message is accepted in another state",
                         one->text);
    }
    if (negative && forgeries->declared == 0 && !judge->ended) {
        judge_end_format(judge, VERDICT_INCONCLUSIVE, "tester",
                         "the case says that it is negative, and has not shown any message to be invalid");
    }
    if (negative && forgeries->sane == 0 && !judge->ended) {
        judge_end_format(judge, VERDICT_INCONCLUSIVE, "tester", "the case is negative and has no sanity step");
    }
    if (!negative && forgeries->declared && !judge->ended) {
        judge_end_format(judge, VERDICT_INCONCLUSIVE, "tester", "the case forges and does not say that it is negative");
    }
}
