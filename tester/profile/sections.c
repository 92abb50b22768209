/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Titles of sections, for whoever does not know a document's numbers by heart (sections.h).
 */
#include "tester/profile/sections.h"

#include "tester/base/memory.h"

#include <stdlib.h>

/* Where specs/ may be, seen from a folder of cases. */
static const char *const places[] = {"../specs", "../../specs"};

static json_t *load_near(const char *directory, const char *profile)
{
    json_t *sections = NULL;

    for (size_t i = 0; !sections && i < sizeof places / sizeof places[0]; i++) {
        char *path = memory_format("%s/%s/%s.sections.json", directory, places[i], profile);

        sections = json_load_file(path, 0, NULL);
        free(path);
    }
    return sections;
}

json_t *sections_load(const char *directory, const char *profile)
{
    json_t *sections = load_near(directory, profile);

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
