/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A file of evidence as everybody but its writer knows it: by name, size and digest.
 */
#ifndef TESTER_CAPTURE_EVIDENCE_FILE_H
#define TESTER_CAPTURE_EVIDENCE_FILE_H

#include <stdbool.h>
#include <stdint.h>

enum { EVIDENCE_FILE_DIGEST = 65 };

/* struct evidence_file is a file that is complete and will not change. */
struct evidence_file {
    const char *kind;                  /* "transcript", "capture" or "ladder" */
    const char *path;                  /* relative to the report folder */
    uint64_t octets;                   /* its size */
    char sha256[EVIDENCE_FILE_DIGEST]; /* in hexadecimal */
};

/* evidence_file_measure reads the file below `folder` once and fills in size and digest; false, with errno set, when it
 * cannot be read. */
bool evidence_file_measure(const char *folder, struct evidence_file *file);

#endif
