/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals/p3nal_utcp.h: the name under which programs of the time include
 * p3nal_utcp.h, where all headers of Portals are in a folder.
 */
#ifndef PORTALS_P3NAL_UTCP_H_NAME
#define PORTALS_P3NAL_UTCP_H_NAME

#include <p3nal_utcp.h>

#endif
