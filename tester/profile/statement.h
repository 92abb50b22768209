/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Conformance statements (specs/statement.md): what an implementation declares of itself before it is judged, its
 * limits and the readings that it follows.
 */
#ifndef TESTER_PROFILE_STATEMENT_H
#define TESTER_PROFILE_STATEMENT_H

#include <jansson.h>
#include <stddef.h>

/* statement_load reads the statement in the file `path` and holds it to specs/PROFILE.statement.json and
 * specs/PROFILE.switches.json in `spec_folder`. A new reference; NULL and a message that says what is wrong where when
 * the file cannot be read, is not JSON, or has anything that the profile does not know. */
json_t *statement_load(const char *path, const char *spec_folder, const char *profile, char *message,
                       size_t message_octets);

/* statement_member gives what a statement declares: `section` is "limits" or "readings". NULL when it declares nothing
 * of that name, and where the statement is NULL. */
const json_t *statement_member(const json_t *statement, const char *section, const char *name);

#endif
