/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the revisions of Portals differ in what the core does, the core asks its policy. One revision is one instance;
 * the door through which an interface was opened chooses it. Only differences that the core really has a branch for are
 * here.
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

    /* A request whose event would find no room is rejected; otherwise it is served and its event lost. */
    bool full_queue_rejects;
};

/* policy_3_0 is Portals 3.0 revision 1.0 of December 1999, with the readings that specs/portals-3.0.json states. */
extern const struct policy policy_3_0;

#endif
