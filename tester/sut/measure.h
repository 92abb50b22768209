/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Having the launch agent look which files its jobs consist of. What is new it tells by notices (build.h).
 */
#ifndef TESTER_SUT_MEASURE_H
#define TESTER_SUT_MEASURE_H

#include "tester/sut/sut.h"

#include <stdint.h>

/* measure_begin asks and does not wait. Gives the command's id; 0: the agent cannot measure, or is gone. */
uint32_t measure_begin(struct dialogue *agent);

/* measure_end waits for the answer. 0 is allowed. */
void measure_end(struct sut *sut, struct dialogue *agent, uint32_t id);

#endif
