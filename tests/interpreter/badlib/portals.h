/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The header of another vendor, as unlike the reference's as the document permits: 32-bit sizes, integer handles that
 * are narrower than ptl_handle_any_t, signed ids and indexes, enumerators for constants, other values, and some names
 * missing that the document has in only one place.
 */
#ifndef BADLIB_PORTALS_H
#define BADLIB_PORTALS_H

enum {
    PTL_OK = 0,
    PTL_FAIL = -1,
    PTL_NOINIT = -2,
    PTL_SEGV = -3,
    PTL_NOSPACE = -4,
    PTL_INIT_DUP = -5,
    PTL_INIT_INV = -6,
    PTL_INV_PSIZE = -7,
    PTL_INV_ASIZE = -8,
    PTL_INV_NI = -9,
    PTL_INV_ME = -10,
    PTL_INV_MD = -11,
    PTL_INV_EQ = -12,
    PTL_INV_HANDLE = -13,
    PTL_INV_PROC = -14,
    PTL_INV_PTINDEX = -15,
    PTL_AC_INV_INDEX = -16,
    PTL_INV_SR_INDEX = -17,
    PTL_ILL_MD = -18,
    PTL_ML_TOOLONG = -19,
    PTL_NOUPDATE = -20,
    PTL_EQ_EMPTY = -21,
    PTL_EQ_DROPPED = -22,
    PTL_ADDR_UNKNOWN = -23,
    PTL_INUSE = -24 /* of later texts */
};

typedef unsigned int ptl_size_t;
typedef short ptl_handle_ni_t, ptl_handle_me_t, ptl_handle_md_t, ptl_handle_eq_t;
typedef long ptl_handle_any_t;
typedef int ptl_pt_index_t, ptl_ac_index_t, ptl_sr_index_t, ptl_sr_value_t, ptl_interface_t, ptl_id_t;
typedef unsigned long long ptl_match_bits_t;

enum { PTL_IFACE_DEFAULT = 7, PTL_SR_DROP_COUNT = 3, PTL_ID_ANY = -1, PTL_PT_INDEX_ANY = -1, PTL_EQ_NONE = -1 };
enum { PTL_MD_THRESH_INF = 0x7fffffff };
enum {
    PTL_MD_OP_PUT = 16,
    PTL_MD_OP_GET = 32,
    PTL_MD_MANAGE_REMOTE = 64,
    PTL_MD_TRUNCATE = 128,
    PTL_MD_ACK_DISABLE = 256
};

typedef enum { PTL_ADDR_BOTH, PTL_ADDR_GID, PTL_ADDR_NID } ptl_addr_kind_t;
typedef enum { PTL_UNLINK, PTL_RETAIN } ptl_unlink_t;
typedef enum { PTL_INS_AFTER, PTL_INS_BEFORE } ptl_ins_pos_t;
typedef enum { PTL_NOACK_REQ, PTL_ACK_REQ } ptl_ack_req_t;
typedef enum { PTL_EVENT_SENT, PTL_EVENT_ACK, PTL_EVENT_REPLY, PTL_EVENT_PUT, PTL_EVENT_GET } ptl_event_kind_t;

typedef struct {
    ptl_id_t rid, gid, pid, nid;
    ptl_addr_kind_t addr_kind;
} ptl_process_id_t;

typedef struct {
    ptl_handle_eq_t eventq;
    void *user_ptr;
    unsigned int options;
    int threshold;
    ptl_size_t length;
    void *start;
} ptl_md_t;

typedef struct {
    ptl_md_t mem_desc;
    ptl_size_t offset, mlength, rlength;
    ptl_match_bits_t match_bits;
    ptl_pt_index_t portal;
    ptl_process_id_t initiator;
    ptl_event_kind_t type;
} ptl_event_t;

int PtlInit(void);
void PtlFini(void);
int PtlGetId(ptl_process_id_t *id, ptl_id_t *gsize);
int PtlTransId(ptl_process_id_t *id);
int PtlNIInit(ptl_interface_t, ptl_pt_index_t, ptl_ac_index_t, ptl_handle_ni_t *);
int PtlNIFini(ptl_handle_ni_t);
int PtlNIBarrier(ptl_handle_ni_t);
int PtlNIStatus(ptl_handle_ni_t, ptl_sr_index_t, ptl_sr_value_t *);
int PtlNIDist(ptl_handle_ni_t, ptl_process_id_t, double *);
int PtlNIHandle(ptl_handle_any_t, ptl_handle_ni_t *);
int PtlMEAttach(ptl_handle_ni_t, ptl_pt_index_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t,
                ptl_handle_me_t *);
int PtlMEInsert(ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_ins_pos_t, ptl_handle_me_t,
                ptl_handle_me_t *);
int PtlMEUnlink(ptl_handle_me_t);
int PtlMDAttach(ptl_handle_me_t, ptl_md_t, ptl_unlink_t, ptl_handle_md_t *);
int PtlMDInsert(ptl_md_t, ptl_unlink_t, ptl_ins_pos_t, ptl_handle_md_t, ptl_handle_md_t *);
int PtlMDBind(ptl_handle_ni_t, ptl_md_t, ptl_handle_md_t *);
int PtlMDUnlink(ptl_handle_md_t);
int PtlMDUpdate(ptl_handle_md_t, ptl_md_t *, ptl_md_t *, ptl_handle_eq_t);
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, ptl_handle_eq_t *);
int PtlEQFree(ptl_handle_eq_t);
int PtlEQCount(ptl_handle_eq_t, ptl_size_t *);
int PtlEQGet(ptl_handle_eq_t, ptl_event_t *);
int PtlEQWait(ptl_handle_eq_t, ptl_event_t *);
int PtlACEntry(ptl_handle_ni_t, ptl_ac_index_t, ptl_process_id_t, ptl_pt_index_t);
int PtlPut(ptl_handle_md_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t,
           ptl_size_t);
int PtlGet(ptl_handle_md_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t);

#endif
