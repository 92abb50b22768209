/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of wire/portals/check.h that hears all Portals messages of the capture file that is open.
 */
#ifndef DISSECTOR_PORTALS_CHECKER_H
#define DISSECTOR_PORTALS_CHECKER_H

#include "wire/portals/check.h"

#include <stdbool.h>

/* checker_register - sets up the checker, which begins anew with every capture file. Once, at start-up. */
void checker_register(void);

/* checker_of_capture - the checker of the capture file that is open, begun with its first message; its memory goes with
 * the file. */
struct wire_portals_check *checker_of_capture(void);

/* checker_missing - first pass: the capture lacks something. What only a whole view can tell is then not told. */
void checker_missing(void);

/* checker_lacks - whether the capture is known to lack something. */
bool checker_lacks(void);

#endif
