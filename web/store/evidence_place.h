/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where evidence lies: as a file of its own, or in a bundle of several.
 */
#ifndef WEB_STORE_EVIDENCE_PLACE_H
#define WEB_STORE_EVIDENCE_PLACE_H

#include "tester/capture/evidence_file.h"

#include <stdint.h>

/* struct evidence_place is what the database knows of a piece of evidence. */
struct evidence_place {
    char sha256[EVIDENCE_FILE_DIGEST]; /* of its octets */
    uint64_t octets;
    char bundle[EVIDENCE_FILE_DIGEST]; /* of the bundle's octets; "": it is a file of its own */
    uint64_t bundle_octets, at;        /* all of the bundle; where in it this begins */
};

#endif
