/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the sources of a job's facts share: the facts, and small things that each of them needs. Private to this folder.
 */
#ifndef REF_IMPL_JOB_JOIN_H
#define REF_IMPL_JOB_JOIN_H

#include "ref-impl/job/status.h"
#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most processes that a job may have. A size from outside is believed up to here. */
#define JOB_SIZE_MAX 65536U

/* struct job_facts is everything that a process learns by joining. `members` has `size` entries in the order of their
 * ranks and belongs to the struct. `connection` is the open connection to the directory, -1 where there is none. */
struct job_facts {
    struct wire_portals_id self;
    uint32_t size;
    struct wire_portals_id *members;
    int connection;
};

/* job_complain - one line on stderr: "portals: " and the text. Never fails. */
__attribute__((format(printf, 1, 2))) void job_complain(const char *fmt, ...);

/* job_number_parse - a decimal number without sign from `text` that is at most `max`. False leaves *value alone. */
bool job_number_parse(const char *text, uint32_t max, uint32_t *value);

/* job_members_allocate - room for `size` members, all of group `gid` with ascending ranks. JOB_NO_MEMORY leaves *facts
 * alone; otherwise facts->size and facts->members are set. */
enum job_status job_members_allocate(uint32_t gid, uint32_t size, struct job_facts *facts);

/* job_address_choose - the node id: the address in ASSAY_NID where that is set, else `fallback`. False, with a line on
 * stderr, when ASSAY_NID is not an IPv4 address. */
bool job_address_choose(uint32_t fallback, uint32_t *nid);

/* job_address_outward - the first address of this machine that is not a loopback one, or 127.0.0.1 without any. */
uint32_t job_address_outward(void);

/* job_place_take - begins on the networks (presence.h) as a process of node *nid in a job of `size`, with the process
 * id *pid where that is not 0 and the network lets it be chosen, and says in *nid and *pid what its ids are. False,
 * with a line on stderr, on failure. */
bool job_place_take(uint32_t *nid, uint32_t size, uint32_t *pid);

/* job_directory_join - joins through the directory that ASSAY_JOB names. Blocks until all have joined. On failure
 * nothing stays open and a line on stderr says why. */
enum job_status job_directory_join(struct job_facts *facts);

/* job_directory_leave - says LEAVE and closes the connection. */
void job_directory_leave(int connection);

/* job_pmix_join - joins through the PMIx server that started this process; as job_directory_join. */
enum job_status job_pmix_join(struct job_facts *facts);

/* job_pmix_leave - ends the use of PMIx where job_pmix_join had begun it. */
void job_pmix_leave(void);

#endif
