/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which calls of the system a confined program may not make (confine.h): those that reach the network or other
 * processes.
 */
#ifndef WEB_DECODE_FILTER_LINUX_H
#define WEB_DECODE_FILTER_LINUX_H

#include <stdbool.h>

/* filter_linux_possible tells whether there is a filter for this kind of machine. */
bool filter_linux_possible(void);

/* filter_linux_apply takes them away from the calling process, for good and for what it executes. It must have given
 * up gaining privileges before. Calls nothing that is not allowed between fork and exec. False: it did not work. */
bool filter_linux_apply(void);

#endif
