/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Translation between the interface and the core: see api.h.
 */
#include "ref-impl/api/api.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/limits.h"

static_assert(PTL_MAX_INTERFACE + 1 == LIMIT_INTERFACES, "portals.h states the core's limit");
static_assert(PTL_MAX_PTABLE_SIZE == LIMIT_PORTALS, "portals.h states the core's limit");
static_assert(PTL_MAX_ATABLE_SIZE == LIMIT_ACCESSES, "portals.h states the core's limit");
static_assert(PTL_MAX_MATCH_ENTRIES == LIMIT_OBJECTS, "portals.h states the core's limit");
static_assert(PTL_MAX_MEM_DESCS == LIMIT_OBJECTS, "portals.h states the core's limit");
static_assert(PTL_MAX_EVENT_QUEUES == LIMIT_OBJECTS, "portals.h states the core's limit");
static_assert(PTL_MAX_EVENTS == LIMIT_EVENTS, "portals.h states the core's limit");
static_assert(PTL_MAX_MATCH_LIST == LIMIT_LIST, "portals.h states the core's limit");

static_assert(PTL_MAX_MD_LENGTH == WIRE_PORTALS_LENGTH_MAX, "portals.h states the binding's limit");

static_assert(PTL_MD_OP_PUT == CORE_SERVES_PUT, "options are the core's");
static_assert(PTL_MD_OP_GET == CORE_SERVES_GET, "options are the core's");
static_assert(PTL_MD_MANAGE_REMOTE == CORE_REMOTE_OFFSET, "options are the core's");
static_assert(PTL_MD_TRUNCATE == CORE_TRUNCATES, "options are the core's");
static_assert(PTL_MD_ACK_DISABLE == CORE_NO_ACK, "options are the core's");
static_assert(PTL_MD_THRESH_INF == CORE_ENDLESS, "thresholds are the core's");
static_assert(PTL_ID_ANY == CORE_ANY_ID && PTL_PT_INDEX_ANY == CORE_ANY_PORTAL, "wildcards are the core's");

int api_code(enum core_status status)
{
    switch (status) {
    case CORE_OK:
        return PTL_OK;
    case CORE_NO_SPACE:
        return PTL_NOSPACE;
    case CORE_NO_INTERFACE:
        return PTL_INIT_INV;
    case CORE_DUPLICATE:
        return PTL_INIT_DUP;
    case CORE_BAD_INTERFACE:
        return PTL_INV_NI;
    case CORE_BAD_ENTRY:
        return PTL_INV_ME;
    case CORE_BAD_DESCRIPTOR:
        return PTL_INV_MD;
    case CORE_BAD_QUEUE:
        return PTL_INV_EQ;
    case CORE_BAD_HANDLE:
        return PTL_INV_HANDLE;
    case CORE_BAD_PROCESS:
        return PTL_INV_PROC;
    case CORE_BAD_PORTAL:
        return PTL_INV_PTINDEX;
    case CORE_BAD_ACCESS:
        return PTL_AC_INV_INDEX;
    case CORE_ILLEGAL:
        return PTL_ILL_MD;
    case CORE_LIST_TOO_LONG:
        return PTL_ML_TOOLONG;
    case CORE_NOT_EMPTY:
        return PTL_NOUPDATE;
    case CORE_EMPTY:
        return PTL_EQ_EMPTY;
    case CORE_EVENT_AND_GAP:
        return PTL_EQ_DROPPED;
    case CORE_IN_USE:
    case CORE_NO_FREE_PORTAL:
        break; /* of later revisions only */
    }
    abort(); /* the compiler has seen that no status is missing */
}

struct core_md api_md_in(const ptl_md_t *md)
{
    return (struct core_md){
        .start = md->start,
        .length = md->length,
        .threshold = md->threshold,
        .options = md->options,
        .user_ptr = md->user_ptr, //= P30-173
        .eventq = md->eventq.value,
    };
}

ptl_md_t api_md_out(const struct core_md *md)
{
    return (ptl_md_t){
        .start = md->start,
        .length = md->length,
        .threshold = md->threshold,
        .options = md->options,
        .user_ptr = md->user_ptr, //= P30-173
        .eventq = {md->eventq},
    };
}
