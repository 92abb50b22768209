/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Credits: the right to send requests. One stands for CREDIT_OCTETS of the receive space of another node and for one
 * event of its queue, so that neither overflows. A node lends credits to every other, and to itself; a request uses
 * some, and its reply brings them back.
 *
 * With dynamic credits a node keeps a bank. Who lacked credits says so in its next request, and the reply brings some
 * of the bank. When requests have come for an epoch and the bank is low, the node asks back what others do not use: who
 * has sent something in the epoch is told in a reply, who has not by a system message; both answer with a system
 * message, so that between two nodes at most one of each kind is under way.
 *
 *      request   | 0 | wanted: 3 | used: 4     |      octet of the header data
 *      reply     | epoch ends: 1 | given: 3 | returned: 4 |
 */
#ifndef REF_IMPL_GASNET_MESSAGES_CREDITS_H
#define REF_IMPL_GASNET_MESSAGES_CREDITS_H

#include <stdbool.h>
#include <stdint.h>

/* What there is: so many credits, from a receive space of `buffers` pieces of so many chunks. */
struct credits_plan {
    uint64_t each, banked, total;
    uint64_t chunks_in_buffer;
};

/* credits_plan - how many credits this node has to lend to so many; false, with a line on stderr, where the settings
 * leave too few. */
bool credits_plan(uint32_t nodes, struct credits_plan *plan);

/* credits_open - begins with them.
 * credits_lent_by - a node says how many it lends to this one. */
void credits_open(const struct credits_plan *plan);
void credits_lent_by(uint32_t node, uint64_t credits);

/* credits_of - how many a message of so many octets takes.
 * credits_take - takes so many of what `node` has lent; false when there are too few. Stores the octet for the request.
 * credits_untake - puts them back: the request was not sent.
 * credits_serve - `node` sent a request with that octet; the octet for the reply.
 * credits_returned - its reply has come. */
uint32_t credits_of(uint64_t octets);
bool credits_take(uint32_t node, uint32_t count, uint8_t *octet);
void credits_untake(uint32_t node, uint32_t count);
uint8_t credits_serve(uint32_t node, uint8_t octet);
void credits_returned(uint32_t node, uint8_t octet);

/* credits_write - writes the statistics to the file gasnet-credits.NODE, where they are asked for. */
void credits_write(void);

#endif
