/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A command of the manager, taken apart (specs/interpreter.md, section 2.2). Knows words and pairs, not what they mean.
 */
#ifndef INTERPRETER_COMMON_COMMAND_H
#define INTERPRETER_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { COMMAND_PAIRS = 24, REASON_OCTETS = 256 };

/* struct failure is why a command was not executed: a code of the protocol (NULL: it did not fail) and a sentence. */
struct failure {
    const char *code;
    char reason[REASON_OCTETS];
};

#ifdef __GNUC__
#define FAILURE_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define FAILURE_PRINTF
#endif

/* failure_set keeps the first failure; later ones change nothing. */
void failure_set(struct failure *failure, const char *code, const char *format, ...) FAILURE_PRINTF;

/* struct command_head is what stands in front of the verb. */
struct command_head {
    unsigned long id, deadline_ms;
    const char *thread; /* "" for the main thread */
    char *body;         /* the verb and what follows */
};

/* command_read_head cuts `line` behind ID, DEADLINE and THREAD. `id` is set as soon as it could be read, else 0: then
 * nobody can be answered. */
void command_read_head(char *line, struct command_head *head, struct failure *failure);

struct pair {
    const char *key;
    char *value;
};

/* struct command is a verb and its pairs; the strings are parts of the line that was read. */
struct command {
    const char *verb;
    struct pair pairs[COMMAND_PAIRS];
    size_t count;
};

/* command_read_body cuts `body` into words: `syntax` for an empty word, a word without =, a key that comes twice, too
 * many pairs. */
void command_read_body(char *body, struct command *command, struct failure *failure);

/* command_check compares the pairs with those that the verb has, a list like "interface index [skew] handle" where
 * brackets mean that it may be left out: `missing` or `unknown-pair`. A key that ends with * in the list stands for
 * every key that begins so. */
void command_check(const struct command *command, const char *pairs, struct failure *failure);

/* command_value gives the value of a pair, NULL when it was left out. */
const char *command_value(const struct command *command, const char *key);

#endif
