/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * p3api/debug.h: the masks by which programs of Portals 3.3 switch on what their library prints of its work, and calls
 * that print what it holds. By the masks this one prints nothing; such programs compile and run, and what happens shows
 * in a capture (portalsrun --trace FILE, or ASSAY_TRACE).
 */
#ifndef P3API_DEBUG_H
#define P3API_DEBUG_H

#include <portals3.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTL_DBG_NONE     0u
#define PTL_DBG_ALL      0x0000ffffu
#define PTL_DBG_API      (1u << 0)
#define PTL_DBG_PARSE    (1u << 1)
#define PTL_DBG_MOVE     (1u << 2)
#define PTL_DBG_DROP     (1u << 3)
#define PTL_DBG_REQUEST  (1u << 4)
#define PTL_DBG_DELIVERY (1u << 5)
#define PTL_DBG_MD       (1u << 6)
#define PTL_DBG_ME       (1u << 7)
#define PTL_DBG_UNLINK   (1u << 8)
#define PTL_DBG_EQ       (1u << 9)
#define PTL_DBG_EVENT    (1u << 10)
#define PTL_DBG_MEMORY   (1u << 11)
#define PTL_DBG_SETUP    (1u << 12)
#define PTL_DBG_SHUTDOWN (1u << 13)
#define PTL_DBG_NI_ALL   0xffff0000u /* those of the network, PTL_DBG_NI_00 to PTL_DBG_NI_15 */
#define PTL_DBG_NI_00    (1u << 16)
#define PTL_DBG_NI_01    (1u << 17)
#define PTL_DBG_NI_02    (1u << 18)
#define PTL_DBG_NI_03    (1u << 19)
#define PTL_DBG_NI_04    (1u << 20)
#define PTL_DBG_NI_05    (1u << 21)
#define PTL_DBG_NI_06    (1u << 22)
#define PTL_DBG_NI_07    (1u << 23)
#define PTL_DBG_NI_08    (1u << 24)
#define PTL_DBG_NI_09    (1u << 25)
#define PTL_DBG_NI_10    (1u << 26)
#define PTL_DBG_NI_11    (1u << 27)
#define PTL_DBG_NI_12    (1u << 28)
#define PTL_DBG_NI_13    (1u << 29)
#define PTL_DBG_NI_14    (1u << 30)
#define PTL_DBG_NI_15    (1u << 31)

/* PtlNIDebug keeps a mask, which has no effect here, and returns the one before. `ni_handle` is of an interface, or
 * PTL_INVALID_HANDLE: of all; not looked at. May be called at any time. */
unsigned int PtlNIDebug(ptl_handle_ni_t ni_handle, unsigned int mask);

/* PtlMEDump prints an entry with its descriptor on standard error, PtlTblDump all entries of a portal in their order;
 * PtlNIEqDump, in portals3.h, the queues. A line each, for people. PTL_NO_INIT, PTL_ME_INVALID; PTL_NI_INVALID,
 * PTL_PT_INDEX_INVALID. */
int PtlMEDump(ptl_handle_me_t me_handle);
int PtlTblDump(ptl_handle_ni_t ni_handle, int pt_index);

#ifdef __cplusplus
}
#endif

#endif
