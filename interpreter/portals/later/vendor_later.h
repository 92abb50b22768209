/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals 3.2 and 3.3: an adapter that gives the shared files the calls and members under the names by which they use
 * them. PORTALS_LATER is 32 or 33, PORTALS_HEADER the header, PORTALS_NETWORK that of a network, where it has the
 * interfaces; ../../probe.sh finds all. Nothing has to be written for a library of these revisions.
 */
#ifndef INTERPRETER_PORTALS_VENDOR_LATER_H
#define INTERPRETER_PORTALS_VENDOR_LATER_H

#ifndef PORTALS_HEADER
#define PORTALS_HEADER <portals3.h>
#endif
#include PORTALS_HEADER
#ifdef PORTALS_NETWORK
#include PORTALS_NETWORK
#endif

/* What calls of Portals 3.0 lack: `extra` has it, and the pairs of a command that give it, which may be left out. */
struct extra {
    ptl_ins_pos_t position;
    ptl_unlink_t unlink, nofit;
    ptl_uid_t uid;
    unsigned int jid; /* 3.3 */
    unsigned long long hdr_data;
};
#define VENDOR_ME_ATTACH " [position]"
#define VENDOR_PUT       " [hdr_data]"

#define vendor_me_attach(extra, ni, index, id, bits, ignored, unlink, handle)                                          \
    PtlMEAttach(ni, index, id, bits, ignored, unlink, (extra)->position, handle)
#define vendor_me_insert(id, bits, ignored, unlink, position, current, handle)                                         \
    PtlMEInsert(current, id, bits, ignored, unlink, position, handle)
#define vendor_eq_alloc(ni, count, handle) PtlEQAlloc(ni, count, VENDOR_NO_HANDLER, handle)
#define vendor_put(extra, md, ack, target, portal, cookie, bits, offset)                                               \
    PtlPut(md, ack, target, portal, cookie, bits, offset, (ptl_hdr_data_t)(extra)->hdr_data)

typedef ptl_pid_t vendor_id_t;
#define VENDOR_ID_ANY PTL_PID_ANY

#if PORTALS_LATER >= 33

#define VENDOR_API       "portals-3.3"
#define VENDOR_LIBRARY   "Portals 3.3"
#define VENDOR_MD_ATTACH ""
#define VENDOR_MD_BIND   " [unlink]"
#define VENDOR_MD        " [max_size]"
#define VENDOR_AC_ENTRY  " [uid] [jid]"

#define vendor_md_attach(extra, me, md, unlink, handle) ((void)(extra), PtlMDAttach(me, md, unlink, handle))
#define vendor_md_bind(extra, ni, md, handle)           PtlMDBind(ni, md, (extra)->unlink, handle)
#define vendor_ac_entry(extra, ni, index, id, portal)                                                                  \
    PtlACEntry(ni, index, id, (extra)->uid, (ptl_jid_t)(extra)->jid, portal)

#define VENDOR_QUEUE(descriptor) ((descriptor)->eq_handle)
#define VENDOR_PORTAL(event)     ((event)->pt_index)
#define VENDOR_DESCRIPTOR(event) ((event)->md)
#define VENDOR_NO_HANDLER        PTL_EQ_HANDLER_NONE
#define VENDOR_NOUPDATE          PTL_MD_NO_UPDATE

#else

#define VENDOR_API       "portals-3.2"
#define VENDOR_LIBRARY   "Portals 3.2"
#define VENDOR_MD_ATTACH " [nofit]"
#define VENDOR_MD_BIND   ""
#define VENDOR_MD        " [max_offset]"
#define VENDOR_AC_ENTRY  " [uid]"

#define vendor_md_attach(extra, me, md, unlink, handle) PtlMDAttach(me, md, unlink, (extra)->nofit, handle)
#define vendor_md_bind(extra, ni, md, handle)           ((void)(extra), PtlMDBind(ni, md, handle))
#define vendor_ac_entry(extra, ni, index, id, portal)   PtlACEntry(ni, index, id, (extra)->uid, portal)

#define VENDOR_QUEUE(descriptor) ((descriptor)->eventq)
#define VENDOR_PORTAL(event)     ((event)->portal)
#define VENDOR_DESCRIPTOR(event) ((event)->mem_desc)
#define VENDOR_NO_HANDLER        NULL
#define VENDOR_NOUPDATE          PTL_NOUPDATE

#endif

#endif
