/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker of a case of IMPI: has the checkers of wire/ (impi_check_job.h, impi_check_channel.h) judge
 * whatever the system under test says to the scripted peers. What the peers break is not held against anybody: it shows
 * that they forge (forgery.h).
 */
#ifndef TESTER_JUDGING_PASSIVE_CHECKER_IMPI_H
#define TESTER_JUDGING_PASSIVE_CHECKER_IMPI_H

#include "tester/capture/evidence.h"
#include "tester/judging/forgery.h"
#include "tester/judging/judge.h"

#include "wire/impi/check_job.h"

#include <stdbool.h>

struct passive_checker_impi;

/* What is spoken on a connection: start-up between a client and the server, or packets between hosts. */
enum passive_checker_kind { PASSIVE_CHECKER_LINK, PASSIVE_CHECKER_CHANNEL };

/* passive_checker_impi_open begins; what scripted peers break is noted in `forgeries`. passive_checker_impi_close frees
 * all. */
struct passive_checker_impi *passive_checker_impi_open(struct evidence *evidence, struct forgeries *forgeries);
void passive_checker_impi_close(struct passive_checker_impi *checker);

/* passive_checker_impi_listen makes it hear a connection that is about to be opened. Connections with one `job` are of
 * one job of IMPI. */
void passive_checker_impi_listen(struct passive_checker_impi *checker, struct flow *flow,
                                 enum passive_checker_kind kind, unsigned job);

/* passive_checker_impi_tell tells the passive checker what the server of the job was told when it was started. */
void passive_checker_impi_tell(struct passive_checker_impi *checker, unsigned job,
                               const struct wire_impi_secrets *secrets);

/* passive_checker_impi_judge tells the judge the first violation of what the document says in so many words, unless the
 * case has ended with a verdict about the system under test or has seen the violation itself. Others stand in the
 * transcript alone. `lost`: a process of the system under test has ended; connections that end early are then no
 * violation. */
void passive_checker_impi_judge(const struct passive_checker_impi *checker, struct judge *judge, bool lost);

#endif
