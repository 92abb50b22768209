/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Is a well-formed header also legal, and what must a receiver do with one that is not? These are the rules of
 * specs/portals-wire.md, chapters 4 and 5, that can be judged from one header and the ids of the stream's two ends.
 * Pure functions, the same for the implementation, the tester's scripted peers, the offline checker and the dissector.
 */
#ifndef WIRE_PORTALS_RULES_H
#define WIRE_PORTALS_RULES_H

#include <stdbool.h>

#include "wire/portals/messages.h"

/* Where processes of small numbers listen: not every user may have the ports below the first one. */
enum { WIRE_PORTALS_PORT_FIRST = 1024, WIRE_PORTALS_PORT_MOVED = 31744 };

/* wire_portals_port_of - the TCP port at which process `pid`, 1 to 65535, listens. */
static inline uint32_t wire_portals_port_of(uint32_t pid)
{
    return pid < WIRE_PORTALS_PORT_FIRST ? WIRE_PORTALS_PORT_MOVED + pid : pid;
}

/* wire_portals_port_is_shared - whether two processes can listen at that port, one of a small number. */
static inline bool wire_portals_port_is_shared(uint32_t port)
{
    return port >= WIRE_PORTALS_PORT_MOVED && port < WIRE_PORTALS_PORT_MOVED + WIRE_PORTALS_PORT_FIRST;
}

/* Everything that can be wrong with one header. */
enum wire_portals_header_violation {
    WIRE_PORTALS_LEGAL = 0,
    /* a HELLO at the opening of a stream */
    WIRE_PORTALS_BAD_MAGIC,
    WIRE_PORTALS_BAD_VERSION,
    WIRE_PORTALS_BAD_SENDER,
    WIRE_PORTALS_WRONG_PEER,
    WIRE_PORTALS_WRONG_INTERFACE,
    /* a message afterwards */
    WIRE_PORTALS_BAD_OPERATION,
    WIRE_PORTALS_HELLO_AGAIN,
    WIRE_PORTALS_BAD_LENGTH,
    WIRE_PORTALS_FORGED_INITIATOR,
    WIRE_PORTALS_WRONG_TARGET,
    WIRE_PORTALS_WRONG_RANK,
    WIRE_PORTALS_OVERFULL_ANSWER,
    WIRE_PORTALS_GET_WITHOUT_MD,
    WIRE_PORTALS_ANSWER_WITHOUT_MD,
    WIRE_PORTALS_FOREIGN_BARRIER,
    WIRE_PORTALS_BAD_ROUND,
    WIRE_PORTALS_BAD_NUMBER,
    WIRE_PORTALS_BAD_ACKNOWLEDGE,
    WIRE_PORTALS_HEADER_VIOLATIONS, /* how many there are */
};

/* What a receiver does. */
enum wire_portals_action {
    WIRE_PORTALS_DELIVER, /* process the message */
    WIRE_PORTALS_DISCARD, /* consume header and payload, count one drop, go on with the stream */
    WIRE_PORTALS_CLOSE,   /* count one drop, close the stream: what follows cannot be trusted */
    WIRE_PORTALS_REFUSE,  /* close the stream, count nothing: it never was one of this binding */
};

/* One rule. */
struct wire_portals_rule {
    const char *name;                /* for machines: "wrong-target" */
    const char *requirement;         /* a requirement of the profile ("P30-305") or a rule of the binding ("PW-21") */
    enum wire_portals_action action; /* what the receiver of a violation does */
    const char *text;                /* the violation in one sentence, without a full stop */
};

/* wire_portals_rule_of - the rule that the violation breaks. For WIRE_PORTALS_LEGAL a rule that delivers. Never NULL.
 */
const struct wire_portals_rule *wire_portals_rule_of(enum wire_portals_header_violation violation);

/* wire_portals_header_violation_of - the violation that a failed wire_portals_decode stands for at a receiver in
 * mid-stream; WIRE_PORTALS_LEGAL for WIRE_OK and for WIRE_SHORT, which is no violation before the stream has ended. */
enum wire_portals_header_violation wire_portals_header_violation_of(enum wire_status status);

/* wire_portals_validate - the first rule that a message's header breaks, or WIRE_PORTALS_LEGAL.
 * `sender` is what the peer's HELLO said that it is, `self` who the receiver is; a NULL leaves out the rules about it.
 */
WIRE_MUST_USE enum wire_portals_header_violation wire_portals_validate(const struct wire_portals_header *header,
                                                                       const struct wire_portals_id *sender,
                                                                       const struct wire_portals_id *self);

/* wire_portals_validate_hello - the same for the header that opens a direction of a stream. `self` is who the receiver
 * is. The opener, who receives the acceptor's answer, passes the HELLO that it sent as `sent`; the acceptor passes
 * NULL. A NULL `self` leaves out the rule about it. */
WIRE_MUST_USE enum wire_portals_header_violation wire_portals_validate_hello(const struct wire_portals_header *header,
                                                                             const struct wire_portals_id *self,
                                                                             const struct wire_portals_header *sent);

/* wire_portals_id_same - 1 when all four members agree, else 0. */
int wire_portals_id_same(const struct wire_portals_id *one, const struct wire_portals_id *other);

/* wire_portals_id_reaches - 1 when a message for `target` is for the process `self`: same node and process, and group
 * and rank each the same or not known to the sender; else 0. */
int wire_portals_id_reaches(const struct wire_portals_id *target, const struct wire_portals_id *self);

#endif
