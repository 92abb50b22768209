/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals 3.0: the calls and members as that document prints them, under the names by which the shared files use them.
 */
#ifndef INTERPRETER_PORTALS_VENDOR_FIRST_H
#define INTERPRETER_PORTALS_VENDOR_FIRST_H

#include <portals.h>

#define VENDOR_API     "portals-3.0"
#define VENDOR_LIBRARY "Portals 3.0"

/* struct extra is what calls of later revisions take in addition: nothing. The pairs of the commands likewise. */
struct extra {
    char none;
};
#define VENDOR_ME_ATTACH ""
#define VENDOR_MD_ATTACH ""
#define VENDOR_MD_BIND   ""
#define VENDOR_MD        ""
#define VENDOR_AC_ENTRY  ""
#define VENDOR_PUT       ""

#define vendor_me_attach(extra, ...) ((void)(extra), PtlMEAttach(__VA_ARGS__))
#define vendor_me_insert             PtlMEInsert
#define vendor_md_attach(extra, ...) ((void)(extra), PtlMDAttach(__VA_ARGS__))
#define vendor_md_bind(extra, ...)   ((void)(extra), PtlMDBind(__VA_ARGS__))
#define vendor_eq_alloc              PtlEQAlloc
#define vendor_ac_entry(extra, ...)  ((void)(extra), PtlACEntry(__VA_ARGS__))
#define vendor_put(extra, ...)       ((void)(extra), PtlPut(__VA_ARGS__))

#define VENDOR_QUEUE(descriptor) ((descriptor)->eventq)
#define VENDOR_PORTAL(event)     ((event)->portal)
#define VENDOR_DESCRIPTOR(event) ((event)->mem_desc)

typedef ptl_id_t vendor_id_t;
#define VENDOR_ID_ANY PTL_ID_ANY

/* A number stands in, which no library gives, where the header lacks the code. */
#ifdef NO_PTL_NOUPDATE
#define VENDOR_NOUPDATE (-0x7ffffff1)
#else
#define VENDOR_NOUPDATE PTL_NOUPDATE
#endif

#endif
