/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who this process is, and who else is in its job: node and process id, group and rank id, and the directory that
 * translates between the two addressings (chapter 3.4). It is filled once, at PtlInit, and never changes; afterwards
 * every question is answered locally, as chapter 3.4.3 wants.
 *
 * Three sources, tried in this order: the job directory of portalsrun (ASSAY_JOB in the environment), a PMIx server
 * (PMIX_NAMESPACE in the environment), and none: a process started alone is a job of size one. Where a launcher says
 * that it is not alone (launcher.h), joining fails.
 * specs/portals-wire.md, "Joining a job", describes the first two.
 */
#ifndef REF_IMPL_JOB_JOB_H
#define REF_IMPL_JOB_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/job/status.h"
#include "wire/portals/messages.h"

/* job_open makes this process a member of its job: it comes onto its networks, joins, and blocks until the directory is
 * complete. A failure leaves nothing behind and says why on stderr: also in a process that was forked by a member of a
 * job, whose connections it has, but not the threads that serve them. Such a process may start programs. */
enum job_status job_open(void);

/* job_close leaves the job in order and frees the directory. */
void job_close(void);

/* job_is_alone - whether no launcher has started the process, so that it may choose who it is. */
bool job_is_alone(void);

/* job_take_place gives the process another process id, and another node id unless that is 0 or ASSAY_NID names one,
 * while no interface is open and nobody asks for them. False: it was started by a launcher, whose directory holds its
 * id; or the network gives no such id, and a line on stderr may say why. Then the job may be closed; job_open opens it
 * again. */
bool job_take_place(uint32_t nid, uint32_t pid);

/* job_self gives the four ids of this process; valid between job_open and job_close. */
const struct wire_portals_id *job_self(void);

/* job_size is the number of processes in the group, at least 1. */
uint32_t job_size(void);

/* job_by_rank and job_by_address translate inside the group; they write *id (all four ids) and return true, or return
 * false and leave *id alone when no member has that group and rank, or that node and process id. */
bool job_by_rank(uint32_t gid, uint32_t rid, struct wire_portals_id *id);
bool job_by_address(uint32_t nid, uint32_t pid, struct wire_portals_id *id);

#endif
