/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The policies. See policy.h for what each member means.
 */
#include "ref-impl/core/policy.h"

#include "ref-impl/core/types.h"

const struct policy policy_3_0 = {
    .name = "3.0",
    /* 3.6.1 speaks of the last descriptor being unlinked, not of by whom, and the example of 5.3 relies on it. */
    .unlink_by_call_empties_entry = true, //= P30-201
    .update_resets_offset = false,
    /* 3.6.1 speaks of the incoming bits only; then an entry with a bit set under its own mask could never match. */
    .ignore_masks_both_sides = true, //= P30-114
    .replies_always_fit = true,      //= P30-313
    .full_queue_rejects = true,      //= P30-326
    .options = CORE_OPTIONS,
};

const struct policy policy_3_2 = {
    .name = "3.2",
    .unlink_by_call_empties_entry = true,
    .update_resets_offset = false,
    .ignore_masks_both_sides = true,
    .replies_always_fit = true,
    .full_queue_rejects = false,
    .logs_both_ends = true,
    .threshold_counts_all = true,
    .unlink_waits = true,
    .update_waits = false,
    .refused_update_tells = true,
    .empty_queue_is_none = false,
    .acks_without_queue = false,
    .acks_follow_sending = true,
    .access_by_user = true,
    .tags_messages = true,
    .options = CORE_OPTIONS,
};

const struct policy policy_3_3 = {
    .name = "3.3",
    .unlink_by_call_empties_entry = true,
    .update_resets_offset = true,
    .ignore_masks_both_sides = true,
    .replies_always_fit = false,
    .full_queue_rejects = false,
    .logs_both_ends = true,
    .threshold_counts_all = true,
    .unlink_waits = true,
    .update_waits = true,
    .refused_update_tells = false,
    .empty_queue_is_none = true,
    .acks_without_queue = true,
    .acks_follow_sending = true,
    .access_by_user = true,
    .tags_messages = true,
    .options = CORE_OPTIONS_LATER,
};
