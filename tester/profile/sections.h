/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The titles of a specification's sections: specs/PROFILE.sections.json.
 */
#ifndef TESTER_PROFILE_SECTIONS_H
#define TESTER_PROFILE_SECTIONS_H

#include <jansson.h>

/* sections_load reads the titles of a profile from a folder of specifications; an empty object when there are none: a
 * report then shows numbers alone. A new reference. */
json_t *sections_load(const char *spec_folder, const char *profile);

/* sections_title gives the title of a section, "" when it is not known; it lives as long as the sections. */
const char *sections_title(const json_t *sections, const char *number);

#endif
