/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals3.h: the Portals 3.3 message passing interface, as the reference implementation of Assay has it
 * (libportals33, `pkg-config --cflags --libs portals-3.3`). Names, members and the order of arguments are those that
 * programs of the time were written to; the numbers behind them are this implementation's.
 *
 * What specs/portals-3.3.json demands holds here; where that is only reconstructed, the comment says what is done.
 *
 *  - Every function that returns an int returns PTL_OK or one of the codes below. The first failure is returned and
 *    nothing has changed; outputs are written only on success.
 *  - All functions but PtlInit and PtlFini may be called by several threads at once. Only PtlEQWait and PtlEQPoll
 *    block. No function may be called from a signal handler.
 *  - Sizes, lengths and offsets are in octets. The memory of a descriptor stays the caller's.
 */
#ifndef PORTALS3_H
#define PORTALS3_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTL_VERSION_MAJOR 3
#define PTL_VERSION_MINOR 3

/* ---- return codes ------------------------------------------------------------------------------------------------ */

enum ptl_err {
    PTL_OK = 0,
    PTL_FAIL,             /* the library could not be initialised; the reason is printed on stderr */
    PTL_NO_INIT,          /* PtlInit has not been called, or PtlFini has */
    PTL_NO_SPACE,         /* memory, or a limit of the interface, is exhausted */
    PTL_SEGV,             /* an argument is not a legal address */
    PTL_IFACE_INVALID,    /* no such interface, or its network refuses */
    PTL_IFACE_DUP,        /* never returned: an interface may be initialised again */
    PTL_HANDLE_INVALID,   /* not the handle of any live object */
    PTL_NI_INVALID,       /* not the handle of an initialised interface */
    PTL_ME_INVALID,       /* not the handle of a linked match entry */
    PTL_MD_INVALID,       /* not the handle of a live descriptor; for a source: or its threshold is 0 */
    PTL_EQ_INVALID,       /* not the handle of a live event queue */
    PTL_ME_IN_USE,        /* the entry has a descriptor already */
    PTL_MD_IN_USE,        /* an operation on the descriptor is under way */
    PTL_MD_ILLEGAL,       /* a ptl_md_t with illegal values, or a part that is not in its region */
    PTL_MD_NO_UPDATE,     /* the test queue was not empty or the descriptor in use; nothing was updated */
    PTL_ME_LIST_TOO_LONG, /* the match list holds max_me_list entries already */
    PTL_PROCESS_INVALID,  /* not a process id, or (as a target) not one that can be reached */
    PTL_PID_INVALID,      /* neither PTL_PID_ANY nor the process's own */
    PTL_PT_INDEX_INVALID, /* portal index outside the portal table */
    PTL_PT_FULL,          /* every portal has a match list */
    PTL_AC_INDEX_INVALID, /* access control index outside the table */
    PTL_SR_INDEX_INVALID, /* no such status register */
    PTL_EQ_EMPTY,         /* no event */
    PTL_EQ_DROPPED,       /* success, and at least one event before the returned one was lost */
    PTL_UNKNOWN_ERROR     /* never returned */
};

/* ---- base types -------------------------------------------------------------------------------------------------- */

typedef uint64_t ptl_size_t;
typedef uint32_t ptl_nid_t; /* node: its IPv4 address as a number */
typedef uint32_t ptl_pid_t; /* process on the node; over TCP it says at which port it listens (man portals3) */
typedef uint32_t ptl_uid_t;
typedef uint32_t ptl_jid_t;
typedef uint32_t ptl_interface_t;
typedef uint32_t ptl_pt_index_t;
typedef uint32_t ptl_ac_index_t;
typedef uint32_t ptl_sr_index_t;
typedef int64_t ptl_sr_value_t;
typedef uint64_t ptl_match_bits_t;
typedef uint64_t ptl_hdr_data_t;
typedef uint64_t ptl_seq_t;
typedef uint32_t ptl_time_t; /* milliseconds */

/* Handles are of one type, as programs compare and store them. They are never reused. */
typedef uint64_t ptl_handle_any_t;
typedef ptl_handle_any_t ptl_handle_ni_t;
typedef ptl_handle_any_t ptl_handle_me_t;
typedef ptl_handle_any_t ptl_handle_md_t;
typedef ptl_handle_any_t ptl_handle_eq_t;

#define PTL_INVALID_HANDLE  UINT64_MAX
#define PTL_HANDLE_NONE     PTL_INVALID_HANDLE /* as others spell it */
#define PTL_EQ_NONE         UINT64_MAX
#define PTL_MD_NONE         UINT64_MAX
#define PTL_HANDLE_ANY(h)   (h)
#define PTL_NID_ANY         UINT32_MAX
#define PTL_PID_ANY         UINT32_MAX
#define PTL_UID_ANY         UINT32_MAX
#define PTL_JID_ANY         UINT32_MAX
#define PTL_JID_NONE        0u
#define PTL_PT_INDEX_ANY    UINT32_MAX
#define PTL_TIME_FOREVER    UINT32_MAX
#define PTL_EQ_HANDLER_NONE NULL /* word for word as programs define it that know a header without it */

/* Interfaces are numbered, and share nothing. On which network they are is said when the process starts (ASSAY_NAL). */
#ifndef PTL_IFACE_DEFAULT /* some programs have one of their own: a name from nal.h */
#define PTL_IFACE_DEFAULT 0u
#endif
#define PTL_IFACE_INAL 1u /* Intercept */
#define PTL_IFACE_MYR  2u /* Myrinet */
#define PTL_IFACE_UTCP 3u

#define PTL_SR_DROP_COUNT 0u /* messages that an interface discarded; the only register */

typedef struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
} ptl_process_id_t;

/* The limits of an interface: what is asked for, and what there is. An index is the highest one. */
typedef struct {
    int max_mes;       /* match entries */
    int max_mds;       /* memory descriptors */
    int max_eqs;       /* event queues */
    int max_ac_index;  /* of the access control table */
    int max_pt_index;  /* of the portal table */
    int max_md_iovecs; /* pieces of a scattered descriptor's memory */
    int max_me_list;   /* entries of one match list */
    int max_getput_md; /* octets that PtlGetPut exchanges */
} ptl_ni_limits_t;

typedef enum { PTL_NI_OK, PTL_NI_UNREACHABLE, PTL_NI_UNDEFINED } ptl_ni_fail_t;
typedef enum { PTL_RETAIN, PTL_UNLINK } ptl_unlink_t;
typedef enum { PTL_INS_BEFORE, PTL_INS_AFTER } ptl_ins_pos_t;
typedef enum { PTL_ACK_REQ, PTL_NOACK_REQ } ptl_ack_req_t;
#define PTL_NO_ACK_REQ PTL_NOACK_REQ /* as others spell it */

/* ---- memory descriptors ------------------------------------------------------------------------------------------ */

/* A memory descriptor.
 *   start, length  the region; NULL only with length 0
 *   threshold      operations that it takes part in, remote and own: a put, a get, sending, an acknowledgement, a
 *                  reply. 0 is inactive; PTL_MD_THRESH_INF is no bound
 *   max_size       with PTL_MD_MAX_SIZE, and unless the request gives the offset: inactive when less than so much is
 *                  left
 *   options        PTL_MD_... or-ed together
 *   user_ptr       any value; comes back in events
 *   eq_handle      where operations are logged; PTL_EQ_NONE: nowhere */
typedef struct {
    void *start;
    ptl_size_t length;
    int threshold;
    ptl_size_t max_size;
    unsigned int options;
    void *user_ptr;
    ptl_handle_eq_t eq_handle;
} ptl_md_t;

#define PTL_MD_THRESH_INF (-1)

#define PTL_MD_OP_PUT              0x001u /* serves puts */
#define PTL_MD_OP_GET              0x002u /* serves gets */
#define PTL_MD_MANAGE_REMOTE       0x004u /* the request gives the offset; without it the descriptor keeps one */
#define PTL_MD_TRUNCATE            0x008u /* what is too long is cut, replies too; without it it is rejected */
#define PTL_MD_ACK_DISABLE         0x010u /* no acknowledgement is sent */
#define PTL_MD_IOVEC               0x020u /* the region is scattered: ptl_md_iovec_t */
#define PTL_MD_MAX_SIZE            0x040u /* max_size counts */
#define PTL_MD_EVENT_START_DISABLE 0x080u /* no events that operations begin */
#define PTL_MD_EVENT_END_DISABLE   0x100u /* no events that they end; with both, none of acknowledgements either */

/* A piece of a scattered region. With PTL_MD_IOVEC `start` of the descriptor is an array of pieces, which is copied,
 * and `length` says how many they are, max_md_iovecs at most; all other lengths and offsets are octets of the pieces
 * one behind the other. What lies in several of them is copied on its way, and comes into memory when all of it is
 * here. */
typedef struct {
    void *iov_base;
    ptl_size_t iov_len;
} ptl_md_iovec_t;

/* ---- events ------------------------------------------------------------------------------------------------------ */

typedef enum {
    PTL_EVENT_GET_START, /* target: a get begins */
    PTL_EVENT_GET_END,   /* target: its reply has left */
    PTL_EVENT_PUT_START, /* target: a put begins */
    PTL_EVENT_PUT_END,   /* target: its data is in memory */
    PTL_EVENT_GETPUT_START,
    PTL_EVENT_GETPUT_END,
    PTL_EVENT_REPLY_START, /* initiator: a reply comes */
    PTL_EVENT_REPLY_END,   /* initiator: its data is in memory */
    PTL_EVENT_SEND_START,  /* initiator: a put begins */
    PTL_EVENT_SEND_END,    /* initiator: its data has left, the memory may be used again */
    PTL_EVENT_ACK,         /* initiator: the target acknowledged a put */
    PTL_EVENT_UNLINK       /* the library unlinked the descriptor; all operations on it have ended */
} ptl_event_kind_t;

/* One event.
 *   initiator, uid, jid    who began the operation
 *   pt_index, match_bits   as in the request
 *   rlength, mlength       requested, and moved
 *   offset                 at the target, and in REPLY: where in the region; else as in the request
 *   md_handle, md          the descriptor, as it is after the operation
 *   hdr_data               of the put
 *   link                   the same number in both events of one operation: the sequence of the first, 0 where that was
 *                          not logged. In UNLINK: the sequence of the last event of an operation on the descriptor
 *   ni_fail_type           PTL_NI_OK; in SEND_END of a put that the network did not take PTL_NI_UNREACHABLE
 *   sequence               events of the queue are numbered from 1 */
typedef struct {
    ptl_event_kind_t type;
    ptl_process_id_t initiator;
    ptl_uid_t uid;
    ptl_jid_t jid;
    ptl_pt_index_t pt_index;
    ptl_match_bits_t match_bits;
    ptl_size_t rlength;
    ptl_size_t mlength;
    ptl_size_t offset;
    ptl_handle_md_t md_handle;
    ptl_md_t md;
    ptl_hdr_data_t hdr_data;
    ptl_seq_t link;
    ptl_ni_fail_t ni_fail_type;
    volatile ptl_seq_t sequence;
} ptl_event_t;

/* A function that is called with each event of a queue, in a thread of the library; the event stays in the queue. */
typedef void (*ptl_eq_handler_t)(ptl_event_t *event);

/* ---- initialisation, interfaces, processes ----------------------------------------------------------------------- */

/* PtlInit makes the process a member of its job; it may be called again. Stores how many interfaces there are, unless
 * `max_interfaces` is NULL. PTL_FAIL, PTL_SEGV. */
int PtlInit(int *max_interfaces);

/* PtlFini closes every interface, leaves the job and frees everything. */
void PtlFini(void);

/* PtlNIInit opens an interface with limits as near to `desired` as there are (NULL: the implementation's own choice)
 * and stores them in *actual unless that is NULL. An interface that is open is left as it is: its handle and limits
 * are stored. `pid` is PTL_PID_ANY or the process's own; a process that no launcher has started takes the one that its
 * first interface asks for, 1 to 65535, so that programs on other nodes know where it is. PTL_NO_INIT,
 * PTL_SEGV, PTL_IFACE_INVALID, PTL_PID_INVALID, PTL_NO_SPACE. */
int PtlNIInit(ptl_interface_t iface, ptl_pid_t pid, ptl_ni_limits_t *desired, ptl_ni_limits_t *actual,
              ptl_handle_ni_t *ni_handle);

/* PtlNIFini closes it; no transfer touches the process's memory any more. PTL_NO_INIT, PTL_NI_INVALID. */
int PtlNIFini(ptl_handle_ni_t ni_handle);

/* PtlNIStatus stores a status register. PTL_NO_INIT, PTL_SEGV, PTL_NI_INVALID, PTL_SR_INDEX_INVALID. */
int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register, ptl_sr_value_t *status);

/* PtlNIDist stores a static measure of the distance to a process of the job. PTL_NO_INIT, PTL_SEGV, PTL_NI_INVALID,
 * PTL_PROCESS_INVALID. */
int PtlNIDist(ptl_handle_ni_t ni_handle, ptl_process_id_t process, unsigned long *distance);

/* PtlNIHandle stores the interface of a live object. PTL_NO_INIT, PTL_SEGV, PTL_HANDLE_INVALID. */
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni_handle);

/* PtlSnprintHandle writes a handle of any kind into `str`, at most `str_len` octets with the 0 at their end, as the
 * library itself prints it. The document does not have it; libraries of the time do. */
void PtlSnprintHandle(char *str, int str_len, ptl_handle_any_t handle);

/* PtlNIFailStr is a text for a failure; never NULL, the library's own. */
const char *PtlNIFailStr(ptl_handle_ni_t ni_handle, ptl_ni_fail_t ni_fail_type);

/* PtlErrorStr is the name of a code, PtlEventKindStr that of a kind of event; never NULL, the library's own. */
const char *PtlErrorStr(unsigned int code);
const char *PtlEventKindStr(ptl_event_kind_t kind);

/* The same as arrays, by the values from PTL_OK to PTL_UNKNOWN_ERROR and from PTL_EVENT_GET_START to PTL_EVENT_UNLINK;
 * to be read only. */
extern const char *ptl_err_str[];
extern const char *ptl_event_str[];

/* PtlHandleIsEqual is 1 for two handles of the same object, else 0. */
int PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2);

/* PtlGetId, PtlGetUid, PtlGetJid store the caller's process id, user id and job id. PTL_NO_INIT, PTL_SEGV,
 * PTL_NI_INVALID. */
int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_id_t *id);
int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t *uid);
int PtlGetJid(ptl_handle_ni_t ni_handle, ptl_jid_t *jid);

/* ---- match entries ----------------------------------------------------------------------------------------------- */

/* PtlMEAttach makes an entry at the head (PTL_INS_BEFORE) or tail (PTL_INS_AFTER) of a portal's match list.
 * PTL_NO_INIT, PTL_SEGV, PTL_NI_INVALID, PTL_PT_INDEX_INVALID, PTL_ME_LIST_TOO_LONG, PTL_NO_SPACE. */
int PtlMEAttach(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, ptl_process_id_t match_id,
                ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                ptl_ins_pos_t position, ptl_handle_me_t *me_handle);

/* PtlMEAttachAny makes it the list of a portal that has none, and stores which. PTL_NO_INIT, PTL_SEGV, PTL_NI_INVALID,
 * PTL_PT_FULL, PTL_NO_SPACE. */
int PtlMEAttachAny(ptl_handle_ni_t ni_handle, ptl_pt_index_t *pt_index, ptl_process_id_t match_id,
                   ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                   ptl_handle_me_t *me_handle);

/* PtlMEInsert makes an entry directly before or after `base`. PTL_NO_INIT, PTL_SEGV, PTL_ME_INVALID,
 * PTL_ME_LIST_TOO_LONG, PTL_NO_SPACE. */
int PtlMEInsert(ptl_handle_me_t base, ptl_process_id_t match_id, ptl_match_bits_t match_bits,
                ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op, ptl_ins_pos_t position,
                ptl_handle_me_t *me_handle);

/* PtlMEUnlink destroys an entry with its descriptor; what is under way into that is cut off. PTL_NO_INIT,
 * PTL_ME_INVALID. */
int PtlMEUnlink(ptl_handle_me_t me_handle);

/* ---- memory descriptors ------------------------------------------------------------------------------------------ */

/* PtlMDAttach makes the one descriptor of an entry. With PTL_UNLINK the library unlinks it when its threshold is
 * exhausted, or less than max_size is left of it; then the entry goes too if it was made so. `md_handle` may be NULL.
 * PTL_NO_INIT, PTL_SEGV, PTL_ME_INVALID, PTL_ME_IN_USE, PTL_MD_ILLEGAL, PTL_NO_SPACE. */
int PtlMDAttach(ptl_handle_me_t me_handle, ptl_md_t md, ptl_unlink_t unlink_op, ptl_handle_md_t *md_handle);

/* PtlMDBind makes a descriptor of no entry, for puts and gets of this process. PTL_NO_INIT, PTL_SEGV, PTL_NI_INVALID,
 * PTL_MD_ILLEGAL, PTL_NO_SPACE. */
int PtlMDBind(ptl_handle_ni_t ni_handle, ptl_md_t md, ptl_unlink_t unlink_op, ptl_handle_md_t *md_handle);

/* PtlMDUnlink destroys a descriptor, without an event. PTL_NO_INIT, PTL_MD_INVALID, PTL_MD_IN_USE. */
int PtlMDUnlink(ptl_handle_md_t md_handle);

/* PtlMDUpdate stores the value in *old_md (unless NULL) and makes *new_md the value (unless NULL) if `testq` is
 * PTL_EQ_NONE or empty and no operation on the descriptor is under way, in one step; the local offset is 0 then.
 * PTL_NO_INIT, PTL_SEGV, PTL_MD_INVALID, PTL_EQ_INVALID, PTL_MD_ILLEGAL, PTL_MD_NO_UPDATE. */
int PtlMDUpdate(ptl_handle_md_t md_handle, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq);

/* PtlMEMDPost makes an entry directly before or after `base`, which is one of that interface, with a descriptor, if
 * `testq` is PTL_EQ_NONE or empty, in one step; else PTL_MD_NO_UPDATE, and there is neither. The document does not have
 * it; libraries of the time do, for a receive that must not overtake what has come already. Codes of PtlMEInsert,
 * PtlMDAttach and PtlMDUpdate, and PTL_NI_INVALID. */
int PtlMEMDPost(ptl_handle_ni_t ni_handle, ptl_handle_me_t base, ptl_process_id_t match_id, ptl_match_bits_t match_bits,
                ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op, ptl_ins_pos_t position, ptl_md_t md,
                ptl_unlink_t md_unlink_op, ptl_handle_me_t *me_handle, ptl_handle_md_t *md_handle,
                ptl_handle_eq_t testq);

/* PtlMEMDAttach makes an entry at the head or tail of a portal's match list, and its descriptor. The document does not
 * have it; libraries of the time do. Codes of PtlMEAttach and PtlMDAttach; after any but PTL_OK there is neither. */
int PtlMEMDAttach(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, ptl_process_id_t match_id,
                  ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                  ptl_ins_pos_t position, ptl_md_t md, ptl_unlink_t md_unlink_op, ptl_handle_me_t *me_handle,
                  ptl_handle_md_t *md_handle);

/* ---- event queues ------------------------------------------------------------------------------------------------ */

/* PtlEQAlloc makes a queue for `count` events; for 0 it stores PTL_EQ_NONE. An event that finds no room takes the place
 * of the oldest one. PTL_NO_INIT, PTL_SEGV, PTL_NI_INVALID, PTL_NO_SPACE. */
int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count, ptl_eq_handler_t eq_handler, ptl_handle_eq_t *eq_handle);

/* PtlEQFree destroys a queue. Its handler has run for every event, unless it is the caller, and runs no more.
 * PTL_NO_INIT, PTL_EQ_INVALID. */
int PtlEQFree(ptl_handle_eq_t eq_handle);

/* PtlEQGet takes the oldest event; PtlEQWait waits for one. PTL_EQ_DROPPED is success too. PTL_NO_INIT, PTL_SEGV,
 * PTL_EQ_INVALID, PTL_EQ_EMPTY (PtlEQGet only). */
int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t *event);
int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t *event);

/* PtlEQPoll takes an event of one of `size` queues and stores which; it looks at them in turn. Waits at most `timeout`
 * milliseconds, PTL_TIME_FOREVER: until there is one. PTL_EQ_DROPPED is success too. PTL_NO_INIT, PTL_SEGV,
 * PTL_EQ_INVALID, PTL_EQ_EMPTY. */
int PtlEQPoll(ptl_handle_eq_t *eq_handles, int size, ptl_time_t timeout, ptl_event_t *event, int *which_eq);

/* PtlEQWait_timeout takes an event of one queue, for which it waits at most `timeout` seconds. The document does not
 * have it; libraries of the time do. Codes as above. */
int PtlEQWait_timeout(ptl_handle_eq_t eq_handle, ptl_event_t *event, int timeout);

/* PtlNIEqDump prints how full each queue of an interface is, for who debugs a program: see p3api/debug.h. PTL_NO_INIT,
 * PTL_NI_INVALID. */
int PtlNIEqDump(ptl_handle_ni_t ni_handle);

/* ---- access control ---------------------------------------------------------------------------------------------- */

/* PtlACEntry makes entry `ac_index` admit the processes that fit all of the others. At first entry 0 admits those of
 * the same user, the rest nobody. PTL_NO_INIT, PTL_NI_INVALID, PTL_AC_INDEX_INVALID, PTL_PT_INDEX_INVALID. */
int PtlACEntry(ptl_handle_ni_t ni_handle, ptl_ac_index_t ac_index, ptl_process_id_t match_id, ptl_uid_t uid,
               ptl_jid_t jid, ptl_pt_index_t pt_index);

/* ---- data movement ----------------------------------------------------------------------------------------------- */

/* PtlPut sends the region of a descriptor, PtlPutRegion `length` octets of it from `local_offset` on. Both return at
 * once. PTL_NO_INIT, PTL_MD_INVALID, PTL_PROCESS_INVALID, PTL_NO_SPACE; PTL_MD_ILLEGAL: the part is not in the
 * region. */
int PtlPut(ptl_handle_md_t md_handle, ptl_ack_req_t ack_req, ptl_process_id_t target_id, ptl_pt_index_t pt_index,
           ptl_ac_index_t ac_index, ptl_match_bits_t match_bits, ptl_size_t remote_offset, ptl_hdr_data_t hdr_data);
int PtlPutRegion(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length, ptl_ack_req_t ack_req,
                 ptl_process_id_t target_id, ptl_pt_index_t pt_index, ptl_ac_index_t ac_index,
                 ptl_match_bits_t match_bits, ptl_size_t remote_offset, ptl_hdr_data_t hdr_data);

/* PtlGet asks for as much as the region is long, PtlGetRegion for `length` octets that come to `local_offset`. Codes as
 * above. */
int PtlGet(ptl_handle_md_t md_handle, ptl_process_id_t target_id, ptl_pt_index_t pt_index, ptl_ac_index_t ac_index,
           ptl_match_bits_t match_bits, ptl_size_t remote_offset);
int PtlGetRegion(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length, ptl_process_id_t target_id,
                 ptl_pt_index_t pt_index, ptl_ac_index_t ac_index, ptl_match_bits_t match_bits,
                 ptl_size_t remote_offset);

/* PtlGetPut exchanges the octets of `put_md` for those of the target, atomically; the old ones come into `get_md`. Both
 * have the same length, at most max_getput_md (else PTL_MD_ILLEGAL); the target must serve puts and gets. Codes as
 * above. */
int PtlGetPut(ptl_handle_md_t get_md, ptl_handle_md_t put_md, ptl_process_id_t target_id, ptl_pt_index_t pt_index,
              ptl_ac_index_t ac_index, ptl_match_bits_t match_bits, ptl_size_t remote_offset, ptl_hdr_data_t hdr_data);

#ifdef __cplusplus
}
#endif

#endif
