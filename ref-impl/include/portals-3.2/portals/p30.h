/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals/p30.h: the name under which programs of the time include portals3.h.
 */
#ifndef PORTALS_PORTALS_P30_H_NAME
#define PORTALS_PORTALS_P30_H_NAME

#include <portals3.h>

#endif
