/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals3.h: the Portals 3.2 message passing interface, as the reference implementation of Assay has it
 * (libportals32, `pkg-config --cflags --libs portals-3.2`). Names, members and the order of arguments are those that
 * programs of the time were written to; the numbers behind them are this implementation's.
 *
 * What specs/portals-3.2.json demands holds here; where that is only reconstructed, the comment says what is done.
 *
 *  - Every function that returns an int returns PTL_OK or one of the codes below. The first failure is returned and
 *    nothing has changed; outputs are written only on success.
 *  - All functions but PtlInit and PtlFini may be called by several threads at once. Only PtlEQWait blocks.
 *    No function may be called from a signal handler.
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
#define PTL_VERSION_MINOR 2

/* ---- return codes ------------------------------------------------------------------------------------------------ */

enum ptl_err {
    PTL_OK = 0,
    PTL_FAIL,         /* the library could not be initialised; the reason is printed on stderr */
    PTL_NOINIT,       /* PtlInit has not been called, or PtlFini has */
    PTL_NOSPACE,      /* memory, or a limit of the interface, is exhausted */
    PTL_SEGV,         /* an argument is not a legal address */
    PTL_INIT_DUP,     /* never returned: an interface may be initialised again */
    PTL_INIT_INV,     /* no such interface, or its network refuses */
    PTL_INV_ASIZE,    /* never returned */
    PTL_INV_HANDLE,   /* not the handle of any live object */
    PTL_INV_NI,       /* not the handle of an initialised interface */
    PTL_INV_ME,       /* not the handle of a linked match entry */
    PTL_INV_MD,       /* not the handle of a live descriptor; for a source: or its threshold is 0 */
    PTL_INV_EQ,       /* not the handle of a live event queue */
    PTL_INUSE,        /* the entry has a descriptor already */
    PTL_MD_INUSE,     /* an operation on the descriptor is under way */
    PTL_ILL_MD,       /* a ptl_md_t with illegal values */
    PTL_NOUPDATE,     /* the test queue was not empty; nothing was updated */
    PTL_ML_TOOLONG,   /* the match list is as long as may be */
    PTL_INV_PROC,     /* not a process id that can be reached; of PtlNIInit: neither PTL_PID_ANY nor its own */
    PTL_INV_PTINDEX,  /* portal index outside the portal table */
    PTL_PT_FULL,      /* every portal has a match list */
    PTL_AC_INV_INDEX, /* access control index outside the table */
    PTL_INV_SR_INDX,  /* no such status register */
    PTL_EQ_EMPTY,     /* no event */
    PTL_EQ_DROPPED    /* success, and at least one event before the returned one was lost */
};

#define PTL_INV_REG      PTL_INV_SR_INDX
#define PTL_PT_INV_INDEX PTL_INV_PTINDEX

/* ---- base types -------------------------------------------------------------------------------------------------- */

typedef uint64_t ptl_size_t;
typedef uint32_t ptl_nid_t; /* node: its IPv4 address as a number */
typedef uint32_t ptl_pid_t; /* process on the node; over TCP it says at which port it listens (man portals3) */
typedef uint32_t ptl_uid_t;
typedef uint32_t ptl_interface_t;
typedef uint32_t ptl_pt_index_t;
typedef uint32_t ptl_ac_index_t;
typedef uint32_t ptl_sr_index_t;
typedef int64_t ptl_sr_value_t;
typedef uint64_t ptl_match_bits_t;
typedef uint64_t ptl_hdr_data_t;
typedef uint64_t ptl_seq_t;

/* Handles are of one type, as programs compare and store them. They are never reused. */
typedef uint64_t ptl_handle_any_t;
typedef ptl_handle_any_t ptl_handle_ni_t;
typedef ptl_handle_any_t ptl_handle_me_t;
typedef ptl_handle_any_t ptl_handle_md_t;
typedef ptl_handle_any_t ptl_handle_eq_t;

#define PTL_INVALID_HANDLE UINT64_MAX
#define PTL_EQ_NONE        UINT64_MAX
#define PTL_MD_NONE        UINT64_MAX
#define PTL_HANDLE_ANY(h)  (h)
#define PTL_NID_ANY        UINT32_MAX
#define PTL_PID_ANY        UINT32_MAX
#define PTL_UID_ANY        UINT32_MAX
#define PTL_PT_INDEX_ANY   UINT32_MAX

/* Interfaces are numbered, and share nothing. On which network they are is said when the process starts (ASSAY_NAL). */
#define PTL_IFACE_DEFAULT 0u
#define PTL_IFACE_INAL    1u /* Intercept */
#define PTL_IFACE_MYR     2u /* Myrinet */
#define PTL_IFACE_UTCP    3u

#define PTL_SR_DROP_COUNT 0u /* messages that an interface discarded; the only register */

typedef struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
} ptl_process_id_t;

/* The limits of an interface: what is asked for, and what there is. An index is the highest one. */
typedef struct {
    int max_match_entries;
    int max_mem_descriptors;
    int max_event_queues;
    int max_atable_index; /* of the access control table */
    int max_ptable_index; /* of the portal table */
} ptl_ni_limits_t;

typedef enum { PTL_NI_OK, PTL_NI_UNREACHABLE, PTL_NI_UNDEFINED } ptl_ni_fail_t;
typedef enum { PTL_RETAIN, PTL_UNLINK } ptl_unlink_t;
typedef enum { PTL_INS_BEFORE, PTL_INS_AFTER } ptl_ins_pos_t;
typedef enum { PTL_ACK_REQ, PTL_NOACK_REQ } ptl_ack_req_t;

/* ---- memory descriptors ------------------------------------------------------------------------------------------ */

/* A memory descriptor.
 *   start, length  the region; NULL only with length 0
 *   threshold      operations that it takes part in, remote and own: a put, a get, sending, an acknowledgement, a
 *                  reply. 0 is inactive; PTL_MD_THRESH_INF is no bound
 *   max_offset     unless the request gives the offset: inactive when the local offset has passed it. No less than
 *                  length is no bound
 *   options        PTL_MD_... or-ed together
 *   user_ptr       any value; comes back in events
 *   eventq         where operations are logged; PTL_EQ_NONE: nowhere */
typedef struct {
    void *start;
    ptl_size_t length;
    int threshold;
    unsigned int max_offset;
    unsigned int options;
    void *user_ptr;
    ptl_handle_eq_t eventq;
} ptl_md_t;

#define PTL_MD_THRESH_INF (-1)

#define PTL_MD_OP_PUT        0x01u /* serves puts */
#define PTL_MD_OP_GET        0x02u /* serves gets */
#define PTL_MD_MANAGE_REMOTE 0x04u /* the request gives the offset; without it the descriptor keeps one */
#define PTL_MD_TRUNCATE      0x08u /* a request that is too long is cut; without it it is rejected */
#define PTL_MD_ACK_DISABLE   0x10u /* no acknowledgement is sent */

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* What ends an operation says in ni_fail_type how; the _FAIL kinds have names and do not come. */
typedef enum {
    PTL_EVENT_GET_START, /* target: a get begins */
    PTL_EVENT_GET_END,   /* target: its reply has left */
    PTL_EVENT_GET_FAIL,
    PTL_EVENT_PUT_START, /* target: a put begins */
    PTL_EVENT_PUT_END,   /* target: its data is in memory */
    PTL_EVENT_PUT_FAIL,
    PTL_EVENT_REPLY_START, /* initiator: a reply comes */
    PTL_EVENT_REPLY_END,   /* initiator: its data is in memory */
    PTL_EVENT_REPLY_FAIL,
    PTL_EVENT_ACK,        /* initiator: the target acknowledged a put */
    PTL_EVENT_SEND_START, /* initiator: a put begins */
    PTL_EVENT_SEND_END,   /* initiator: its data has left, the memory may be used again */
    PTL_EVENT_SEND_FAIL,
    PTL_EVENT_UNLINK /* the library unlinked the descriptor; all operations on it have ended */
} ptl_event_kind_t;

/* One event.
 *   initiator, uid         who began the operation
 *   portal, match_bits     as in the request
 *   rlength, mlength       requested, and moved
 *   offset                 at the target, and in REPLY: where in the region; else as in the request
 *   md_handle, mem_desc    the descriptor, as it is after the operation
 *   hdr_data               of the put
 *   link                   the same number in both events of one operation: the sequence of the first, 0 where that was
 *                          not logged. In UNLINK: the sequence of the last event of an operation on the descriptor
 *   ni_fail_type           PTL_NI_OK; in SEND_END of a put that the network did not take PTL_NI_UNREACHABLE
 *   sequence               events of the queue are numbered from 1 */
typedef struct {
    ptl_event_kind_t type;
    ptl_process_id_t initiator;
    ptl_uid_t uid;
    ptl_pt_index_t portal;
    ptl_match_bits_t match_bits;
    ptl_size_t rlength;
    ptl_size_t mlength;
    ptl_size_t offset;
    ptl_handle_md_t md_handle;
    ptl_md_t mem_desc;
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
 * first interface asks for, 1 to 65535, so that programs on other nodes know where it is. PTL_NOINIT, PTL_SEGV,
 * PTL_INIT_INV, PTL_INV_PROC, PTL_NOSPACE. */
int PtlNIInit(ptl_interface_t iface, ptl_pid_t pid, ptl_ni_limits_t *desired, ptl_ni_limits_t *actual,
              ptl_handle_ni_t *ni_handle);

/* PtlNIFini closes it; no transfer touches the process's memory any more. PTL_NOINIT, PTL_INV_NI. */
int PtlNIFini(ptl_handle_ni_t ni_handle);

/* PtlNIStatus stores a status register. PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_INV_SR_INDX. */
int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register, ptl_sr_value_t *status);

/* What codes and kinds of events are called, by their values; to be read only. */
extern const char *ptl_err_str[];
extern const char *ptl_event_str[];

/* PtlNIDist stores a static measure of the distance to a process of the job. PTL_NOINIT, PTL_SEGV, PTL_INV_NI,
 * PTL_INV_PROC. */
int PtlNIDist(ptl_handle_ni_t ni_handle, ptl_process_id_t process, unsigned long *distance);

/* PtlNIHandle stores the interface of a live object. PTL_NOINIT, PTL_SEGV, PTL_INV_HANDLE. */
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni_handle);

/* PtlSnprintHandle writes a handle of any kind into `str`, at most `str_len` octets with the 0 at their end, as the
 * library itself prints it. The document does not have it; libraries of the time do. */
void PtlSnprintHandle(char *str, int str_len, ptl_handle_any_t handle);

/* PtlGetId, PtlGetUid store the caller's process id and user id. PTL_NOINIT, PTL_SEGV,
 * PTL_INV_NI. */
int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_id_t *id);
int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t *uid);

/* ---- match entries ----------------------------------------------------------------------------------------------- */

/* PtlMEAttach makes an entry at the head (PTL_INS_BEFORE) or tail (PTL_INS_AFTER) of a portal's match list.
 * PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_INV_PTINDEX, PTL_ML_TOOLONG, PTL_NOSPACE. */
int PtlMEAttach(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, ptl_process_id_t match_id,
                ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                ptl_ins_pos_t position, ptl_handle_me_t *me_handle);

/* PtlMEAttachAny makes it the list of a portal that has none, and stores which. PTL_NOINIT, PTL_SEGV, PTL_INV_NI,
 * PTL_PT_FULL, PTL_NOSPACE. */
int PtlMEAttachAny(ptl_handle_ni_t ni_handle, ptl_pt_index_t *pt_index, ptl_process_id_t match_id,
                   ptl_match_bits_t match_bits, ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op,
                   ptl_handle_me_t *me_handle);

/* PtlMEInsert makes an entry directly before or after `base`. PTL_NOINIT, PTL_SEGV, PTL_INV_ME,
 * PTL_ML_TOOLONG, PTL_NOSPACE. */
int PtlMEInsert(ptl_handle_me_t base, ptl_process_id_t match_id, ptl_match_bits_t match_bits,
                ptl_match_bits_t ignore_bits, ptl_unlink_t unlink_op, ptl_ins_pos_t position,
                ptl_handle_me_t *me_handle);

/* PtlMEUnlink destroys an entry with its descriptor; what is under way into that is cut off. PTL_NOINIT,
 * PTL_INV_ME. */
int PtlMEUnlink(ptl_handle_me_t me_handle);

/* ---- memory descriptors ------------------------------------------------------------------------------------------ */

/* PtlMDAttach makes the one descriptor of an entry. With PTL_UNLINK as `unlink_op` the library unlinks it when its
 * threshold is exhausted, or its local offset passes max_offset; as `unlink_nofit`, when a request that it would serve
 * does not fit and may not be cut. Then the entry goes too if it was made so. `md_handle` may be NULL. PTL_NOINIT,
 * PTL_SEGV, PTL_INV_ME, PTL_INUSE, PTL_ILL_MD, PTL_NOSPACE. */
int PtlMDAttach(ptl_handle_me_t me_handle, ptl_md_t mem_desc, ptl_unlink_t unlink_op, ptl_unlink_t unlink_nofit,
                ptl_handle_md_t *md_handle);

/* PtlMDBind makes a descriptor of no entry, for puts and gets of this process; it stays until PtlMDUnlink, or until its
 * threshold is exhausted. PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_ILL_MD, PTL_NOSPACE. */
int PtlMDBind(ptl_handle_ni_t ni_handle, ptl_md_t mem_desc, ptl_handle_md_t *md_handle);

/* PtlMDUnlink destroys a descriptor, without an event. PTL_NOINIT, PTL_INV_MD, PTL_MD_INUSE. */
int PtlMDUnlink(ptl_handle_md_t md_handle);

/* PtlMDUpdate stores the value in *old_md (unless NULL) and makes *new_md the value (unless NULL) if `testq` is
 * PTL_EQ_NONE or empty, in one step; the local offset stays. *old_md is stored also with PTL_NOUPDATE. PTL_NOINIT,
 * PTL_SEGV, PTL_INV_MD, PTL_INV_EQ, PTL_ILL_MD, PTL_NOUPDATE. */
int PtlMDUpdate(ptl_handle_md_t md_handle, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq);

/* ---- event queues ------------------------------------------------------------------------------------------------ */

/* PtlEQAlloc makes a queue for `count` events, at least one. `eq_handler` may be NULL. An event that finds no room
 * takes the place of the oldest one. PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_NOSPACE. */
int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count, ptl_eq_handler_t eq_handler, ptl_handle_eq_t *eq_handle);

/* PtlEQFree destroys a queue. Its handler has run for every event, unless it is the caller, and runs no more.
 * PTL_NOINIT, PTL_INV_EQ. */
int PtlEQFree(ptl_handle_eq_t eq_handle);

/* PtlEQGet takes the oldest event; PtlEQWait waits for one. PTL_EQ_DROPPED is success too. PTL_NOINIT, PTL_SEGV,
 * PTL_INV_EQ, PTL_EQ_EMPTY (PtlEQGet only). */
int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t *event);
int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t *event);

/* PtlEQWait_timeout takes an event, for which it waits at most `timeout` seconds. The document does not have it;
 * libraries of the time do. Codes of PtlEQGet. */
int PtlEQWait_timeout(ptl_handle_eq_t eq_handle, ptl_event_t *event, int timeout);

/* ---- access control ---------------------------------------------------------------------------------------------- */

/* PtlACEntry makes entry `ac_index` admit the processes that fit all of the others. At first entry 0 admits those of
 * the same user, the rest nobody. PTL_NOINIT, PTL_INV_NI, PTL_AC_INV_INDEX, PTL_INV_PTINDEX. */
int PtlACEntry(ptl_handle_ni_t ni_handle, ptl_ac_index_t ac_index, ptl_process_id_t match_id, ptl_uid_t uid,
               ptl_pt_index_t portal);

/* ---- data movement ----------------------------------------------------------------------------------------------- */

/* PtlPut sends the region of a descriptor and returns at once. PTL_NOINIT, PTL_INV_MD, PTL_INV_PROC, PTL_NOSPACE. */
int PtlPut(ptl_handle_md_t md_handle, ptl_ack_req_t ack_req, ptl_process_id_t target_id, ptl_pt_index_t portal,
           ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset, ptl_hdr_data_t hdr_data);

/* PtlGet asks for as much as the region is long. Codes as above. */
int PtlGet(ptl_handle_md_t md_handle, ptl_process_id_t target_id, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t match_bits, ptl_size_t offset);

#ifdef __cplusplus
}
#endif

#endif
