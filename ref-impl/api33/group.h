/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A group of processes that no launcher of ours has started: which rank this process has in it and where all ranks are,
 * as the program declares it (PtlSetRank, PtlSetNIDMap, PtlSetPIDMap), or as the environment does in the variables of
 * the time, whose values are what these calls take:
 *
 *   PTL_MY_RID   the rank of this process
 *   PTL_NIDMAP   the node ids of all ranks, in their order, with colons between them; PTL_PIDMAP  the process ids
 *
 * Codes are those of portals3.h. May be called by several threads.
 */
#ifndef REF_IMPL_API33_GROUP_H
#define REF_IMPL_API33_GROUP_H

#include <portals3.h>
#include <stdbool.h>

/* group_read - declares what the environment says; without PTL_MY_RID it leaves everything as it is. PTL_FAIL, with a
 * line on stderr: it makes no sense. PTL_NO_SPACE. */
int group_read(void);

/* group_declare - this process is `rank` of `size`; where they are is not known any more. PTL_FAIL: there is no such
 * rank. PTL_NO_SPACE. */
int group_declare(unsigned rank, unsigned size);

/* group_declare_map - the node ids, or else the process ids, of all ranks. PTL_FAIL: there are not so many. */
int group_declare_map(const uint32_t *map, unsigned size, bool node);

/* group_self - the rank and size that have been declared; false leaves both alone: none. */
bool group_self(unsigned *rank, unsigned *size);

/* group_find - where a rank is; false leaves *id alone: there is none, or it is not known. */
bool group_find(unsigned rank, ptl_process_id_t *id);

#endif
