/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals/p3api/debug.h: the name under which programs of the time include
 * p3api/debug.h, where all headers of Portals are in a folder.
 */
#ifndef PORTALS_P3API_DEBUG_H_NAME
#define PORTALS_P3API_DEBUG_H_NAME

#include <p3api/debug.h>

#endif
