/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the parts of the checker of IMPI start-up (wire/impi/check_job.h) tell each other. Nobody else includes this.
 */
#ifndef WIRE_IMPI_CHECK_OWN_H
#define WIRE_IMPI_CHECK_OWN_H

#include "wire/impi/check_job_state.h"
#include "wire/impi/labels.h"

/* wire_impi_given_begin - a client begins to give values; the label's order has been judged.
 * wire_impi_given_octets - takes some of their octets.
 * wire_impi_given_end - judges them when they are whole. */
void wire_impi_given_begin(struct wire_impi_link *link, int32_t label);
void wire_impi_given_octets(struct wire_impi_link *link, const unsigned char *octets, size_t len);
void wire_impi_given_end(struct wire_impi_link *link);

/* wire_impi_spread_begin, wire_impi_spread_octets, wire_impi_spread_end - the same for the server, which spreads what
 * all clients of `mask` gave. */
void wire_impi_spread_begin(struct wire_impi_link *link, int32_t label, uint32_t mask, uint32_t octets);
void wire_impi_spread_octets(struct wire_impi_link *link, const unsigned char *octets, size_t len);
void wire_impi_spread_end(struct wire_impi_link *link);

/* wire_impi_value_judge - judges a number by the range that its label allows; `ackmark` is that of the same host for a
 * hiwater, or 0.
 * wire_impi_value_form - what is wrong when there are not as many values as there should be. */
void wire_impi_value_judge(struct wire_impi_findings *findings, int32_t label, uint64_t value, int64_t ackmark);
enum wire_impi_violation wire_impi_value_form(const struct wire_impi_label *label);

/* wire_impi_job_label - the place of what was given under a label, made when it is not there yet; NULL: no room. */
struct wire_impi_job_label *wire_impi_job_label(struct wire_impi_job *job, int32_t label);

/* wire_impi_index_make - lets processes be found by their ids, when all of them are known. */
void wire_impi_index_make(struct wire_impi_job *job);

/* wire_impi_link_client - the client at this connection, or NULL when its rank is not known or is another's. */
struct wire_impi_job_client *wire_impi_link_client(const struct wire_impi_link *link);

/* wire_impi_rank_place - the place of the link's rank, whoever has it; NULL when there is none. */
struct wire_impi_job_client *wire_impi_rank_place(const struct wire_impi_link *link);

/* wire_impi_rank_is_taken - whether another client has the link's rank, and has not left.
 * wire_impi_rank_take - the link's client says the rank.
 * wire_impi_rank_settle - the server accepts it, by telling the size.
 * wire_impi_rank_leave - the connection ends. */
bool wire_impi_rank_is_taken(const struct wire_impi_link *link);
void wire_impi_rank_take(struct wire_impi_link *link);
void wire_impi_rank_settle(struct wire_impi_link *link);
void wire_impi_rank_leave(struct wire_impi_link *link);

/* wire_impi_label_place - the place of a label in wire_impi_labels, or -1. */
int wire_impi_label_place(int32_t label);

/* wire_impi_values_element - takes octets from the front of *octets until an element of `width` is whole in
 * values->kept; false when they do not suffice. */
bool wire_impi_values_element(struct wire_impi_values *values, size_t width, const unsigned char **octets, size_t *len);

/* wire_impi_digest - goes on with a digest of octets, which begins with WIRE_IMPI_DIGEST. */
#define WIRE_IMPI_DIGEST UINT64_C(0xcbf29ce484222325)
uint64_t wire_impi_digest(uint64_t digest, const unsigned char *octets, size_t len);

#endif
