/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the specifications are (specs/README.md), and reading a file of theirs.
 */
#ifndef TESTER_PROFILE_SPEC_FOLDER_H
#define TESTER_PROFILE_SPEC_FOLDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* spec_folder_of gives the folder of the specifications that go with cases in `case_folder`: ASSAY_SPECS in the
 * environment; else the folder specs beside the cases (as installed) or above them (as in the source tree), where it
 * has a table of profiles; else the one that came with the program. The caller frees. */
char *spec_folder_of(const char *case_folder);

/* spec_folder_load reads FOLDER/PROFILE.ENDING, for example ENDING "sections.json". NULL and a message with file and
 * line when it is not there or is not JSON; message may be NULL. A new reference. */
json_t *spec_folder_load(const char *folder, const char *profile, const char *ending, char *message,
                         size_t message_octets);

#endif
