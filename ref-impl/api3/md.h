/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors: what PtlMDAttach and PtlMDBind of both revisions do.
 */
#ifndef REF_IMPL_API3_MD_H
#define REF_IMPL_API3_MD_H

#include "ref-impl/api3/later.h"

/* How a descriptor goes by itself. */
struct api3_unlink {
    bool exhausted; /* when its threshold is 0, or its local offset has come too far */
    bool unfit;     /* when a request does not fit */
};

/* api3_md_attach, api3_md_bind - PtlMDAttach and PtlMDBind. */
int api3_md_attach(ptl_handle_me_t entry, const ptl_md_t *md, struct api3_unlink unlink, ptl_handle_md_t *handle);
int api3_md_bind(ptl_handle_ni_t interface, const ptl_md_t *md, struct api3_unlink unlink, ptl_handle_md_t *handle);

#endif
