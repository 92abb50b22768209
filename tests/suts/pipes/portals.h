/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals.h of a library over named pipes, which has nothing of the reference. What the document leaves to an
 * implementation is another here: members in another order and more of them, other values, macros or enumerators.
 *
 *   NARROW   sizes of 32 bits; handles are plain integers of one type, the same for objects of different kinds, and the
 *            value of what is gone is used again; one interface
 *   LATE     nothing in it has more than a few dozen places, and events are seen 40 ms after what they tell of
 */
#ifndef SUTS_PIPES_PORTALS_H
#define SUTS_PIPES_PORTALS_H

#include <stdint.h>

enum {
    PTL_OK = 0,
    PTL_NOINIT = -1,
    PTL_FAIL = -2,
    PTL_SEGV = -14,
    PTL_NOSPACE = -12,
    PTL_INIT_DUP = -30,
    PTL_INIT_INV = -31,
    PTL_INV_PSIZE = -32,
    PTL_INV_ASIZE = -33,
    PTL_INV_NI = -40,
    PTL_INV_ME = -41,
    PTL_INV_MD = -42,
    PTL_INV_EQ = -43,
    PTL_INV_HANDLE = -44,
    PTL_INV_PROC = -45,
    PTL_INV_PTINDEX = -46,
    PTL_PT_INV_INDEX = PTL_INV_PTINDEX,
    PTL_AC_INV_INDEX = -47,
    PTL_INV_REG = -48,
    PTL_INV_SR_INDX = PTL_INV_REG,
    PTL_ILL_MD = -49,
    PTL_ML_TOOLONG = -50,
    PTL_NOUPDATE = -51,
    PTL_EQ_EMPTY = -52,
    PTL_EQ_DROPPED = -53,
    PTL_ADDR_UNKNOWN = -54
};

#ifdef NARROW
typedef uint32_t ptl_size_t;
typedef int ptl_handle_ni_t, ptl_handle_me_t, ptl_handle_md_t, ptl_handle_eq_t, ptl_handle_any_t;
#define PTL_EQ_NONE       0
#define PTL_MD_NONE       0
#define PTL_MAX_INTERFACE 0
#else
typedef uint64_t ptl_size_t;
typedef struct {
    uint64_t bits;
} ptl_handle_any_t;
typedef ptl_handle_any_t ptl_handle_ni_t, ptl_handle_me_t, ptl_handle_md_t, ptl_handle_eq_t;
#define PTL_EQ_NONE       ((ptl_handle_eq_t){1})
#define PTL_MD_NONE       ((ptl_handle_md_t){2})
#define PTL_MAX_INTERFACE 1
#endif

typedef uint16_t ptl_pt_index_t;
typedef uint8_t ptl_ac_index_t;
typedef int ptl_sr_index_t;
typedef int32_t ptl_sr_value_t;
typedef uint64_t ptl_match_bits_t;
typedef int ptl_interface_t;
typedef uint32_t ptl_id_t;

#define PTL_IFACE_DEFAULT (-1)
#define PTL_SR_DROP_COUNT 9
#define PTL_ID_ANY        ((ptl_id_t)0x7fffffff)
#define PTL_PT_INDEX_ANY  ((ptl_pt_index_t)0xffff)

typedef enum { PTL_ADDR_GID = 1, PTL_ADDR_NID = 2, PTL_ADDR_BOTH = 3 } ptl_addr_kind_t;

typedef struct {
    ptl_id_t rid, gid;
    ptl_id_t pid, nid;
    ptl_addr_kind_t addr_kind;
    uint64_t cache; /* the library's own */
} ptl_process_id_t;

typedef enum { PTL_UNLINK = 4, PTL_RETAIN = 5 } ptl_unlink_t;
typedef enum { PTL_INS_AFTER = 6, PTL_INS_BEFORE = 7 } ptl_ins_pos_t;
typedef enum { PTL_NOACK_REQ = 8, PTL_ACK_REQ = 9 } ptl_ack_req_t;
typedef enum { PTL_EVENT_SENT = 10, PTL_EVENT_ACK, PTL_EVENT_REPLY, PTL_EVENT_PUT, PTL_EVENT_GET } ptl_event_kind_t;

#define PTL_MD_THRESH_INF    0x7fffffff
#define PTL_MD_ACK_DISABLE   0x100u
#define PTL_MD_TRUNCATE      0x200u
#define PTL_MD_MANAGE_REMOTE 0x400u
#define PTL_MD_OP_GET        0x800u
#define PTL_MD_OP_PUT        0x1000u

typedef struct {
    ptl_handle_eq_t eventq;
    void *user_ptr;
    unsigned int options;
    int threshold;
    void *registration; /* the library's own */
    ptl_size_t length;
    void *start;
} ptl_md_t;

typedef struct {
    uint64_t sequence; /* the library's own */
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
int PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size, ptl_handle_ni_t *handle);
int PtlNIFini(ptl_handle_ni_t interface);
int PtlNIBarrier(ptl_handle_ni_t interface);
int PtlNIStatus(ptl_handle_ni_t interface, ptl_sr_index_t index, ptl_sr_value_t *status);
int PtlNIDist(ptl_handle_ni_t interface, ptl_process_id_t process, double *distance);
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *interface);
int PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid, ptl_match_bits_t match_bits,
                ptl_match_bits_t ignorebits, ptl_unlink_t unlink, ptl_handle_me_t *handle);
int PtlMEInsert(ptl_process_id_t matchid, ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                ptl_ins_pos_t position, ptl_handle_me_t current, ptl_handle_me_t *handle);
int PtlMEUnlink(ptl_handle_me_t entry);
int PtlMDAttach(ptl_handle_me_t match, ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_handle_md_t *handle);
int PtlMDInsert(ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_md_t current,
                ptl_handle_md_t *handle);
int PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle);
int PtlMDUnlink(ptl_handle_md_t mem_desc);
int PtlMDUpdate(ptl_handle_md_t mem_desc, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq);
int PtlEQAlloc(ptl_handle_ni_t interface, ptl_size_t count, ptl_handle_eq_t *handle);
int PtlEQFree(ptl_handle_eq_t eventq);
int PtlEQCount(ptl_handle_eq_t eventq, ptl_size_t *count);
int PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event);
int PtlEQWait(ptl_handle_eq_t eventq, ptl_event_t *event);
int PtlACEntry(ptl_handle_ni_t interface, ptl_ac_index_t index, ptl_process_id_t matchid, ptl_pt_index_t portal);
int PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target, ptl_pt_index_t portal,
           ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset);
int PtlGet(ptl_handle_md_t mem_desc, ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t match_bits, ptl_size_t offset);

#endif
