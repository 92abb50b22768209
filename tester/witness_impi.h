/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The second witness of a case of IMPI: has the checkers of wire/ (impi_check_job.h, impi_check_channel.h) judge
 * whatever the system under test says to the scripted peers. What the peers break is not held against anybody: it shows
 * that they forge (forgery.h).
 */
#ifndef TESTER_WITNESS_IMPI_H
#define TESTER_WITNESS_IMPI_H

#include "tester/evidence.h"
#include "tester/forgery.h"
#include "tester/judge.h"

#include "wire/impi/check_job.h"

struct witness_impi;

/* What is spoken on a connection: start-up between a client and the server, or packets between hosts. */
enum witness_kind { WITNESS_LINK, WITNESS_CHANNEL };

/* witness_impi_open begins; what scripted peers break is noted in `forgeries`. witness_impi_close frees all. */
struct witness_impi *witness_impi_open(struct evidence *evidence, struct forgeries *forgeries);
void witness_impi_close(struct witness_impi *witness);

/* witness_impi_listen has the witness listen to a connection that is about to be opened. Connections with one `job` are
 * of one job of IMPI. */
void witness_impi_listen(struct witness_impi *witness, struct flow *flow, enum witness_kind kind, unsigned job);

/* witness_impi_tell tells the witness what the server of the job was told when it was started. */
void witness_impi_tell(struct witness_impi *witness, unsigned job, const struct wire_impi_secrets *secrets);

/* witness_impi_judge tells the judge the first violation of what the document says in so many words, unless the case
 * has ended with a verdict about the system under test or has seen the violation itself. Others stand in the transcript
 * alone. `lost`: a process of the system under test has ended; connections that end early are then no violation. */
void witness_impi_judge(const struct witness_impi *witness, struct judge *judge, bool lost);

#endif
