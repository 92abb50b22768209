/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The catalogue of cases, as the engine itself sees it; engine.h has what everybody sees.
 */
#ifndef TESTER_ENGINE_CASES_H
#define TESTER_ENGINE_CASES_H

#include "tester/engine.h"

#include <lua.h>

/* struct case_entry is a case with what only its execution needs. Lists end with NULL. */
struct case_entry {
    struct engine_case about; /* first: a pointer to it is a pointer to the entry */
    char **requirements, **features, **verbs, **cell;
    unsigned deadline_s;
    char source_sha256[65];
    char *path; /* of the file, as it was opened */
};

/* engine_cases_entry gives the case of that index. */
const struct case_entry *engine_cases_entry(const struct engine_cases *cases, size_t index);

/* engine_cases_open_run loads the case's file into a state whose library is loaded, and leaves the case's run function
 * on the stack; false and a message when the file has changed so that it cannot. */
bool engine_cases_open_run(lua_State *lua, const struct case_entry *entry, char *message, size_t message_octets);

/* engine_cases_folder: the folder that the catalogue was loaded from. */
const char *engine_cases_folder(const struct engine_cases *cases);

#endif
