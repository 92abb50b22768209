/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker of a case on the Intercept network: has the checker of wire/ (intercept/check.h) judge every
 * frame that the system under test sends over the links of the manager's switch. What the scripted cards break is not
 * held against anybody: it shows that they forge (forgery.h).
 */
#ifndef TESTER_JUDGING_PASSIVE_CHECKER_INTERCEPT_H
#define TESTER_JUDGING_PASSIVE_CHECKER_INTERCEPT_H

#include "tester/capture/evidence.h"
#include "tester/judging/forgery.h"
#include "tester/judging/judge.h"

#include <stdbool.h>
#include <stddef.h>

struct passive_checker_intercept;

/* passive_checker_intercept_open begins; what scripted cards break is noted in `forgeries`.
 * passive_checker_intercept_close frees all. */
struct passive_checker_intercept *passive_checker_intercept_open(struct evidence *evidence,
                                                                 struct forgeries *forgeries);
void passive_checker_intercept_close(struct passive_checker_intercept *checker);

/* passive_checker_intercept_hear hears a datagram of the link of that number, from 1 on: of the system under test, or
 * of a scripted card. A NULL checker is allowed. */
void passive_checker_intercept_hear(struct passive_checker_intercept *checker, unsigned link, bool from_sut,
                                    const void *octets, size_t len);

/* passive_checker_intercept_judge tells the judge the first violation, unless the case has ended with a verdict about
 * the system under test or has seen the violation itself. */
void passive_checker_intercept_judge(const struct passive_checker_intercept *checker, struct judge *judge);

#endif
