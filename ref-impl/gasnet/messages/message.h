/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An active message, as it travels: arguments and payload in the body of a put, the rest in match bits and header data.
 *
 *      body          destination (long: 8) | arguments (4 each) | to 8 | payload (medium, packed long) | to 8
 *      header data   number: 24 | octets of the payload: 32 | credits: 8
 *
 * A long message that is not packed is two: this one, and its data, which have the same number.
 */
#ifndef REF_IMPL_GASNET_MESSAGES_MESSAGE_H
#define REF_IMPL_GASNET_MESSAGES_MESSAGE_H

#include <gasnet.h>
#include <portals3.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/gasnet/base/settings.h"

enum { ARGUMENTS_MOST = 16, MEDIUM_MOST = CHUNK_OCTETS - ARGUMENTS_MOST * 4 - 8, LONG_MOST = INT32_MAX };

struct message {
    uint32_t node; /* the other one */
    bool request, packed;
    enum gasnetc_kind kind;
    uint8_t handler, credits;
    unsigned count;
    int32_t arguments[ARGUMENTS_MOST];
    void *payload;
    uint64_t octets, destination;
    uint32_t chunk;  /* of the request; of a reply, where it comes from */
    uint32_t number; /* of a long one that is not packed */
};

/* message_make - the message of a call; its chunk, number and credits are still to be filled in. False when an argument
 * has no legal value. `node` and its segment exist. */
bool message_make(uint32_t node, bool request, enum gasnetc_kind kind, const struct gasnetc_arguments *arguments,
                  const struct gasnetc_payload *payload, struct message *message);

/* message_body_octets - how long its body is: at most CHUNK_OCTETS.
 * message_write - writes the body.
 * message_bits, message_header - the rest. */
uint64_t message_body_octets(const struct message *message);
void message_write(const struct message *message, void *body);
uint64_t message_bits(const struct message *message);
uint64_t message_header(const struct message *message);

/* message_read - the message of an event; its payload stays in the body. False where it makes no sense. */
bool message_read(const ptl_event_t *event, struct message *message);

#endif
