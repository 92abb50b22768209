/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals 3.3: its codes and structs, from and to the core.
 */
#include <revision.h>

#include <assert.h>
#include <stddef.h>

#include "ref-impl/api33/group.h"
#include "ref-impl/core/status.h"

//= GASN-154
static_assert((int)PTL_MD_MAX_SIZE == (int)CORE_KEEPS_ROOM, "options are the core's");
static_assert((int)PTL_MD_EVENT_START_DISABLE == (int)CORE_NO_START, "options are the core's");
static_assert((int)PTL_MD_IOVEC == (int)CORE_SCATTERED, "options are the core's");
static_assert(sizeof(ptl_md_iovec_t) == sizeof(struct core_piece) &&
                  offsetof(ptl_md_iovec_t, iov_len) == offsetof(struct core_piece, length),
              "pieces are the core's");
static_assert((int)PTL_MD_EVENT_END_DISABLE == (int)CORE_NO_END, "options are the core's");

const int revision_codes[] = {
    [CORE_OK] = PTL_OK,
    [CORE_NO_SPACE] = PTL_NO_SPACE,
    [CORE_NO_INTERFACE] = PTL_IFACE_INVALID,
    [CORE_DUPLICATE] = PTL_IFACE_DUP,
    [CORE_BAD_INTERFACE] = PTL_NI_INVALID,
    [CORE_BAD_ENTRY] = PTL_ME_INVALID,
    [CORE_BAD_DESCRIPTOR] = PTL_MD_INVALID,
    [CORE_BAD_QUEUE] = PTL_EQ_INVALID,
    [CORE_BAD_HANDLE] = PTL_HANDLE_INVALID,
    [CORE_BAD_PROCESS] = PTL_PROCESS_INVALID,
    [CORE_BAD_PORTAL] = PTL_PT_INDEX_INVALID,
    [CORE_BAD_ACCESS] = PTL_AC_INDEX_INVALID,
    [CORE_ILLEGAL] = PTL_MD_ILLEGAL,
    [CORE_LIST_TOO_LONG] = PTL_ME_LIST_TOO_LONG,
    [CORE_IN_USE] = PTL_ME_IN_USE,
    [CORE_NO_FREE_PORTAL] = PTL_PT_FULL,
    [CORE_NOT_EMPTY] = PTL_MD_NO_UPDATE,
    [CORE_EMPTY] = PTL_EQ_EMPTY,
    [CORE_EVENT_AND_GAP] = PTL_EQ_DROPPED,
};

struct revision_limits revision_limits_in(const ptl_ni_limits_t *limits)
{
    return (struct revision_limits){.entries = limits->max_mes,
                                    .descriptors = limits->max_mds,
                                    .queues = limits->max_eqs,
                                    .list = limits->max_me_list,
                                    .portal = limits->max_pt_index,
                                    .access = limits->max_ac_index,
                                    .pieces = limits->max_md_iovecs,
                                    .exchange = limits->max_getput_md};
}

ptl_ni_limits_t revision_limits_out(const struct revision_limits *limits)
{
    return (ptl_ni_limits_t){.max_mes = limits->entries,
                             .max_mds = limits->descriptors,
                             .max_eqs = limits->queues,
                             .max_pt_index = limits->portal,
                             .max_ac_index = limits->access,
                             .max_md_iovecs = limits->pieces,
                             .max_me_list = limits->list,
                             .max_getput_md = limits->exchange};
}

struct core_md revision_md_in(const ptl_md_t *md)
{
    return (struct core_md){
        .start = md->start,
        .length = md->length,
        .threshold = md->threshold,
        .options = md->options,
        .user_ptr = md->user_ptr,
        .eventq = md->eq_handle,
        .room = md->options & PTL_MD_MAX_SIZE ? md->max_size : 0,
        .bound = md->max_size,
    };
}

ptl_md_t revision_md_out(const struct core_md *md)
{
    return (ptl_md_t){
        .start = md->start,
        .length = md->options & CORE_SCATTERED ? md->pieces : md->length,
        .threshold = md->threshold,
        .max_size = md->bound,
        .options = md->options,
        .user_ptr = md->user_ptr,
        .eq_handle = md->eventq,
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
    case CORE_EVENT_EXCHANGE:
        return event->begins ? PTL_EVENT_GETPUT_START : PTL_EVENT_GETPUT_END;
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
        .jid = event->initiator.gid,
        .pt_index = event->portal,
        .match_bits = event->match_bits,
        .rlength = event->rlength,
        .mlength = event->mlength,
        .offset = event->offset,
        .md_handle = event->descriptor,
        .md = revision_md_out(&event->md),
        .hdr_data = event->hdr_data,
        .link = event->link,
        .ni_fail_type = event->failed ? PTL_NI_UNREACHABLE : PTL_NI_OK,
        .sequence = event->sequence,
    };
}

void revision_declared(ptl_process_id_t *self)
{
    unsigned rank = 0, size = 0;

    if (group_self(&rank, &size) || (group_read() == PTL_OK && group_self(&rank, &size))) {
        (void)group_find(rank, self);
    }
}
