/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The programs' clock.
 */
#ifndef INTERPRETER_COMMON_TIMES_H
#define INTERPRETER_COMMON_TIMES_H

/* times_now_ms reads a clock that never jumps. */
long long times_now_ms(void);

/* times_sleep_us sleeps at least so long, whatever signals come. */
void times_sleep_us(long microseconds);

#endif
