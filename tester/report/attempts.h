/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cases that were judged more than once in a run. The worst outcome is the case's: what has failed once is not undone
 * by passing later, and no certificate is got by trying until it goes well. All of them are kept, in report.json as
 *
 *     {"id":"put-one",.. the outcome that counts ..,"attempt":1,"attempts":[{"attempt":1,"verdict":"fail",..},..]}
 */
#ifndef TESTER_REPORT_ATTEMPTS_H
#define TESTER_REPORT_ATTEMPTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* attempts_of gives which attempt at the case an object is of; 0: the first. */
unsigned attempts_of(const json_t *object);

/* attempts_add adds a further attempt, an object as a case's own, to that of its case in the list, or puts it in the
 * place of it where it came out worse: true then. */
bool attempts_add(json_t *cases, json_t *attempt);

/* attempts_words says what came out, "fail, pass, pass"; "" where there was one attempt. The caller frees it. */
char *attempts_words(const json_t *object);

#endif
