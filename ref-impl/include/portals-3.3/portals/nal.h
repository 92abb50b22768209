/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * nal.h: interfaces as programs for Cray's systems name them, by a bridge and a network behind it. Here all of them are
 * the default interface; which network it is on is said when the process starts (ASSAY_NAL).
 */
#ifndef PORTALS_NAL_H_NAME
#define PORTALS_NAL_H_NAME

#include <portals3.h>

#define PTL_BRIDGE_UK 0u
#define PTL_BRIDGE_QK 1u
#define PTL_BRIDGE_KK 2u

#define PTL_IFACE_SS       0u
#define PTL_IFACE_SS_ACCEL 0u

#define IFACE_FROM_BRIDGE_AND_NALID(bridge, nal) ((void)(bridge), (ptl_interface_t)(nal))

#endif
