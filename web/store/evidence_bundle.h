/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Bundles: many pieces of evidence one behind the other, packed together (zstd). What the cases of a run say again and
 * again is stored once, and a small piece does not take a block of the disk for itself.
 */
#ifndef WEB_STORE_EVIDENCE_BUNDLE_H
#define WEB_STORE_EVIDENCE_BUNDLE_H

#include "web/store/evidence_place.h"

#include <stdbool.h>
#include <stddef.h>

/* Of a bundle when it is unpacked, at most: who wants one piece unpacks all. */
enum { EVIDENCE_BUNDLE_OCTETS = 8 << 20 };

/* evidence_bundle_pack writes the octets, at most EVIDENCE_BUNDLE_OCTETS of them, to `to` in packed form. False: errno
 * says why. */
bool evidence_bundle_pack(const void *octets, size_t len, int to);

/* struct evidence_bundles has the bundles that were unpacked last. */
struct evidence_bundles;

/* evidence_bundles_new gives an empty one, or NULL; evidence_bundles_free frees it, NULL is allowed. */
struct evidence_bundles *evidence_bundles_new(void);
void evidence_bundles_free(struct evidence_bundles *bundles);

/* evidence_bundles_piece gives the piece, ended by a zero, of the bundle whose file is at `path`; the caller frees it.
 * NULL: the file is not there or not whole, the piece is not in it, or there is no memory. Waits while another bundle
 * is unpacked. */
char *evidence_bundles_piece(struct evidence_bundles *bundles, const struct evidence_place *place, const char *path);

#endif
