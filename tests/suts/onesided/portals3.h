/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The header of a Portals 3.3 library that nobody has written the interpreter for: types, numbers and the order of
 * members are its own.
 */
#ifndef SUTS_ONESIDED_PORTALS3_H
#define SUTS_ONESIDED_PORTALS3_H

typedef unsigned long long ptl_size_t;
typedef unsigned long long ptl_match_bits_t;
typedef unsigned long long ptl_hdr_data_t;
#ifdef MEMBERS
typedef unsigned long long ptl_nid_t;
typedef unsigned int ptl_pid_t;
#else
typedef unsigned short ptl_nid_t;
typedef unsigned short ptl_pid_t;
#endif
typedef unsigned int ptl_uid_t;
typedef unsigned int ptl_jid_t;
typedef int ptl_interface_t;
typedef unsigned char ptl_pt_index_t;
typedef unsigned char ptl_ac_index_t;
typedef long long ptl_sr_value_t;
typedef unsigned int ptl_time_t;
typedef unsigned int ptl_seq_t;
typedef unsigned int ptl_handle_any_t;
#define PTL_EQ_NONE        ((ptl_handle_eq_t)~0u)
#define PTL_INVALID_HANDLE ((ptl_handle_any_t)0)
typedef ptl_handle_any_t ptl_handle_ni_t, ptl_handle_me_t, ptl_handle_md_t, ptl_handle_eq_t;

typedef enum { PTL_SR_PUSHED, PTL_SR_PULLED, PTL_SR_DROP_COUNT } ptl_sr_index_t;
typedef enum { PTL_INS_AFTER = 5, PTL_INS_BEFORE } ptl_ins_pos_t;
typedef enum { PTL_UNLINK = 7, PTL_RETAIN } ptl_unlink_t;
typedef enum { PTL_NOACK_REQ = 3, PTL_ACK_REQ = 9 } ptl_ack_req_t;
typedef enum { PTL_NI_FAIL = 1, PTL_NI_OK } ptl_ni_fail_t;

typedef enum {
    PTL_FAIL = -1,
    PTL_OK,
    PTL_EQ_EMPTY,
    PTL_EQ_DROPPED,
    PTL_SEGV,
    PTL_NO_SPACE,
    PTL_NO_INIT,
    PTL_MD_ILLEGAL,
    PTL_MD_INVALID,
    PTL_ME_INVALID,
    PTL_EQ_INVALID,
    PTL_NI_INVALID,
    PTL_HANDLE_INVALID,
    PTL_IFACE_INVALID,
    PTL_PROCESS_INVALID,
    PTL_PID_INVALID,
    PTL_PT_INDEX_INVALID,
    PTL_AC_INDEX_INVALID,
    PTL_SR_INDEX_INVALID,
    PTL_PT_FULL,
    PTL_ME_IN_USE,
    PTL_MD_IN_USE,
    PTL_MD_NO_UPDATE,
    PTL_ME_LIST_TOO_LONG,
    PTL_IFACE_DUP
} ptl_err_t;

typedef enum {
    PTL_EVENT_UNLINK = 1,
    PTL_EVENT_ACK,
    PTL_EVENT_SEND_START,
    PTL_EVENT_SEND_END,
    PTL_EVENT_REPLY_START,
    PTL_EVENT_REPLY_END,
    PTL_EVENT_PUT_START,
    PTL_EVENT_PUT_END,
    PTL_EVENT_GET_START,
    PTL_EVENT_GET_END,
    PTL_EVENT_GETPUT_START,
    PTL_EVENT_GETPUT_END
} ptl_event_kind_t;

#define PTL_IFACE_DEFAULT ((ptl_interface_t)-1)
#define PTL_NID_ANY       ((ptl_nid_t)-1)
#define PTL_PID_ANY       ((ptl_pid_t)-1)
#define PTL_UID_ANY       ((ptl_uid_t)-1)
#define PTL_JID_ANY       ((ptl_jid_t)-1)
#define PTL_PT_INDEX_ANY  ((ptl_pt_index_t)255)
#define PTL_TIME_FOREVER  ((ptl_time_t)-1)
#define PTL_MD_THRESH_INF (-1)

#define PTL_MD_EVENT_END_DISABLE   0x01u
#define PTL_MD_EVENT_START_DISABLE 0x02u
#define PTL_MD_MAX_SIZE            0x04u
#define PTL_MD_IOVEC               0x08u
#define PTL_MD_ACK_DISABLE         0x10u
#define PTL_MD_TRUNCATE            0x20u
#define PTL_MD_MANAGE_REMOTE       0x40u
#define PTL_MD_OP_GET              0x80u
#define PTL_MD_OP_PUT              0x100u

typedef struct {
    ptl_pid_t pid;
    ptl_nid_t nid;
} ptl_process_id_t;

typedef struct {
    int max_mes, max_mds, max_eqs, max_me_list, max_md_iovecs, max_getput_md;
    int max_pt_index, max_ac_index;
} ptl_ni_limits_t;

typedef struct {
    void *iov_base;
    ptl_size_t iov_len;
} ptl_md_iovec_t;

#ifdef MEMBERS
typedef struct {
    void *start;
    ptl_size_t length;
    int threshold;
    ptl_size_t max_size;
    unsigned int options;
    void *user_ptr;
    ptl_handle_eq_t eq_handle;
    int node_local[3];
} ptl_md_t;

typedef struct {
    ptl_md_t md;
    ptl_handle_md_t md_handle;
    ptl_process_id_t initiator;
    ptl_hdr_data_t hdr_data;
    ptl_match_bits_t match_bits;
    ptl_size_t rlength, mlength, offset;
    ptl_pt_index_t pt_index;
    ptl_jid_t jid;
    ptl_uid_t uid;
    ptl_seq_t link;
    ptl_event_kind_t type;
    ptl_ni_fail_t ni_fail_type;
    ptl_seq_t sequence;
} ptl_event_t;
#else
typedef struct {
    ptl_handle_eq_t eq_handle;
    unsigned short options;
    int threshold;
    void *user_ptr;
    ptl_size_t max_size;
    ptl_size_t length;
    void *start;
} ptl_md_t;

typedef struct {
    ptl_seq_t sequence, link;
    ptl_event_kind_t type;
    ptl_ni_fail_t ni_fail_type;
    ptl_process_id_t initiator;
    ptl_uid_t uid;
    ptl_jid_t jid;
    ptl_pt_index_t pt_index;
    ptl_match_bits_t match_bits;
    ptl_hdr_data_t hdr_data;
    ptl_size_t offset, mlength, rlength;
    ptl_handle_md_t md_handle;
    ptl_md_t md;
} ptl_event_t;
#endif

typedef void (*ptl_eq_handler_t)(ptl_event_t *event);
#define PTL_EQ_HANDLER_NONE ((ptl_eq_handler_t)0)

int PtlInit(int *max_interfaces);
void PtlFini(void);
int PtlNIInit(ptl_interface_t, ptl_pid_t, ptl_ni_limits_t *desired, ptl_ni_limits_t *actual, ptl_handle_ni_t *);
int PtlNIFini(ptl_handle_ni_t);
int PtlNIStatus(ptl_handle_ni_t, ptl_sr_index_t, ptl_sr_value_t *);
int PtlNIDist(ptl_handle_ni_t, ptl_process_id_t, unsigned long *);
int PtlNIHandle(ptl_handle_any_t, ptl_handle_ni_t *);
const char *PtlNIFailStr(ptl_handle_ni_t, ptl_ni_fail_t);
int PtlHandleIsEqual(ptl_handle_any_t, ptl_handle_any_t);
int PtlGetId(ptl_handle_ni_t, ptl_process_id_t *);
int PtlGetUid(ptl_handle_ni_t, ptl_uid_t *);
int PtlGetJid(ptl_handle_ni_t, ptl_jid_t *);
int PtlMEAttach(ptl_handle_ni_t, ptl_pt_index_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t,
                ptl_ins_pos_t, ptl_handle_me_t *);
int PtlMEAttachAny(ptl_handle_ni_t, ptl_pt_index_t *, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t,
                   ptl_unlink_t, ptl_handle_me_t *);
int PtlMEInsert(ptl_handle_me_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_ins_pos_t,
                ptl_handle_me_t *);
int PtlMEUnlink(ptl_handle_me_t);
int PtlMDAttach(ptl_handle_me_t, ptl_md_t, ptl_unlink_t, ptl_handle_md_t *);
int PtlMDBind(ptl_handle_ni_t, ptl_md_t, ptl_unlink_t, ptl_handle_md_t *);
int PtlMDUnlink(ptl_handle_md_t);
int PtlMDUpdate(ptl_handle_md_t, ptl_md_t *, ptl_md_t *, ptl_handle_eq_t);
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, ptl_eq_handler_t, ptl_handle_eq_t *);
int PtlEQFree(ptl_handle_eq_t);
int PtlEQGet(ptl_handle_eq_t, ptl_event_t *);
int PtlEQWait(ptl_handle_eq_t, ptl_event_t *);
int PtlEQPoll(ptl_handle_eq_t *, int, ptl_time_t, ptl_event_t *, int *);
int PtlACEntry(ptl_handle_ni_t, ptl_ac_index_t, ptl_process_id_t, ptl_uid_t, ptl_jid_t, ptl_pt_index_t);
int PtlPut(ptl_handle_md_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t,
           ptl_size_t, ptl_hdr_data_t);
int PtlPutRegion(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t,
                 ptl_ac_index_t, ptl_match_bits_t, ptl_size_t, ptl_hdr_data_t);
int PtlGet(ptl_handle_md_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t);
int PtlGetRegion(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t,
                 ptl_match_bits_t, ptl_size_t);
int PtlGetPut(ptl_handle_md_t, ptl_handle_md_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t,
              ptl_size_t, ptl_hdr_data_t);

#endif
