/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A network that does what a test says: it keeps what the core sends, and the test decides when that has left, what
 * arrives, and when it has landed. It takes nal_open's place in the programs that link it.
 */
#ifndef TESTS_REFIMPL_SCRIPT_H
#define TESTS_REFIMPL_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/ni.h"
#include "ref-impl/nal/nal.h"

/* The processes of the script: a group of three, of which the core is rank 1, and an outsider. */
extern const struct wire_portals_id script_self, script_first, script_last, script_outsider;

/* What the core has sent, in order. The test sets script_refusal to have nal_send refuse. */
struct script_message {
    struct wire_portals_header header;
    const void *payload;
    uint64_t length;
    void *cookie;
};
enum { SCRIPT_SENT_MAX = 64 };
extern struct script_message script_sent[SCRIPT_SENT_MAX];
extern unsigned script_sent_count;
extern enum nal_status script_refusal;

/* The tokens that the core has revoked. */
extern void *script_revoked[SCRIPT_SENT_MAX];
extern unsigned script_revoked_count;

/* script_open opens interface 0 with 4 portals for the script's group; aborts when it cannot. Clears what was kept. */
uint64_t script_open(const struct policy *policy);

/* script_wait_sent waits until the core has sent so many messages; for tests with threads. */
void script_wait_sent(unsigned count);

/* script_request is a put or get request of a process to the core: portal 0, cookie 0, acknowledged under handle 42. */
struct wire_portals_header script_request(const struct wire_portals_id *from, uint32_t operation, uint64_t length);

/* script_arrive lets a header arrive; the sink. script_landed and script_left say that payload has landed and left. */
struct nal_sink script_arrive(const struct wire_portals_header *header);
void script_landed(void *token, bool complete);
void script_left(void *cookie, bool complete);

/* script_drops is the core's drop count. */
int64_t script_drops(uint64_t ni);

#endif
