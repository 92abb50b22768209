/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Labels: numbers on the entries of a match list that grow from its head to its end. They say which of two entries
 * comes first without walking from one to the other, which is what an index needs that finds entries out of order.
 *
 * A new entry gets a number between those of its neighbours. Where there is none left, the labels around are spread
 * anew, over the smallest stretch of numbers that is thinly used; n entries in any order of insertion cost O(n log n).
 */
#ifndef REF_IMPL_CORE_MATCHING_ORDER_H
#define REF_IMPL_CORE_MATCHING_ORDER_H

#include "ref-impl/core/me_object.h"

/* match_order_all - labels every entry of a list. Lock held, as for all here. */
void match_order_all(struct match_list *list);

/* match_order_one - labels an entry that was linked into a list whose other entries have labels. */
void match_order_one(struct match_list *list, struct me *me);

#endif
