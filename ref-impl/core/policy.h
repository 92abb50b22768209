/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the revisions of Portals differ in what the core does, the core asks its policy. One revision is one instance;
 * the API through which an interface was opened chooses it (ni_config). Only differences that the core, or the
 * functions that revisions share (api3), really have a branch for are members here. Each of the decisions that later
 * revisions are known to make otherwise is taken in one place, where its branch will go:
 *
 *      what differs                                  where it is decided
 *      -------------------------------------------   --------------------------------------------------------------
 *      which operations count on the threshold       accept_account; operations that begin here, and answers:
 *                                                    message_spend
 *      when a descriptor goes                        accept_account, then unlink_exhausted
 *      when its entry goes with it                   unlink_entry_if_empty
 *      which events are logged, and what they tell   operation_begin_event, operation_describe, md_release, and who
 *                                                    calls eq_settle and eq_log
 *      which requests find a descriptor              translate_request, me_matches, accept_decide
 *      who may use which portal                      acl_admits
 *      which options and thresholds are legal        is_legal in md.c
 *      what a call delivers                          the call, in api3
 *
 * Portals 4 has its door here too: specs/portals-4.md.
 */
#ifndef REF_IMPL_CORE_POLICY_H
#define REF_IMPL_CORE_POLICY_H

#include <stdbool.h>

struct policy {
    const char *name;

    /* Unlinking the last memory descriptor by a call unlinks an entry that asks for it, as exhausting it does. */
    bool unlink_by_call_empties_entry;

    /* An update of a memory descriptor sets its local offset back to 0. */
    bool update_resets_offset;

    /* Ignored bits are left out on both sides of the comparison, not only in the request's bits. */
    bool ignore_masks_both_sides;

    /* Replies are cut to the memory descriptor whatever its options; otherwise only with CORE_TRUNCATES. */
    bool replies_always_fit;

    /* A request whose event would find no room is rejected; otherwise it is served and the oldest event lost. */
    bool full_queue_rejects;

    /* An operation that may log two events logs one when it begins; unlinking by the library is logged too. */
    bool logs_both_ends;

    /* What a process does with a descriptor of its own counts on the threshold as requests do: sending from it, the
     * acknowledgement, the reply. At 0 it takes no part in anything. */
    bool threshold_counts_all;

    /* The call that unlinks a descriptor is refused while an operation on it is under way. */
    bool unlink_waits;

    /* An update is refused while an operation on the descriptor is under way. */
    bool update_waits;

    /* An update that the queue refuses delivers the old value all the same. */
    bool refused_update_tells;

    /* A queue for no event is made, and is none; otherwise there is no such queue. */
    bool empty_queue_is_none;

    /* An acknowledgement is asked for although no queue would show it. */
    bool acks_without_queue;

    /* The acknowledgement of a put is logged behind the end of its sending, whichever came first. */
    bool acks_follow_sending;

    /* Access control knows users: entry 0 admits those of the same user; otherwise those of the same group. */
    bool access_by_user;

    /* Requests carry user and header data, and answers echo where they belong: the longer form of messages. */
    bool tags_messages;

    /* Options that are legal: CORE_... or-ed together. */
    unsigned options;
};

/* policy_3_0 - Portals 3.0 revision 1.0 of December 1999, with the readings that specs/portals-3.0.json states. */
extern const struct policy policy_3_0;

/* policy_3_2, policy_3_3 - Portals 3.2 and 3.3, with the readings of specs/portals-3.2.json and portals-3.3.json. */
extern const struct policy policy_3_2;
extern const struct policy policy_3_3;

#endif
