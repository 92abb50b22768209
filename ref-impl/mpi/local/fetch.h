/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Getting long messages from their senders: see fetch.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_FETCH_H
#define REF_IMPL_MPI_LOCAL_FETCH_H

#include <stdint.h>

#include "ref-impl/short_path.h"

struct request;

/* local_fetch - gets the long message of that number, of which `request->outcome` is written, as soon as it may.
 * local_fetched - its octets are here.
 * local_fetch_said - the process has heard of so many of those that were got from it.
 * local_fetch_heard - the sender's side: a long message of that number has been got by that process. */
ASIDE void local_fetch(struct request *request, int rid, uint32_t number);
void local_fetched(struct request *request);
void local_fetch_said(int rid, uint32_t count);
void local_fetch_heard(int rid, uint32_t number);

#endif
