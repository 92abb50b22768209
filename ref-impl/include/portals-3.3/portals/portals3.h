/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals/portals3.h: the name under which programs of the time include portals3.h. Those for Cray's systems find the
 * names of interfaces in it, too.
 */
#ifndef PORTALS_PORTALS_PORTALS3_H_NAME
#define PORTALS_PORTALS_PORTALS3_H_NAME

#include <portals/nal.h>
#include <portals3.h>

#endif
