/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The conversation with one process of a job (job.h), and what the case's evidence keeps of it.
 */
#ifndef TESTER_SUT_RANK_H
#define TESTER_SUT_RANK_H

#include "tester/sut/job_state.h"
#include "tester/sut/registry.h"

/* rank_open takes over the connection of the rank's interpreter; rank_close ends it. */
void rank_open(struct rank *rank, struct registry_link *link);
void rank_close(struct rank *rank);

#endif
