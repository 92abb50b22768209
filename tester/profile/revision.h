/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Revisions of one specification (specs/README.md, "A catalogue that is derived"). The catalogue of a later revision
 * has only what differs from the one before it; here it is made whole. The cases of the earlier one that judge what has
 * not changed since hold for the later one too.
 */
#ifndef TESTER_PROFILE_REVISION_H
#define TESTER_PROFILE_REVISION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* revision_rows reads the catalogue of a profile: an array of whole requirements. One of a derived catalogue has in
 * addition `derived_from`, the id in the revision before it (unless it is new), `change`, which is "kept", "changed",
 * "new" or "gone", `since`, the profile of the revision in which it was last changed, and `same_as`, the ids that
 * earlier revisions have for the same. NULL and a message with the file when it cannot be read. message may be NULL.
 * A new reference. */
json_t *revision_rows(const char *folder, const char *profile, char *message, size_t message_octets);

struct revision;

/* revision_load looks at the catalogue of a profile; one that cannot be read is taken as derived from nothing.
 * revision_free takes NULL too. */
struct revision *revision_load(const char *folder, const char *profile, const char *prefix);
void revision_free(struct revision *revision);

/* revision_count and revision_name give the profiles whose cases may hold, the oldest revision first, the profile
 * itself last. */
size_t revision_count(const struct revision *revision);
const char *revision_name(const struct revision *revision, size_t index);

/* revision_take tells whether a case of the profile at `index` holds: none of the requirements has changed since, but
 * for those that `still` names by the ids that they have since their last change. Then the ids in `requirements`, which
 * it may allocate anew, are those of this revision. Both lists end with NULL. */
bool revision_take(const struct revision *revision, size_t index, char **requirements, char *const *still);

/* revision_lua gives what Lua is told of the revision before anything else: the global table `Revision` with the
 * members `name`, `prefix` and `renames` (names of the oldest revision to those of this one). The caller frees. */
char *revision_lua(const struct revision *revision);

#endif
