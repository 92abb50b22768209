/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The access control table of an interface: which processes may use which portals (chapters 2.3 and 3.9). acl.h is what
 * programs change it by.
 */
#ifndef REF_IMPL_CORE_ACL_TABLE_H
#define REF_IMPL_CORE_ACL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/types.h"

/* The entries that chapter 2.3 predefines. */
enum { ACL_SAME_GROUP = 0, ACL_SYSTEM = 1 };

struct acl_entry {
    bool admits; /* false: nobody, whatever the rest says */
    struct wire_portals_id process;
    uint32_t portal; /* or CORE_ANY_PORTAL */
    uint32_t user;   /* or CORE_ANY_ID; counts where the table is by user */
};

/* struct acl is guarded by the lock of its interface. */
struct acl {
    struct acl_entry *entries;
    uint32_t count;
    bool by_user;
};

/* acl_open - makes a table of `count` entries: entry 0 admits the group `gid`, the others nobody. False: no memory. */
bool acl_open(struct acl *acl, uint32_t count, uint32_t gid) __attribute__((warn_unused_result));

/* acl_admit_user - makes it a table by user: entry 0 admits that user, of whatever group. */
void acl_admit_user(struct acl *acl, uint32_t user);

/* acl_close - frees it. */
void acl_close(struct acl *acl);

/* acl_admits - whether entry `cookie` lets `process` of that user use `portal`. Any values are safe to ask for. */
bool acl_admits(const struct acl *acl, uint32_t cookie, const struct wire_portals_id *process, uint32_t user,
                uint32_t portal);

#endif
