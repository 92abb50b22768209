/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of IMPI start-up (wire/impi/check.h): follows every connection between a client and the server of one
 * job, both directions of each, names the rule that a message breaks, and learns the job: who takes part, and what was
 * negotiated.
 *
 *     wire_impi_job_begin(&job, &tables);
 *     wire_impi_link_begin(&link, &job);                       // for each connection to the server
 *     ... wire_impi_startup_next gives a piece: ...
 *     count = wire_impi_link_piece(&link, WIRE_IMPI_FROM_CLIENT, &piece, packet);
 *     for (unsigned i = 0; i < count; i++) ... link.findings.at[i] ...
 *
 * Feed pieces in the order in which they were seen, over all connections. A connection that nobody saw is no matter:
 * clients are judged by what they were seen to say. Rules that need all connections are marked in their rule, and are
 * proven only when wire_impi_job_seen_all is true.
 */
#ifndef WIRE_IMPI_CHECK_JOB_H
#define WIRE_IMPI_CHECK_JOB_H

#include "wire/impi/check_job_state.h"

/* wire_impi_job_begin - a job of which nothing is known. */
void wire_impi_job_begin(struct wire_impi_job *job, const struct wire_impi_job_tables *tables);

/* wire_impi_link_begin - a connection of which nothing has been seen, to the server of `job`. */
void wire_impi_link_begin(struct wire_impi_link *link, struct wire_impi_job *job);

/* wire_impi_link_piece - judges a piece of a message that wire_impi_startup_next has cut. When it is the server's
 * CHOICE, the caller tells the client's stream (wire_impi_startup_method). Returns the number of violations, all about
 * the sender; notes stand in link->notes. `mark` is the caller's number for it, not 0. */
unsigned wire_impi_link_piece(struct wire_impi_link *link, enum wire_impi_direction direction,
                              const struct wire_impi_startup_piece *piece, uint64_t mark);

/* wire_impi_link_broken - the direction cannot be cut any further: a negative length. */
unsigned wire_impi_link_broken(struct wire_impi_link *link, enum wire_impi_direction direction);

/* wire_impi_link_end - the sender has finished its direction, inside a message or between two. */
unsigned wire_impi_link_end(struct wire_impi_link *link, enum wire_impi_direction direction, bool inside);

/* wire_impi_link_missed - octets of this connection were not seen: nothing more of it is judged, and nothing that other
 * connections hold against what its client has given. */
void wire_impi_link_missed(struct wire_impi_link *link);

/* wire_impi_link_is_chosen - whether the server has told how to authenticate, and the client has joined: from then on
 * each direction can be cut without the other one. */
bool wire_impi_link_is_chosen(const struct wire_impi_link *link);

/* wire_impi_job_seen_all - whether a connection of every client was seen. */
bool wire_impi_job_seen_all(const struct wire_impi_job *job);

/* wire_impi_job_rests_on_others - whether the violation is told by what was seen on another connection of the job.
 * wire_impi_job_rests_on_order - whether it is told by which of two packets that do not answer each other, on several
 * connections or on both directions of one, was sent first.
 * wire_impi_job_withholds - whether by what is known now something that was not seen could explain the violation; `job`
 * may be NULL. */
bool wire_impi_job_rests_on_others(enum wire_impi_violation violation);
bool wire_impi_job_rests_on_order(enum wire_impi_violation violation);
bool wire_impi_job_withholds(const struct wire_impi_job *job, enum wire_impi_violation violation);

/* wire_impi_job_explains - whether what the finding lacked of other connections came close behind it, whose mark is
 * `at`: a capture may have them in a wrong order. `job` may be NULL. */
bool wire_impi_job_explains(const struct wire_impi_job *job, const struct wire_impi_finding *finding, uint64_t at);

/* wire_impi_job_process_of - the world rank of a process, or -1; host identifiers are compared by
 * wire_impi_host_same. */
int64_t wire_impi_job_process_of(const struct wire_impi_job *job, const struct wire_impi_process *id);

/* wire_impi_job_host_at - the index of the host that listens at this port, at this address unless that is NULL; -1 when
 * there is none, or more than one. */
int64_t wire_impi_job_host_at(const struct wire_impi_job *job, const unsigned char *address, uint32_t port);

#endif
