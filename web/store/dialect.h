/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * SQLite's SQL as PostgreSQL understands it.
 */
#ifndef WEB_STORE_DIALECT_H
#define WEB_STORE_DIALECT_H

#include <stddef.h>

enum { DIALECT_PARAMETERS_MAX = 24, DIALECT_NAME_SIZE = 32 };

/* The names of a statement's parameters, with their colons, in the order of their numbers from 1 on. */
struct dialect_parameters {
    char names[DIALECT_PARAMETERS_MAX][DIALECT_NAME_SIZE];
    size_t count;
};

/* dialect_translate makes PostgreSQL's text of `sql`: each parameter `:name` becomes `$n`, and words that only SQLite
 * knows become PostgreSQL's: the functions that make JSON, the types of columns, STRICT. What postgresql.sql defines,
 * strftime, json_extract and json_each, stays. The caller frees the text; NULL: no memory, or too many parameters. */
char *dialect_translate(const char *sql, struct dialect_parameters *parameters);

#endif
