/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * p3nal_utcp.h: the header of a network, TCP from user space, which programs of Portals 3.3 include by name or as
 * P3_NAL (-DP3_NAL='<p3nal_utcp.h>'). Its interfaces are numbered like all others here.
 */
#ifndef P3NAL_UTCP_H
#define P3NAL_UTCP_H

#include <portals3.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTL_NALTYPE_UTCP  PTL_IFACE_UTCP
#define PTL_NALTYPE_UTCP0 0u
#define PTL_NALTYPE_UTCP1 1u
#define PTL_NALTYPE_UTCP2 2u
#define PTL_NALTYPE_UTCP3 3u

/* utcp_my_nid is the node id of this process, whatever network device is named; it initialises the library. 0: that
 * fails. */
unsigned int utcp_my_nid(const char *device);

#ifdef __cplusplus
}
#endif

#endif
