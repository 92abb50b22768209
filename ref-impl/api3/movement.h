/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Data movement: what the functions of both revisions do.
 */
#ifndef REF_IMPL_API3_MOVEMENT_H
#define REF_IMPL_API3_MOVEMENT_H

#include "ref-impl/api3/later.h"

/* Where a request goes, as the program says it; `address.target` is not filled in. */
struct api3_request {
    ptl_process_id_t target;
    struct message_address address;
};

/* api3_put, api3_get - PtlPut and PtlGet. */
int api3_put(const struct api3_request *request, ptl_handle_md_t md, bool ack);
int api3_get(const struct api3_request *request, ptl_handle_md_t md);

#endif
