/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * portals.h: the Portals 3.0 message passing interface, revision 1.0 (December 1999).
 *
 * Every name of tables 2 to 5 of the specification is here, in the order of its chapters; numbers in brackets are the
 * chapters. Where the specification contradicts itself, the comment says what holds here.
 *
 * General rules of this implementation:
 *  - A function checks in this order: PTL_NOINIT; addresses (PTL_SEGV); process ids (PTL_INV_PROC) and regions of
 * memory (PTL_ILL_MD); handles; the other values; resources (PTL_NOSPACE, PTL_ML_TOOLONG). The first failure is
 * returned and nothing has changed; outputs are written only on success, but for PtlMDUpdate's `old_md`.
 *  - PTL_SEGV finds NULL and, with the operating system's help, addresses that are not mapped or may not be written. It
 *    is a courtesy, not a guarantee: a pointer to the wrong object is not noticed, and memory that was good before and
 *    has been unmapped since may not be either.
 *  - All functions but PtlInit and PtlFini may be called by several threads at once. Only PtlEQWait and PtlNIBarrier
 *    block. No function may be called from a signal handler.
 *  - Sizes, lengths and offsets are in octets. Handles are never reused: a handle whose object is gone stays invalid.
 *  - Memory given in a ptl_md_t stays the caller's. It must stay mapped while the library may use it: until the memory
 *    descriptor is unlinked, and as a source until PTL_EVENT_SENT or PTL_EVENT_GET.
 *
 * Plain C99, usable from C++11.
 */
#ifndef PORTALS_H
#define PORTALS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * Return codes [table 4]. All functions return one of these as an int; PTL_OK is 0, all others differ.
 */
#define PTL_OK           0 /* success */
#define PTL_FAIL         1 /* the library could not be initialised; the reason is printed on stderr [3.3.1] */
#define PTL_NOINIT       2 /* PtlInit has not been called, or PtlFini has [all functions] */
#define PTL_SEGV         3 /* an argument is not a legal address */
#define PTL_NOSPACE      4 /* memory, or one of the documented limits below, is exhausted */
#define PTL_INIT_DUP     5 /* the interface is already initialised [3.5.1] */
#define PTL_INIT_INV     6 /* no such interface, or its network refuses; then the reason is printed on stderr [3.5.1] */
#define PTL_INV_PSIZE    7 /* portal table size not in 1 .. PTL_MAX_PTABLE_SIZE [3.5.1] */
#define PTL_INV_ASIZE    8 /* access control list size not in 2 .. PTL_MAX_ATABLE_SIZE [3.5.1] */
#define PTL_INV_NI       9 /* not the handle of an initialised interface */
#define PTL_INV_ME       10 /* not the handle of a linked match entry */
#define PTL_INV_MD       11 /* not the handle of a live memory descriptor */
#define PTL_INV_EQ       12 /* not the handle of a live event queue */
#define PTL_INV_HANDLE   13 /* not the handle of any live object [3.5.6] */
#define PTL_INV_PROC     14 /* not a process id, or (as a target) not one that can be reached */
#define PTL_INV_PTINDEX  15 /* portal index outside the portal table [3.6.1] */
#define PTL_AC_INV_INDEX 16 /* access control index outside the table [3.9.1] */
#define PTL_INV_SR_INDEX 17 /* no such status register [3.5.4] */
#define PTL_ILL_MD       18 /* a ptl_md_t with illegal values [3.7] */
#define PTL_ML_TOOLONG   19 /* the match list holds PTL_MAX_MATCH_LIST entries already [3.6.2] */
#define PTL_NOUPDATE     20 /* the test queue was not empty, nothing was updated [3.7.6] */
#define PTL_EQ_EMPTY     21 /* the event queue holds no event [3.8.6] */
#define PTL_EQ_DROPPED   22 /* success, and at least one event before the returned one was lost [3.8.6] */
#define PTL_ADDR_UNKNOWN 23 /* the process address cannot be translated [3.4.3] */

/* The specification has several spellings for two of them; each group is one value. */
#define PTL_INV_SR_INDX  PTL_INV_SR_INDEX /* [3.5.4] */
#define PTL_INV_REG      PTL_INV_SR_INDEX /* [table 4] */
#define PTL_PT_INV_INDEX PTL_INV_PTINDEX  /* [3.9.1] */

/* ------------------------------------------------------------------------------------------------------------------
 * Limits of this implementation, each per interface unless it says otherwise. The specification leaves them open.
 */
#define PTL_MAX_INTERFACE     3                     /* interfaces are PTL_IFACE_DEFAULT and 1 .. 3 */
#define PTL_MAX_PTABLE_SIZE   65536                 /* portal table entries; indexes are 0 .. size - 1 */
#define PTL_MAX_ATABLE_SIZE   65536                 /* access control entries; indexes are 0 .. size - 1 */
#define PTL_MAX_MATCH_ENTRIES 1048576               /* live match entries */
#define PTL_MAX_MEM_DESCS     1048576               /* live memory descriptors */
#define PTL_MAX_EVENT_QUEUES  1048576               /* live event queues */
#define PTL_MAX_EVENTS        4194304               /* events that one queue can hold */
#define PTL_MAX_MD_LENGTH     ((ptl_size_t)1 << 40) /* octets of one memory descriptor's region */
#define PTL_MAX_MATCH_LIST    65536                 /* entries of one match list */

/* ------------------------------------------------------------------------------------------------------------------
 * Base types [3.2]
 */

/* ptl_size_t holds sizes, lengths and offsets: unsigned, 64 bits [3.2.1]. */
typedef uint64_t ptl_size_t; //= P30-045

/* Handles [3.2.2]: one type for each kind of object, so that the compiler finds a mistaken argument. The value names
 * interface, kind and object; it is of use to nobody else. */
typedef struct { //= P30-047
    uint64_t value;
} ptl_handle_ni_t; /* network interface */
typedef struct {
    uint64_t value;
} ptl_handle_me_t; /* match entry */
typedef struct {
    uint64_t value;
} ptl_handle_md_t; /* memory descriptor */
typedef struct {
    uint64_t value;
} ptl_handle_eq_t; /* event queue */
typedef struct {
    uint64_t value;
} ptl_handle_any_t; /* any of them */

/* PTL_HANDLE_ANY(h) is handle h, of any kind, as a ptl_handle_any_t. Nothing is lost: its `value` is h's. */
#define PTL_HANDLE_ANY(h) ptl_handle_any_of((h).value) //= P30-046
static inline ptl_handle_any_t ptl_handle_any_of(uint64_t value)
{
    ptl_handle_any_t any;

    any.value = value;
    return any;
}

/* Indexes of portal table, access control table [3.2.3], status registers [3.2.7]. */
typedef uint32_t ptl_pt_index_t;
typedef uint32_t ptl_ac_index_t;
typedef uint32_t ptl_sr_index_t;

/* ptl_sr_value_t is what a status register holds: signed, at least 32 bits [3.2.7]. */
typedef int64_t ptl_sr_value_t; //= P30-052

typedef uint64_t ptl_match_bits_t; /* [3.2.4] */ //= P30-049
typedef uint32_t ptl_interface_t;                /* number of a network interface [3.2.5] */
typedef uint32_t ptl_id_t;                       /* a node, process, group or rank id [3.2.6] */

/* PTL_IFACE_DEFAULT is the default interface. All interfaces lead to the same network and are independent [3.2.5]. */
#define PTL_IFACE_DEFAULT ((ptl_interface_t)0) //= P30-050

/* PTL_SR_DROP_COUNT counts the messages that an interface discarded; the only register [3.2.7]. */
#define PTL_SR_DROP_COUNT ((ptl_sr_index_t)0)

#define PTL_ID_ANY       ((ptl_id_t)0xffffffffu)       /* matches any id, in match and access criteria [3.6.1] */
#define PTL_PT_INDEX_ANY ((ptl_pt_index_t)0xffffffffu) /* matches any portal, in access control entries [3.9.1] */

/* The handles of nothing: "no event queue" [3.7.1], "no memory descriptor" [4.1]. */
#ifdef __cplusplus
#define PTL_EQ_NONE (ptl_handle_eq_t{UINT64_MAX})
#define PTL_MD_NONE (ptl_handle_md_t{UINT64_MAX})
#else
#define PTL_EQ_NONE ((ptl_handle_eq_t){UINT64_MAX})
#define PTL_MD_NONE ((ptl_handle_md_t){UINT64_MAX})
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * Initialisation and cleanup [3.3]
 */

/* PtlInit makes the process a member of its job and the library usable; call it once, before anything else. It blocks
 * until the processes of the job know each other's addresses. Further calls change nothing and return PTL_OK.
 *
 * Returns PTL_OK, PTL_FAIL. */
int PtlInit(void);

/* PtlFini shuts down every interface that is still open, leaves the job and frees everything. All handles die. */
void PtlFini(void);

/* ------------------------------------------------------------------------------------------------------------------
 * Process identification [3.4]
 */

/* Which pair of ids of a ptl_process_id_t is meaningful [3.4.1]. */
typedef enum { PTL_ADDR_NID, PTL_ADDR_GID, PTL_ADDR_BOTH } ptl_addr_kind_t;

/* A process is known by node and process id, and by group and rank id [3.4.1]. Ids that the library fills in are
 * PTL_ADDR_BOTH with all four set. Ids that are passed in are PTL_ADDR_NID or PTL_ADDR_GID, and the other pair is
 * not looked at; PTL_ADDR_BOTH is accepted too, and then both pairs count and must belong together. */
typedef struct {
    ptl_addr_kind_t addr_kind;
    ptl_id_t nid, pid; /* node: the IPv4 address as a number; process: the TCP port on which it listens */
    ptl_id_t gid, rid; /* group: one number for all processes of the job; rank: 0 .. group size - 1 */
} ptl_process_id_t;

/* PtlGetId stores the caller's id in *id and the number of processes of its group in *gsize [3.4.2].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV. */
int PtlGetId(ptl_process_id_t *id, ptl_id_t *gsize);

/* PtlTransId completes *id: from one pair of ids to all four, in place, without asking another process. Translates
 * the processes of the caller's group [3.4.3].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_ADDR_UNKNOWN (also for an addr_kind out of range). */
int PtlTransId(ptl_process_id_t *id);

/* ------------------------------------------------------------------------------------------------------------------
 * Network interfaces [3.5]
 */

/* PtlNIInit opens interface `interface` with an empty portal table of `ptl_size` entries and an access control table of
 * `acl_size` entries, and stores its handle. Entry 0 admits the caller's group to all portals; entry 1 admits system
 * processes, of which there are none here, so it admits nobody; the rest admit nobody [2.3]. Local, no traffic.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INIT_INV, PTL_INIT_DUP, PTL_INV_PSIZE, PTL_INV_ASIZE, PTL_NOSPACE. */
int PtlNIInit(ptl_interface_t interface, ptl_pt_index_t ptl_size, ptl_ac_index_t acl_size, ptl_handle_ni_t *handle);

/* PtlNIFini closes the interface: all its objects die, no transfer touches the process's memory once it has
 * returned, and threads that wait in it return with PTL_INV_EQ or PTL_INV_NI [3.5.2].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_NI. */
int PtlNIFini(ptl_handle_ni_t interface);

/* PtlNIBarrier blocks until every process of the group has called it for this interface [3.5.3]. The n-th call of one
 * process meets the n-th call of the others.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_NI; PTL_INV_PROC and PTL_NOSPACE when the network refuses a message to a member.
 */
int PtlNIBarrier(ptl_handle_ni_t interface);

/* PtlNIStatus stores the value of status register `sr_index`; reading does not change it [3.5.4].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_INV_SR_INDX. */
int PtlNIStatus(ptl_handle_ni_t interface, ptl_sr_index_t sr_index, ptl_sr_value_t *status);

/* PtlNIDist stores a static measure of the distance to `process`, a member of the caller's group: finite, not negative,
 * 0 for the caller itself [3.5.5].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_INV_PROC. */
int PtlNIDist(ptl_handle_ni_t interface, ptl_process_id_t process, double *distance);

/* PtlNIHandle stores the handle of the interface to which the object `handle` belongs; for the handle of an interface,
 * that handle itself. Convert the argument with PTL_HANDLE_ANY [3.5.6].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_HANDLE (also for PTL_EQ_NONE and PTL_MD_NONE). */
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *interface);

/* ------------------------------------------------------------------------------------------------------------------
 * Match entries and match lists [3.6]
 */

/* Whether an item leaves its list by itself: a match entry when its last memory descriptor is unlinked, a memory
 * descriptor when a remote operation takes its threshold from 1 to 0 [3.6.1, 3.7.2]. */
typedef enum { PTL_RETAIN, PTL_UNLINK } ptl_unlink_t;

/* Where a new item goes in relation to the current one [3.6.2]. */
typedef enum { PTL_INS_BEFORE, PTL_INS_AFTER } ptl_ins_pos_t;

/* PtlMEAttach makes a match list of one new entry and attaches it to portal `index`. A list that was there is
 * destroyed, with all its memory descriptors [3.6.1]. The entry matches a request from a process that fits
 * `matchid` (each id may be PTL_ID_ANY) whose match bits equal `match_bits` in all bits that are not set in
 * `ignorebits`.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_INV_PTINDEX, PTL_INV_PROC, PTL_NOSPACE. */
int PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid, ptl_match_bits_t match_bits,
                ptl_match_bits_t ignorebits, ptl_unlink_t unlink, ptl_handle_me_t *handle);

/* PtlMEInsert makes a new entry directly before or after `current` in its list [3.6.2]. `position` other than
 * PTL_INS_BEFORE means after.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_PROC, PTL_INV_ME, PTL_ML_TOOLONG, PTL_NOSPACE. */
int PtlMEInsert(ptl_process_id_t matchid, ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                ptl_ins_pos_t position, ptl_handle_me_t current, ptl_handle_me_t *handle);

/* PtlMEUnlink takes the entry out of its list and destroys it with all its memory descriptors. Transfers into them that
 * are under way are cut off and counted as dropped; none writes after the return [3.6.3].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_ME. */
int PtlMEUnlink(ptl_handle_me_t entry);

/* ------------------------------------------------------------------------------------------------------------------
 * Memory descriptors [3.7]
 */

/* A memory descriptor as the application sees it [3.7.1].
 *   start, length  the region; NULL only with length 0; any alignment
 *   threshold      how many remote puts and gets it will still serve; 0 is inactive; PTL_MD_THRESH_INF is no bound
 *   options        PTL_MD_... or-ed together; other bits are illegal
 *   user_ptr       any value; comes back in events
 *   eventq         where operations are logged; PTL_EQ_NONE: nowhere */
typedef struct {
    void *start;
    ptl_size_t length;
    int threshold;
    unsigned int options;
    void *user_ptr;
    ptl_handle_eq_t eventq;
} ptl_md_t;

#define PTL_MD_THRESH_INF (-1)

#define PTL_MD_OP_PUT        0x01u /* serves puts */
#define PTL_MD_OP_GET        0x02u /* serves gets */
#define PTL_MD_MANAGE_REMOTE 0x04u /* the request gives the offset; without it the descriptor keeps one */
#define PTL_MD_TRUNCATE      0x08u /* a request that is too long is cut; without it it is rejected */
#define PTL_MD_ACK_DISABLE   0x10u /* no acknowledgement is sent, even where requested */

/* PtlMDAttach makes a list of one new memory descriptor, a copy of `mem_desc`, and attaches it to entry `match`. A list
 * that was there is destroyed [3.7.2]. `handle` may be NULL.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_ME, PTL_ILL_MD, PTL_NOSPACE. PTL_ILL_MD: a region that is NULL, wraps
 * around or is not readable memory, a negative threshold, unknown options, an event queue that does not exist or
 * belongs to another interface. */
int PtlMDAttach(ptl_handle_me_t match, ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_handle_md_t *handle);

/* PtlMDInsert makes a new memory descriptor directly before or after `current` in its list [3.7.3]. A bound
 * descriptor is in no list: as `current` it is PTL_INV_MD. `handle` may be NULL.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_ILL_MD, PTL_INV_MD, PTL_NOSPACE. */
int PtlMDInsert(ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_md_t current,
                ptl_handle_md_t *handle);

/* PtlMDBind makes a memory descriptor that is in no list: no request can reach it, it serves as source of puts and
 * destination of replies until PtlMDUnlink [3.7.4]. `handle` must not be NULL.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_ILL_MD, PTL_NOSPACE. */
int PtlMDBind(ptl_handle_ni_t interface, ptl_md_t mem_desc, ptl_handle_md_t *handle);

/* PtlMDUnlink takes the descriptor out of its list and destroys it; the memory stays the caller's [3.7.5]. Transfers
 * into it that are under way are cut off and counted as dropped; none writes after the return. A put from it
 * that is under way goes on and still logs PTL_EVENT_SENT. If its entry was made with PTL_UNLINK and this was the last
 * descriptor, the entry is unlinked too.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_MD. */
int PtlMDUnlink(ptl_handle_md_t mem_desc);

/* PtlMDUpdate stores the current value in *old_md unless that is NULL, and then, unless new_md is NULL, makes *new_md
 * the value if `testq` is PTL_EQ_NONE or empty, all in one step that no operation can come between [3.7.6]. Empty: it
 * holds no event, and no operation under way is about to log one. The local offset stays. Operations under way keep the
 * old values. *old_md is written also with PTL_NOUPDATE.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_MD, PTL_INV_EQ, PTL_NOUPDATE, PTL_ILL_MD. */
int PtlMDUpdate(ptl_handle_md_t mem_desc, ptl_md_t *old_md, ptl_md_t *new_md, ptl_handle_eq_t testq);

/* ------------------------------------------------------------------------------------------------------------------
 * Events and event queues [3.8]
 */

/* What happened [3.8.1]. */
typedef enum {
    PTL_EVENT_GET,   /* target: a get was served and its reply has been sent */
    PTL_EVENT_PUT,   /* target: a put was served, its data is in memory, its acknowledgement (if any) has been sent */
    PTL_EVENT_REPLY, /* initiator: the reply's data is in memory */
    PTL_EVENT_ACK,   /* initiator: the target acknowledged a put */
    PTL_EVENT_SENT   /* initiator: the data of a put has left, its memory may be used again */
} ptl_event_kind_t;

/* One event [3.8.2].
 *   type        what happened
 *   initiator   who began the operation, all four ids; for REPLY, ACK and SENT that is the process itself
 *   portal      as in the request
 *   match_bits  as in the request, nothing masked
 *   rlength     length that was requested
 *   mlength     length that was moved; equals rlength unless truncated
 *   offset      GET and PUT: where in the region the operation took place; REPLY: 0; ACK and SENT: as in the request
 *   mem_desc    the descriptor right after the operation */
typedef struct {
    ptl_event_kind_t type;
    ptl_process_id_t initiator;
    ptl_pt_index_t portal;
    ptl_match_bits_t match_bits;
    ptl_size_t rlength;
    ptl_size_t mlength;
    ptl_size_t offset;
    ptl_md_t mem_desc;
} ptl_event_t;

/* PtlEQAlloc makes a queue that holds `count` events [3.8.3]. A count of 0 is refused with PTL_NOSPACE.
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_NI, PTL_NOSPACE. */
int PtlEQAlloc(ptl_handle_ni_t interface, ptl_size_t count, ptl_handle_eq_t *handle);

/* PtlEQFree destroys the queue with the events in it. Threads that wait for it return with PTL_INV_EQ. A memory
 * descriptor that still names it rejects requests and replies from now on, as if the queue were full [3.8.4]. Returns
 * PTL_OK, PTL_NOINIT, PTL_INV_EQ. */
int PtlEQFree(ptl_handle_eq_t eventq);

/* PtlEQCount stores the number of events in the queue [3.8.5].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_SEGV, PTL_INV_EQ. */
int PtlEQCount(ptl_handle_eq_t eventq, ptl_size_t *count);

/* PtlEQGet takes the oldest event out of the queue; never blocks [3.8.6].
 *
 * Returns PTL_OK, PTL_EQ_DROPPED (an event was stored, and events before it were lost), PTL_NOINIT, PTL_SEGV,
 * PTL_INV_EQ, PTL_EQ_EMPTY. */
int PtlEQGet(ptl_handle_eq_t eventq, ptl_event_t *event);

/* PtlEQWait is PtlEQGet, but blocks until there is an event [3.8.7].
 *
 * Returns PTL_OK, PTL_EQ_DROPPED, PTL_NOINIT, PTL_SEGV, PTL_INV_EQ (also when the queue is freed meanwhile). */
int PtlEQWait(ptl_handle_eq_t eventq, ptl_event_t *event);

/* ------------------------------------------------------------------------------------------------------------------
 * The access control table [3.9]
 */

/* PtlACEntry makes entry `index` admit the processes that fit `matchid` to portal `portal`; both may hold wildcards
 * (PTL_ID_ANY, PTL_PT_INDEX_ANY) [3.9.1].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_NI, PTL_AC_INV_INDEX, PTL_INV_PROC, PTL_PT_INV_INDEX. */
int PtlACEntry(ptl_handle_ni_t interface, ptl_ac_index_t index, ptl_process_id_t matchid, ptl_pt_index_t portal);

/* ------------------------------------------------------------------------------------------------------------------
 * Data movement [3.10]
 */

/* Whether a put asks for an acknowledgement. */
typedef enum { PTL_ACK_REQ, PTL_NOACK_REQ } ptl_ack_req_t;

/* PtlPut sends the whole region of `mem_desc` to portal `portal` of `target`. It returns at once; PTL_EVENT_SENT says
 * that the region may be used again, PTL_EVENT_ACK that the target took the data. An acknowledgement is asked for only
 * if the descriptor has an event queue. `cookie` is an index into the target's access control table; `offset` is used
 * if the target's descriptor has PTL_MD_MANAGE_REMOTE. Whether portal and cookie are good is for the target to say: it
 * discards what it does not like, and nothing comes back [3.10.1].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_MD, PTL_INV_PROC, PTL_NOSPACE (nothing was sent). */
int PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target, ptl_pt_index_t portal,
           ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset);

/* PtlGet asks `target` for as many octets as `mem_desc` is long; the reply is stored from its start on and logged as
 * PTL_EVENT_REPLY. The descriptor must live until then [3.10.2].
 *
 * Returns PTL_OK, PTL_NOINIT, PTL_INV_MD, PTL_INV_PROC, PTL_NOSPACE (nothing was sent). */
int PtlGet(ptl_handle_md_t mem_desc, ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t match_bits, ptl_size_t offset);

#ifdef __cplusplus
}
#endif

#endif
