/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The cases of a profile, as their files declare them (tester/cases/README.md).
 */
#ifndef TESTER_PROFILE_CASE_LIST_H
#define TESTER_PROFILE_CASE_LIST_H

#include "tester/base/status.h"
#include "tester/profile/case_info.h"

#include <stdbool.h>
#include <stddef.h>

struct case_entry;
struct case_list;
struct lua_State;
struct profile;
struct sandbox_library;

/* case_list_load reads every *.lua below DIRECTORY/PROFILE in the order of their names. A directory that is NULL is
 * case_directory(), a profile that is NULL the first of the table. On failure message receives one line:
 * ENGINE_NO_PROFILE (it lists the known ones), ENGINE_BAD_TABLE or ENGINE_BAD_CASE. A list that is loaded never
 * changes, whatever becomes of the files: threads may read it at once. */
enum engine_status case_list_load(const char *directory, const char *profile, struct case_list **cases, char *message,
                                  size_t message_octets);
/* case_list_profile gives the row of the profile (profile.h); it lives as long as the list. */
const struct profile *case_list_profile(const struct case_list *cases);

/* case_list_is_later tells whether the profile is a later revision of another one. */
bool case_list_is_later(const struct case_list *cases);

/* case_list_count and case_list_at give the cases in their order. case_list_free frees the list; NULL is allowed. */
size_t case_list_count(const struct case_list *cases);
const struct case_info *case_list_at(const struct case_list *cases, size_t index);
void case_list_free(struct case_list *cases);

/* ---- for the engine itself --------------------------------------------------------------------------------------- */

/* case_list_entry gives the case of that index. */
const struct case_entry *case_list_entry(const struct case_list *cases, size_t index);

/* case_list_open_run loads the case's file into a state whose library is loaded, and leaves the case's run function
 * on the stack; false and a message when the file has changed so that it cannot. */
bool case_list_open_run(struct lua_State *lua, const struct case_entry *entry, char *message, size_t message_octets);

/* case_list_digests gives the SHA-256 of what was loaded, in hexadecimal: of the files of requirements one after the
 * other, the oldest revision's first, and of those of the library and then of the cases, each in the order of names. */
enum { CASE_LIST_DIGEST = 65 };
struct case_list_digests {
    char catalogue[CASE_LIST_DIGEST], cases[CASE_LIST_DIGEST];
};
void case_list_digests(const struct case_list *cases, struct case_list_digests *digests);

/* case_list_library gives the library that the cases use, as it was when they were loaded; it lives as long as they. */
const struct sandbox_library *case_list_library(const struct case_list *cases);

#endif
