/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Titles of sections, for whoever does not know a document's numbers by heart (sections.h).
 */
#include "tester/profile/sections.h"

#include "tester/profile/revision.h"
#include "tester/profile/spec_folder.h"

#include <stddef.h>

json_t *sections_load(const char *spec_folder, const char *profile)
{
    struct revision *revision = revision_load(spec_folder, profile, "");
    json_t *sections = NULL;

    for (size_t i = revision_count(revision); !sections && i-- > 0;) {
        sections = spec_folder_load(spec_folder, revision_name(revision, i), "sections.json", NULL, 0);
    }
    revision_free(revision);
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
