/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What there is to be tested: the profiles, their cases (from the engine) and their requirements (from specs/). The
 * table is read when the service starts, a profile when it is first asked for; both are constant from then on. All
 * functions may be called by several threads at once.
 */
#ifndef WEB_PROFILES_CATALOGUE_H
#define WEB_PROFILES_CATALOGUE_H

#include "tester/engine/engine.h"
#include "tester/profile/profile_table.h"

#include <jansson.h>
#include <stddef.h>

struct catalogue;

/* catalogue_load reads the table of profiles (tester/profile/profile_table.h). A profile whose cases do not load stays,
 * with its problem, which is also printed on stderr when it is read. NULL: one line in message, no memory or a broken
 * table. */
struct catalogue *catalogue_load(char *message, size_t message_octets);

/* catalogue_free frees it; NULL is allowed. */
void catalogue_free(struct catalogue *catalogue);

/* catalogue_table gives the table; it lives as long as the catalogue. */
const struct profile_table *catalogue_table(const struct catalogue *catalogue);

/* catalogue_profile gives the row of that name, or NULL. */
const struct profile *catalogue_profile(const struct catalogue *catalogue, const char *name);

/* catalogue_profiles gives all profiles in the order of the table; a new reference. An array of {"id","title",
 * "document","problem","cases","requirements","roles":{ROLE:CASES},
 * "choices":[{"id","role","title","about","counts":[ROLE],"notes":[..]}],"suites":[{"id","about","cases","role"}]};
 * a choice that takes an own server along has "server", the reference's command. */
json_t *catalogue_profiles(struct catalogue *catalogue);

/* catalogue_cases gives the cases of a profile; NULL when there is no such profile or it does not load. */
const struct case_list *catalogue_cases(struct catalogue *catalogue, const char *profile);

/* catalogue_find_cases gives them likewise, or says why there are none: ENGINE_NO_PROFILE, ENGINE_BAD_CASE, and a line
 * in message. */
enum engine_status catalogue_find_cases(struct catalogue *catalogue, const char *profile,
                                        const struct case_list **cases, char *message, size_t message_octets);

/* catalogue_requirements gives the array of specs/PROFILE.json, or NULL; borrowed. */
const json_t *catalogue_requirements(struct catalogue *catalogue, const char *profile);

/* catalogue_requirement_list gives the full rows for an array of ids; an id without a row becomes {"id"}. New
 * reference. */
json_t *catalogue_requirement_list(struct catalogue *catalogue, const char *profile, const json_t *ids);

/* catalogue_mutants gives what a case that judges these requirements has been shown to catch: an array of
 * {"mutant","breaks","why"}, empty for a case that nothing proves. New reference. */
json_t *catalogue_mutants(struct catalogue *catalogue, const char *case_id, const json_t *requirements);

/* catalogue_section gives the title of a section of the profile's specification, "" when it is not known.
 * catalogue_sections gives all of them: {NUMBER:TITLE}, empty when there are none; a new reference. */
const char *catalogue_section(struct catalogue *catalogue, const char *profile, const char *number);
json_t *catalogue_sections(struct catalogue *catalogue, const char *profile);

/* catalogue_cell_json gives {"server","client_a","client_b","program"} of a case that is a meeting of implementations.
 * New reference. */
json_t *catalogue_cell_json(const struct case_info *about);

/* catalogue_case_json describes one case; with its purpose, file and source when `whole`. New reference. */
json_t *catalogue_case_json(const struct case_info *about, bool whole);

#endif
