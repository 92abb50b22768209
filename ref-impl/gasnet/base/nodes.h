/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The nodes of the job, as processes of Portals, and how this one opens Portals.
 */
#ifndef REF_IMPL_GASNET_BASE_NODES_H
#define REF_IMPL_GASNET_BASE_NODES_H

#include <portals3.h> //= GASN-001
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* nodes_open - initialises Portals and finds out who the nodes are; false, with a line on stderr, where that fails.
 * nodes_close - closes Portals. */
bool nodes_open(void);
void nodes_close(void);

/* nodes_count, nodes_self - how many nodes there are, which one this is.
 * nodes_interface - the handle of the interface. */
uint32_t nodes_count(void);
uint32_t nodes_self(void);
ptl_handle_ni_t nodes_interface(void);

/* nodes_process - the process of a node. */
ptl_process_id_t nodes_process(uint32_t node);

/* nodes_find - stores which node a process is; false when it is none of the job. */
bool nodes_find(ptl_process_id_t process, uint32_t *node);

/* nodes_barrier - returns when every node has come here: the runtime system's barrier, used while starting. */
void nodes_barrier(void);

/* nodes_attach - makes an entry at the tail of a portal that takes bits of one target from anybody, with a descriptor.
 */
ptl_handle_md_t nodes_attach(ptl_pt_index_t portal, ptl_match_bits_t bits, const ptl_md_t *md);

#endif
