/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The access control table: see acl_table.h. A request names the entry by which it wants to be judged (its cookie); the
 * entry must fit the requester and the portal. Chapters 2.3 and 3.9.
 */
#include "ref-impl/core/acl_table.h"

#include <stdlib.h>

bool acl_open(struct acl *acl, uint32_t count, uint32_t gid)
{
    struct acl_entry *entries = calloc(count, sizeof(*entries)); //= P30-036

    if (!entries) {
        return false;
    }
    entries[ACL_SAME_GROUP] = (struct acl_entry){
        //= P30-034
        .admits = true,
        .process = {.nid = CORE_ANY_ID, .pid = CORE_ANY_ID, .gid = gid, .rid = CORE_ANY_ID},
        .portal = CORE_ANY_PORTAL,
    };
    /* Entry 1 would admit system processes. This system has none, so it admits nobody: P30-035 read with A53. */
    entries[ACL_SYSTEM].admits = false; //= P30-035
    acl->entries = entries;
    acl->count = count;
    acl->by_user = false;
    return true;
}

void acl_admit_user(struct acl *acl, uint32_t user)
{
    struct acl_entry *entry = &acl->entries[ACL_SAME_GROUP];

    acl->by_user = true;
    entry->process.gid = CORE_ANY_ID;
    entry->user = user;
}

void acl_close(struct acl *acl)
{
    free(acl->entries);
    acl->entries = NULL;
    acl->count = 0;
}

bool acl_admits(const struct acl *acl, uint32_t cookie, const struct wire_portals_id *process, uint32_t user,
                uint32_t portal)
{
    const struct acl_entry *entry;

    if (cookie >= acl->count) {
        return false; //= P30-317
    }
    entry = &acl->entries[cookie]; //= P30-029
    if (!entry->admits) {
        return false;
    }
    if (acl->by_user && entry->user != CORE_ANY_ID && entry->user != user) {
        return false;
    }
    if (!core_admits(&entry->process, process)) {
        return false; //= P30-030 P30-318
    }
    if (entry->portal != CORE_ANY_PORTAL && entry->portal != portal) {
        return false; //= P30-031 P30-033 P30-319
    }
    return true;
}
