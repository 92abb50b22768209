/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine's clock.
 */
#ifndef TESTER_BASE_CLOCK_H
#define TESTER_BASE_CLOCK_H

#include <stdint.h>

/* clock_now_ms and clock_now_us: time since some moment, never going back. */
int64_t clock_now_ms(void);
int64_t clock_now_us(void);

#endif
