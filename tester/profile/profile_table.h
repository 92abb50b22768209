/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of profiles, specs/profiles.json. Everybody who needs to know of profiles asks here; no other source names
 * one.
 *
 * The service reads the same table: it lists what profile_table_at gives and shows titles, suites and roles
 * (profile.h); what else a page wants stands in struct profile's `row`, the object as it is in the file.
 * Requirements, sections and so on are files beside the table:
 *     revision_rows(profile_table_folder(table), profile->name, ..)
 */
#ifndef TESTER_PROFILE_PROFILE_TABLE_H
#define TESTER_PROFILE_PROFILE_TABLE_H

#include "tester/base/status.h"
#include "tester/profile/profile.h"

#include <stddef.h>

struct profile_table;

/* profile_table_load reads the table that goes with cases in `case_folder`; NULL: case_directory(). ENGINE_BAD_TABLE
 * and one line that says which file, row and field is wrong, and how, when it is not as specs/README.md demands.
 * profile_table_free takes NULL too. */
enum engine_status profile_table_load(const char *case_folder, struct profile_table **table, char *message,
                                      size_t message_octets);
void profile_table_free(struct profile_table *table);

/* profile_table_folder is where the table was read: the folder of the specifications (spec_folder.h). */
const char *profile_table_folder(const struct profile_table *table);

/* profile_table_count and profile_table_at give the rows in their order; the first is the profile of whoever names
 * none. */
size_t profile_table_count(const struct profile_table *table);
const struct profile *profile_table_at(const struct profile_table *table, size_t index);

/* profile_table_names writes the names in their order, with ", " between; what does not fit is left out. */
void profile_table_names(const struct profile_table *table, char *names, size_t room);

/* profile_table_find gives the profile of that name, the first one for NULL. NULL, and one line that lists the known
 * names, when there is none. */
const struct profile *profile_table_find(const struct profile_table *table, const char *name, char *message,
                                         size_t message_octets);

/* profile_table_owner gives the profile to whose catalogue a requirement belongs, by its prefix: "P30-137". NULL when
 * it is none's. */
const struct profile *profile_table_owner(const struct profile_table *table, const char *requirement);

#endif
