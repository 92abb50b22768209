/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals/p3rt/p3rt.h: the name under which programs of the time include
 * p3rt/p3rt.h, where all headers of Portals are in a folder.
 */
#ifndef PORTALS_P3RT_P3RT_H_NAME
#define PORTALS_P3RT_P3RT_H_NAME

#include <p3rt/p3rt.h>

#endif
