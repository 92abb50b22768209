/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A clock beside the cases that tells how much time this machine had no processor for: an answer that is late because
 * of that is nobody's fault. It sees this machine only; a system under test elsewhere is not measured.
 */
#ifndef TESTER_BASE_HOST_LOAD_H
#define TESTER_BASE_HOST_LOAD_H

#include <stdint.h>

struct host_load;

/* host_load_open begins to measure, on a thread of its own, if there is one to be had: else nothing is ever lost.
 * host_load_close ends that and frees. */
struct host_load *host_load_open(void);
void host_load_close(struct host_load *load);

/* host_load_lost gives how many milliseconds a process that wanted to work has gone without a processor since
 * host_load_open: with four such processes to each processor, three seconds of four. Any thread. */
int64_t host_load_lost(struct host_load *load);

/* host_load_slows gives how many times longer than usual work takes now, about: 1 on an idle machine, never more than
 * HOST_LOAD_SLOWS_MOST. Any thread. */
enum { HOST_LOAD_SLOWS_MOST = 8 };
unsigned host_load_slows(struct host_load *load);

#endif
