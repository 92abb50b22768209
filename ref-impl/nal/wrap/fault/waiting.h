/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages that the fault network keeps, and the list of those that wait for their time. Part of the fault network; the
 * caller holds its lock.
 */
#ifndef REF_IMPL_NAL_WRAP_FAULT_WAITING_H
#define REF_IMPL_NAL_WRAP_FAULT_WAITING_H

#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stdint.h>

/* struct fault_message is a message on its way through: the network below reports it as sent by this. A copy has its
 * payload behind it, and nobody waits for it. */
struct fault_message {
    struct fault_message *next;
    struct wire_portals_header header;
    void *cookie;
    uint64_t length;
    uint64_t due_ms;
    bool held; /* until another message to its target passes */
    unsigned char payload[];
};

/* fault_message_new - a message for the network below; with `copied` its payload is kept too. NULL without memory;
 * freed with free. */
struct fault_message *fault_message_new(const struct wire_portals_header *header, const void *payload, uint64_t length,
                                        bool copied);

/* fault_waiting_insert - sorts a message into a list, behind those that are due at the same time. */
void fault_waiting_insert(struct fault_message **list, struct fault_message *message);

/* fault_waiting_release - a message with this header passes: those that were held back for its target are due at
 * `due_ms`, behind it. */
void fault_waiting_release(struct fault_message **list, const struct wire_portals_header *header, uint64_t due_ms);

#endif
