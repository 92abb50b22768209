/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of waiting messages of the fault network; see waiting.h.
 */
#include "ref-impl/nal/wrap/fault/waiting.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fault_message *fault_message_new(const struct wire_portals_header *header, const void *payload, uint64_t length,
                                        bool copied)
{
    size_t kept = copied ? (size_t)length : 0;
    struct fault_message *message = malloc(sizeof *message + kept);

    if (message) {
        *message = (struct fault_message){.header = *header, .length = length};
        if (kept > 0) {
            memcpy(message->payload, payload, kept);
        }
    }
    return message;
}

static bool same_target(const struct fault_message *message, const struct wire_portals_header *header)
{
    return message->header.target.nid == header->target.nid && message->header.target.pid == header->target.pid;
}

void fault_waiting_insert(struct fault_message **list, struct fault_message *message)
{
    struct fault_message **link = list;

    while (*link && (*link)->due_ms <= message->due_ms) {
        link = &(*link)->next;
    }
    message->next = *link;
    *link = message;
}

void fault_waiting_release(struct fault_message **list, const struct wire_portals_header *header, uint64_t due_ms)
{
    struct fault_message **link = list;
    struct fault_message *released = NULL;
    struct fault_message **last = &released;

    while (*link) {
        struct fault_message *message = *link;

        if (message->held && same_target(message, header)) {
            *link = message->next;
            message->next = NULL;
            *last = message;
            last = &message->next;
        } else {
            link = &message->next;
        }
    }
    while (released) {
        struct fault_message *message = released;

        released = message->next;
        message->held = false;
        message->due_ms = due_ms;
        fault_waiting_insert(list, message);
    }
}
