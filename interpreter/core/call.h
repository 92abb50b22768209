/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One command in execution: reading its values, entering the library, writing its results.
 *
 * The readers fail once and the call stays failed: a verb reads all its values, asks call_failed once, and only then
 * calls the library.
 */
#ifndef INTERPRETER_CORE_CALL_H
#define INTERPRETER_CORE_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/command.h"
#include "../common/line.h"
#include "executor.h"
#include "names.h"

enum call_after { AFTER_NOTHING, AFTER_QUIT, AFTER_ABANDON };

/* struct call lives as long as the command. */
struct call {
    struct executor *executor;
    const struct work *work; /* where the lines of a batch are */
    bool in_batch;
    struct command command;
    struct failure failure;
    struct line result; /* " key=value" once for each result */
    bool stop;          /* the library gave an error: a batch ends here */
    enum call_after after;
    int status;   /* of the process, with AFTER_ABANDON */
    int ended_by; /* likewise: the signal that ends it, or 0 */
    void *memory; /* what call_memory gave: a chain */
};

/* ---- call.c: reading -------------------------------------------------------------------------------------------- */

/* call_failed tells whether something was wrong so far. */
bool call_failed(const struct call *call);

/* call_value gives the text of a pair; "" and a failure when it is missing. */
const char *call_value(struct call *call, const char *key);

/* call_bits reads an integer for a type of `octets` octets as two's complement: `bad-value` when it fits neither the
 * signed nor the unsigned type of that size. `word`, when not NULL, is a text that stands for `word_bits`. */
unsigned long long call_bits(struct call *call, const char *key, size_t octets, const char *word,
                             unsigned long long word_bits);

/* call_count reads an unsigned number between least and most. */
unsigned long long call_count(struct call *call, const char *key, unsigned long long least, unsigned long long most);

/* call_lookup finds what the value of `key` stands for; false and a failure when it stands for nothing. */
bool call_lookup(struct call *call, const char *key, struct meaning *meaning);

/* call_fail_kind says that the name which `key` gives stands for something else than `wanted`. */
void call_fail_kind(struct call *call, const char *key, const struct meaning *meaning, const char *wanted);

/* call_region reads the name of a memory region and checks that `octets` octets at `offset` lie in it: `range`. Gives
 * where they begin. */
unsigned char *call_region(struct call *call, const char *key, unsigned long long offset, unsigned long long octets);

/* call_address reads an address. */
void *call_address(struct call *call, const char *key);

/* call_output reads where a result goes: `storage` for a name that may be assigned, NULL for null, an address that
 * nobody may touch for unmapped. call_report reads the same for results that are only reported: out, null, unmapped. */
void *call_output(struct call *call, const char *key, void *storage);
void *call_report(struct call *call, const char *key, void *storage);

/* call_unwritten fills a place with octets of 0xa5, of which no result consists: what a library leaves unwritten is
 * seen then. */
void call_unwritten(void *storage, size_t octets);

/* call_memory gives zeroed memory that lives as long as the command, for lists; NULL and a failure when it is short.
 * call_release frees all of it, and is for those who run commands. */
void *call_memory(struct call *call, size_t octets);
void call_release(struct call *call);

/* call_words cuts the value of a pair at its commas. An empty value has no words. More than `most` are `bad-value`. */
char **call_words(struct call *call, const char *key, size_t most, size_t *count);

/* call_is tells whether a pair has this text. */
bool call_is(const struct call *call, const char *key, const char *text);

/* call_keep keeps an object of the library under the name that the pair `key` gives; nothing when that is null or
 * unmapped. A `copy` did not come from the function that makes such objects. */
void call_keep(struct call *call, const char *key, int kind, const void *object, bool copy);

/* call_until reads the pair ms and gives when that time will have passed. */
long long call_until(struct call *call);

/* call_enter says that the library's `function` begins (for the notices of a crash or a hang), call_leave that it has
 * returned. */
void call_enter(struct call *call, const char *function);
void call_leave(struct call *call);

/* values_open reserves the address that nobody may touch; false when the system refuses. values_unmapped is that
 * address. */
bool values_open(void);
void *values_unmapped(void);

/* ---- results.c: writing ------------------------------------------------------------------------------------------ */

/* result_bool writes " key=true" or " key=false". */
void result_bool(struct call *call, const char *key, bool value);

/* result_add_number writes a value of a type of the API that may be signed or not. */
void result_add_number(struct line *line, bool is_signed, unsigned long long bits);

#endif
