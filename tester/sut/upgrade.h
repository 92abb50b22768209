/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Judging the HTTP request with which a connection of the interpreter protocol begins (specs/interpreter.md, section
 * 1).
 */
#ifndef TESTER_SUT_UPGRADE_H
#define TESTER_SUT_UPGRADE_H

#include <stddef.h>

enum { UPGRADE_TOKEN_ROOM = 129 };

/* struct upgrade_answer is what to answer: 101, or a refusal with the first line of its body. Strings are static. */
struct upgrade_answer {
    unsigned status;
    const char *phrase, *body;
};

/* upgrade_judge reads a request of `len` octets that ends with an empty line, and asks the registry about its token,
 * which is written to `token` when the answer is 101. */
struct upgrade_answer upgrade_judge(const char *request, size_t len, char token[UPGRADE_TOKEN_ROOM]);

#endif
