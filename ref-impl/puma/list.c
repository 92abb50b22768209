/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match lists, and messages on their way out: see puma/puma.h.
 */
#include <stdlib.h>

#include "ref-impl/puma/descriptor.h"

#define ALL_BITS (~(ptl_match_bits_t)0)

enum { EVENTS_OF_A_SENDING = 4 };

//= PUMA-011
struct puma_match puma_any(void)
{
    return (struct puma_match){
        .from = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY},
        .bits = 0,
        .ignored = ALL_BITS,
    };
}

//= PUMA-001
//= PUMA-003
//= PUMA-005
//= PUMA-004
//= PUMA-006
//= PUMA-007
struct puma_list *puma_list_new(ptl_handle_ni_t interface, ptl_pt_index_t portal)
{
    struct puma_list *list = malloc(sizeof(*list));
    struct puma_match any = puma_any();

    if (!list) {
        return NULL;
    }
    list->interface = interface;
    list->portal = portal;
    if (PtlMEAttach(interface, portal, any.from, any.bits, any.ignored, PTL_RETAIN, &list->end) != PTL_OK) {
        free(list);
        return NULL;
    }
    list->before = list->end;
    return list;
}

//= PUMA-008
void puma_in_front(struct puma_list *list, const struct puma_descriptor *descriptor)
{
    list->before = descriptor ? descriptor->place[0].entry : list->end;
}

void puma_list_free(struct puma_list *list)
{
    (void)PtlMEUnlink(list->end);
    free(list);
}

/* Binds the memory of a message, with a queue of its own. */
static bool bind(const struct puma_list *list, struct puma_buffer memory, bool wants_answer,
                 struct puma_sending *sending)
{
    ptl_md_t value = {.start = memory.len ? memory.start : NULL, .length = memory.len, .threshold = 1};

    *sending = (struct puma_sending){.wants_answer = wants_answer};
    if (PtlEQAlloc(list->interface, EVENTS_OF_A_SENDING, &sending->events) != PTL_OK) {
        return false;
    }
    value.eventq = sending->events;
    if (PtlMDBind(list->interface, value, &sending->descriptor) != PTL_OK) {
        (void)PtlEQFree(sending->events);
        return false;
    }
    return true;
}

//= PUMA-009
//= PUMA-010
bool puma_send(const struct puma_list *list, struct puma_buffer block, const struct puma_target *target,
               bool acknowledge, struct puma_sending *sending)
{
    if (!bind(list, block, acknowledge, sending)) {
        return false;
    }
    if (PtlPut(sending->descriptor, acknowledge ? PTL_ACK_REQ : PTL_NOACK_REQ, target->process, target->portal,
               PUMA_COOKIE, target->bits, target->offset) != PTL_OK) {
        puma_sent(sending);
        return false;
    }
    return true;
}

//= PUMA-029
bool puma_read(const struct puma_list *list, struct puma_buffer into, const struct puma_target *target,
               struct puma_sending *sending)
{
    if (!bind(list, into, true, sending)) {
        return false;
    }
    sending->left = true;
    if (PtlGet(sending->descriptor, target->process, target->portal, PUMA_COOKIE, target->bits, target->offset) !=
        PTL_OK) {
        puma_sent(sending);
        return false;
    }
    return true;
}

static bool is_over(const struct puma_sending *sending)
{
    return sending->left && (sending->answered || !sending->wants_answer);
}

bool puma_heard(struct puma_sending *sending, bool wait)
{
    ptl_event_t event;

    while (!is_over(sending)) {
        int code = wait ? PtlEQWait(sending->events, &event) : PtlEQGet(sending->events, &event);

        if (code != PTL_OK) {
            return false;
        }
        if (event.type == PTL_EVENT_SENT) {
            sending->left = true;
        } else {
            sending->answered = true;
            sending->kept = (size_t)event.mlength; //= PUMA-060
        }
    }
    return true;
}

void puma_sent(struct puma_sending *sending)
{
    (void)PtlMDUnlink(sending->descriptor);
    (void)PtlEQFree(sending->events);
}
