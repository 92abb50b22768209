/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Titles of sections, for whoever does not know a document's numbers by heart (sections.h).
 */
#include "tester/profile/sections.h"

#include "tester/base/memory.h"
#include "tester/profile/spec_folder.h"

#include <stddef.h>
#include <stdlib.h>

enum { REVISIONS_MAX = 8 };

/* The catalogue that a profile's is derived from; NULL when it is derived from none. The caller frees. */
static char *derived_from(const char *spec_folder, const char *profile)
{
    json_t *catalogue = spec_folder_load(spec_folder, profile, "json", NULL, 0);
    const char *from = json_string_value(json_object_get(catalogue, "derived_from"));
    char *copy = from ? memory_text(from) : NULL;

    json_decref(catalogue);
    return copy;
}

json_t *sections_load(const char *spec_folder, const char *profile)
{
    json_t *sections = spec_folder_load(spec_folder, profile, "sections.json", NULL, 0);
    char *revision = sections ? NULL : derived_from(spec_folder, profile);

    for (int i = 0; !sections && revision && i < REVISIONS_MAX; i++) {
        char *from = derived_from(spec_folder, revision);

        sections = spec_folder_load(spec_folder, revision, "sections.json", NULL, 0);
        free(revision);
        revision = from;
    }
    free(revision);
    if (!json_is_object(sections)) {
        json_decref(sections);
        sections = json_object();
    }
    return sections;
}

const char *sections_title(const json_t *sections, const char *number)
{
    const char *title = json_string_value(json_object_get(sections, number));

    return title ? title : "";
}
