/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Names of signals, as the protocol writes them.
 */
#ifndef INTERPRETER_COMMON_SIGNALS_H
#define INTERPRETER_COMMON_SIGNALS_H

/* signal_name gives "SIGSEGV" and so on, "unknown" for a number without a portable name. Async-signal-safe. */
const char *signal_name(int number);

#endif
