/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The library under test: its header, and what little may differ between two headers that both follow the document.
 * This is the only file that looks at how a vendor defined things; README.md lists the switches.
 */
#ifndef INTERPRETER_PORTALS_VENDOR_H
#define INTERPRETER_PORTALS_VENDOR_H

#ifdef PORTALS_LATER
#include "later/vendor_later.h"
#else
#include "first/vendor_first.h"
#endif
#include <string.h>

/* HANDLES_ARE_INTEGERS: a handle becomes a ptl_handle_any_t by assignment. Otherwise its octets are copied, which is
 * right for structures and for integers of one size. */
#ifdef HANDLES_ARE_INTEGERS
#define VENDOR_CONVERT(to, from) ((to) = (from))
#else
#define VENDOR_CONVERT(to, from)                                                                                       \
    memcpy(memset(&(to), 0, sizeof(to)), &(from), sizeof(from) < sizeof(to) ? sizeof(from) : sizeof(to))
#endif

/* NO_name: the header lacks this constant. The Makefile finds that out by itself (probe.sh). The document itself names
 * some of them only in one place. Names have no row in constants.c then; for the return codes that the
 * interpreter itself looks at, numbers stand in that no library gives. */
#ifdef NO_PTL_EQ_EMPTY
#define PTL_EQ_EMPTY (-0x7ffffff2)
#endif
#ifdef NO_PTL_EQ_DROPPED
#define PTL_EQ_DROPPED (-0x7ffffff3)
#endif

#ifdef NO_PTL_MD_NONE
#define VENDOR_HAS_MD_NONE 0
#define VENDOR_MD_NONE                                                                                                 \
    {                                                                                                                  \
        0                                                                                                              \
    }
#else
#define VENDOR_HAS_MD_NONE 1
#define VENDOR_MD_NONE     PTL_MD_NONE
#endif

#endif
