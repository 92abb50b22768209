/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A call that must succeed, a value that must be: the program ends with a line that says where it was not so.
 */
#ifndef TESTS_LATER_MUST_H
#define TESTS_LATER_MUST_H

#include <stdio.h>
#include <stdlib.h>

/* must - ends the program with a line that says what is not so, and where. MUST and OK fill it in. */
static inline void must(int good, const char *what, int line)
{
    if (!good) {
        fprintf(stderr, "line %d: %s\n", line, what);
        exit(1);
    }
}

#define MUST(good) must((good), #good, __LINE__)
#define OK(call)   must((call) == PTL_OK, #call, __LINE__)

#endif
