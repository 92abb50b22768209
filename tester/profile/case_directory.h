/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the cases are when nobody says.
 */
#ifndef TESTER_PROFILE_CASE_DIRECTORY_H
#define TESTER_PROFILE_CASE_DIRECTORY_H

/* case_directory is where cases are when nobody says: ASSAY_CASES in the environment, else ../share/assay/cases
 * beside the program, else tester/cases of the source tree that it was built in. The string is static. */
const char *case_directory(void);

/* case_directory_own is the same without regard to ASSAY_CASES: the cases that came with the program. Static too. */
const char *case_directory_own(void);

#endif
