/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the processes of a host still owe to other hosts when FINI has gone both ways on a channel (2.4, 3.8): replies
 * to CANCEL, SYNCACKs and PROTOACKs for what came before. The agent closes a channel when nothing is owed on it. The
 * octets of the question and of its answer are in link.h.
 */
#ifndef REF_IMPL_IMPI_AGENT_DRAIN_H
#define REF_IMPL_IMPI_AGENT_DRAIN_H

#include "ref-impl/impi/agent/connection.h"
#include "ref-impl/impi/common/agreed.h"

#include <stdbool.h>
#include <stdint.h>

enum { DRAIN_MS = 5000 /* patience with what is owed */ };

/* struct drain is the account of one agent. Processes are counted from 0 in its host. */
struct drain {
    const struct agreed *agreed;
    const struct agreed_host *self;
    uint32_t *owing;    /* for each process and each host: how many of the host's processes it may owe something */
    uint64_t *until_ms; /* for each host: the end of patience; 0: it has not been asked about */
};

/* drain_open - an account for the agent of host `host`, nothing asked. False: no memory. drain_close frees it, one
 * of all zeros too. */
bool drain_open(struct drain *drain, const struct agreed *agreed, uint32_t host);
void drain_close(struct drain *drain);

/* drain_ask - puts on the link of a process that nothing comes from `host` any more. `now_ms` begins the patience. A
 * closed link is left alone: its process owes nothing. False: no memory. */
bool drain_ask(struct drain *drain, uint32_t host, uint32_t process, struct connection *link, uint64_t now_ms);

/* drain_asked - whether that host has been asked about. */
bool drain_asked(const struct drain *drain, uint32_t host);

/* drain_answered - a process owes nothing to a process of `host`. False: it was not asked. */
bool drain_answered(struct drain *drain, uint32_t host, uint32_t process);

/* drain_owes - whether a process may owe something to a process of `host`. */
bool drain_owes(const struct drain *drain, uint32_t host, uint32_t process);

#endif
