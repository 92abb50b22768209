/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Judging stored evidence again, without the system under test: what the checker of today finds in the capture of a
 * case. What the case itself asked for cannot be asked again.
 */
#ifndef TESTER_JUDGING_REJUDGE_H
#define TESTER_JUDGING_REJUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REJUDGE_TEXT = 512 };

struct rejudge {
    bool readable;       /* it is a capture; one that is cut off is judged as far as it goes */
    bool whole;          /* and is not cut off: only then what is not in it was not there */
    bool sided;          /* it says of each violation whose it is */
    unsigned violations; /* of the system under test, of any rule */
    uint64_t packet;     /* the first of them: which packet, which requirement, what is wrong */
    char requirement[32];
    char text[REJUDGE_TEXT];
};

/* rejudge_capture has the checker judge a capture of `len` octets in memory. What a process that ends, or is ended,
 * leaves half said is no violation here: the capture does not tell why it ended. */
void rejudge_capture(const void *octets, size_t len, struct rejudge *rejudge);

/* rejudge_by_checker tells from the reason of a failure whether the passive checker has found it (and not the case). */
bool rejudge_by_checker(const char *reason);

#endif
