/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One row of specs/profiles.json, checked and taken apart.
 */
#ifndef TESTER_PROFILE_PROFILE_ROW_H
#define TESTER_PROFILE_PROFILE_ROW_H

#include "tester/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* profile_row_read fills in the profile from the object, which must live as long. False, and the first thing that is
 * wrong, when it is not as specs/README.md demands. profile_row_release frees what was filled in, complete or not. */
bool profile_row_read(const json_t *row, struct profile *profile, char *problem, size_t problem_octets);
void profile_row_release(struct profile *profile);

#endif
