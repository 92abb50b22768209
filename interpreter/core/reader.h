/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reader: the one thread that listens to the manager, whatever the library is doing.
 */
#ifndef INTERPRETER_CORE_READER_H
#define INTERPRETER_CORE_READER_H

#include <stdbool.h>

#include "../common/lines.h"

/* reader_open starts the reader on a connection that has been greeted; false when the system gives no thread. From now
 * on commands reach the executors. The process ends with EXIT_REFUSED when the manager closes the connection or breaks
 * the protocol. */
bool reader_open(struct lines *lines);

#endif
