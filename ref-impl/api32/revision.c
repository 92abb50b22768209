/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals 3.2: its codes and structs, from and to the core.
 */
#include <revision.h>

#include "ref-impl/core/status.h"

const int revision_codes[] = {
    [CORE_OK] = PTL_OK,
    [CORE_NO_SPACE] = PTL_NOSPACE,
    [CORE_NO_INTERFACE] = PTL_INIT_INV,
    [CORE_DUPLICATE] = PTL_INIT_DUP,
    [CORE_BAD_INTERFACE] = PTL_INV_NI,
    [CORE_BAD_ENTRY] = PTL_INV_ME,
    [CORE_BAD_DESCRIPTOR] = PTL_INV_MD,
    [CORE_BAD_QUEUE] = PTL_INV_EQ,
    [CORE_BAD_HANDLE] = PTL_INV_HANDLE,
    [CORE_BAD_PROCESS] = PTL_INV_PROC,
    [CORE_BAD_PORTAL] = PTL_INV_PTINDEX,
    [CORE_BAD_ACCESS] = PTL_AC_INV_INDEX,
    [CORE_ILLEGAL] = PTL_ILL_MD,
    [CORE_LIST_TOO_LONG] = PTL_ML_TOOLONG,
    [CORE_IN_USE] = PTL_INUSE,
    [CORE_NO_FREE_PORTAL] = PTL_PT_FULL,
    [CORE_NOT_EMPTY] = PTL_NOUPDATE,
    [CORE_EMPTY] = PTL_EQ_EMPTY,
    [CORE_EVENT_AND_GAP] = PTL_EQ_DROPPED,
};

struct revision_limits revision_limits_in(const ptl_ni_limits_t *limits)
{
    return (struct revision_limits){.entries = limits->max_match_entries,
                                    .descriptors = limits->max_mem_descriptors,
                                    .queues = limits->max_event_queues,
                                    .portal = limits->max_ptable_index,
                                    .access = limits->max_atable_index};
}

ptl_ni_limits_t revision_limits_out(const struct revision_limits *limits)
{
    return (ptl_ni_limits_t){.max_match_entries = limits->entries,
                             .max_mem_descriptors = limits->descriptors,
                             .max_event_queues = limits->queues,
                             .max_ptable_index = limits->portal,
                             .max_atable_index = limits->access};
}

/* Inactive when the local offset has passed max_offset: when less than length - max_offset is left. */
struct core_md revision_md_in(const ptl_md_t *md)
{
    return (struct core_md){
        .start = md->start,
        .length = md->length,
        .threshold = md->threshold,
        .options = md->options,
        .user_ptr = md->user_ptr,
        .eventq = md->eventq,
        .room = md->max_offset < md->length ? md->length - md->max_offset : 0,
        .bound = md->max_offset,
    };
}

ptl_md_t revision_md_out(const struct core_md *md)
{
    return (ptl_md_t){
        .start = md->start,
        .length = md->length,
        .threshold = md->threshold,
        .max_offset = (unsigned)md->bound,
        .options = md->options,
        .user_ptr = md->user_ptr,
        .eventq = md->eventq,
    };
}

static ptl_event_kind_t kind_of(const struct core_event *event)
{
    switch (event->kind) {
    case CORE_EVENT_GET:
        return event->begins ? PTL_EVENT_GET_START : PTL_EVENT_GET_END;
    case CORE_EVENT_PUT:
        return event->begins ? PTL_EVENT_PUT_START : PTL_EVENT_PUT_END;
    case CORE_EVENT_REPLY:
        return event->begins ? PTL_EVENT_REPLY_START : PTL_EVENT_REPLY_END;
    case CORE_EVENT_SENT:
        return event->begins ? PTL_EVENT_SEND_START : PTL_EVENT_SEND_END;
    case CORE_EVENT_ACK:
        return PTL_EVENT_ACK;
    case CORE_EVENT_EXCHANGE: /* 3.2 has none: what one changes has been put */
        return event->begins ? PTL_EVENT_PUT_START : PTL_EVENT_PUT_END;
    case CORE_EVENT_UNLINK:
        break;
    }
    return PTL_EVENT_UNLINK;
}

ptl_event_t revision_event(const struct core_event *event)
{
    return (ptl_event_t){
        .type = kind_of(event),
        .initiator = {.nid = event->initiator.nid, .pid = event->initiator.pid},
        .uid = event->uid,
        .portal = event->portal,
        .match_bits = event->match_bits,
        .rlength = event->rlength,
        .mlength = event->mlength,
        .offset = event->offset,
        .md_handle = event->descriptor,
        .mem_desc = revision_md_out(&event->md),
        .hdr_data = event->hdr_data,
        .link = event->link,
        .ni_fail_type = event->failed ? PTL_NI_UNREACHABLE : PTL_NI_OK,
        .sequence = event->sequence,
    };
}

void revision_declared(ptl_process_id_t *self)
{
    (void)self; /* programs of 3.2 have no runtime system */
}
