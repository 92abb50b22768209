/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of Portals conversations: follows all streams among any number of processes, both directions of each, and
 * names the rule that a message breaks when seen together with what came before it: who asked for what, whether an
 * answer repeats what its request said, whether anybody asked at all, on which stream it came, whose turn it was in a
 * barrier. Rules about single headers (wire/portals/rules.h) are applied too. The tester watches systems under test
 * with it, `assay check` reads captures with it, and the dissector draws its expert information from it.
 *
 *     struct wire_portals_check check = wire_portals_check_begin(&tables);
 *     struct wire_portals_check_stream stream = wire_portals_check_open(&check, NULL, now_us);
 *     unsigned count = wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &header, now_us, packet);
 *     for (unsigned i = 0; i < count; i++) ... check.findings[i] ...
 *
 * A pure state machine: headers, directions and times are arguments, storage is the caller's, nothing blocks. Feed
 * messages in the order in which they were seen. Answers may come in any order; requests that are never answered are no
 * violation, since a target may discard them. Numbered messages may come several times, if they come unchanged, and
 * with gaps, which is no violation either; then less is judged. When the storage is full, what is oldest is forgotten;
 * what can then no longer be judged is counted, not guessed. However hostile the messages are, one takes a bounded
 * number of steps.
 */
#ifndef WIRE_PORTALS_CHECK_H
#define WIRE_PORTALS_CHECK_H

#include "wire/octets/status.h"
#include "wire/portals/check_state.h"

/* wire_portals_check_begin - a checker that has seen nothing. Uses the tables until the caller drops the checker. */
struct wire_portals_check wire_portals_check_begin(const struct wire_portals_check_tables *tables);

/* wire_portals_check_open - a stream of which nothing has been seen, connected at `when_us` (microseconds of any clock
 * that never goes back). `acceptor` is who listens at the other end as far as it is known: nid and pid from the
 * connection's address, gid and rid or WIRE_PORTALS_ID_UNKNOWN; NULL when nothing is known. */
struct wire_portals_check_stream wire_portals_check_open(struct wire_portals_check *check,
                                                         const struct wire_portals_id *acceptor, uint64_t when_us);

/* wire_portals_check_message - judges a message that `side` sent, once its header is whole. `mark` is the caller's
 * number for it, not 0, by which later findings refer to it. Returns the number of findings in check->findings. */
unsigned wire_portals_check_message(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                    enum wire_portals_side side, const struct wire_portals_header *header,
                                    uint64_t when_us, uint64_t mark);

/* wire_portals_check_broken - judges octets of `side` in which no message was found: `status` is what decoding said,
 * WIRE_UNKNOWN or WIRE_TOO_LONG. Nothing more of that direction is judged. */
unsigned wire_portals_check_broken(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                   enum wire_portals_side side, enum wire_status status);

/* How a direction ends: by a FIN behind a whole message, by one inside a message, or by a reset, after which nothing
 * can be said about what was still on its way; likewise where octets before the end were not seen. */
enum wire_portals_ending { WIRE_PORTALS_ENDS_BETWEEN, WIRE_PORTALS_ENDS_INSIDE, WIRE_PORTALS_ENDS_TORN };

/* wire_portals_check_replaced - the stream's ends are said to have another one by now: it is closed, and whatever of it
 * is still to come is judged. */
void wire_portals_check_replaced(struct wire_portals_check *check, struct wire_portals_check_stream *stream);

/* wire_portals_check_end - `side` has finished its direction. The stream is then closed for both. */
unsigned wire_portals_check_end(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                enum wire_portals_side side, enum wire_portals_ending ending);

/* wire_portals_check_gap - octets that `side` sent were not seen. What follows is judged on its own; of a direction
 * whose HELLO was not seen, nothing is judged. */
void wire_portals_check_gap(struct wire_portals_check_stream *stream, enum wire_portals_side side);

/* wire_portals_check_placed - where a process was captured. Behind a proxy its messages are captured at two addresses,
 * on two streams: that it changes between them is no violation. */
void wire_portals_check_placed(struct wire_portals_check *check, const struct wire_portals_id *process,
                               uint32_t address);

/* wire_portals_check_missed - something that one process sent to another one was not seen, on whatever stream: what
 * that could explain is withheld from now on. Of both ids nid and pid count; a pid of 0 is not known. `stream` is the
 * number of the stream that lacks it, behind all that was seen of it and acknowledged on it so far, and so explains
 * nothing of that; or 0. wire_portals_check_seen takes one such back. Where not even the nodes are known, `partial` is
 * set. */
void wire_portals_check_missed(struct wire_portals_check *check, const struct wire_portals_id *from,
                               const struct wire_portals_id *to, uint64_t stream);
void wire_portals_check_seen(struct wire_portals_check *check, const struct wire_portals_id *from,
                             const struct wire_portals_id *to);

/* wire_portals_check_lacks - whether something is known not to have been seen, so far, that could explain the
 * violation that was just found.
 * wire_portals_check_withheld - the same of one that was found before, or something may have been missed without a
 * trace: a violation that is never proven is not to be told. */
bool wire_portals_check_lacks(struct wire_portals_check *check, const struct wire_portals_finding *finding);
bool wire_portals_check_withheld(struct wire_portals_check *check, const struct wire_portals_finding *finding);

/* wire_portals_check_unanswered - requests that asked for an answer and have none so far. No violation. */
uint64_t wire_portals_check_unanswered(const struct wire_portals_check *check);

/* wire_portals_check_waiting - the oldest of them when `before` is NULL, else the one after `before`; NULL: there is
 * none. Good until the next message. */
const struct wire_portals_check_request *wire_portals_check_waiting(const struct wire_portals_check *check,
                                                                    const struct wire_portals_check_request *before);

#endif
