/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The notice that a dying process sends: crash, hang, unexpected exit, broken protocol (specs/interpreter.md, section
 * 2.2). Everything here is async-signal-safe: no lock, no allocation, no stdio.
 */
#ifndef INTERPRETER_CORE_NOTICE_H
#define INTERPRETER_CORE_NOTICE_H

#include <stddef.h>

/* struct notice is a short line that can be made in a signal handler. All zero is empty; what does not fit is cut off.
 */
struct notice {
    char text[1024];
    size_t len;
};

/* notice_add appends a text; notice_add_number appends a number in decimal. */
void notice_add(struct notice *notice, const char *text);
void notice_add_number(struct notice *notice, unsigned long number);

#endif
