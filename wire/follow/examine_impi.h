/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI jobs in a capture: a part of its examination (wire/follow/examine.h).
 */
#ifndef WIRE_FOLLOW_EXAMINE_IMPI_H
#define WIRE_FOLLOW_EXAMINE_IMPI_H

#include "wire/follow/examination.h"

#include <stdbool.h>
#include <stddef.h>

/* The IMPI jobs in a capture. */
struct wire_examine_impi;

/* wire_examine_impi_open begins; wire_examine_impi_close frees. */
struct wire_examine_impi *wire_examine_impi_open(struct wire_examine *examine);
void wire_examine_impi_close(struct wire_examine_impi *impi);

/* wire_examine_impi_job - the job of that place, from 0, and where its server is; NULL: there are not so many. */
const struct wire_impi_job *wire_examine_impi_job(const struct wire_examine_impi *impi, size_t place,
                                                  struct wire_end *server);

/* wire_examine_impi_collectives - what is known of that job's collective operations. */
const struct wire_impi_collectives *wire_examine_impi_collectives(const struct wire_examine_impi *impi, size_t place);

/* wire_examine_impi_is_alike - whether another job at the same time announces a host of this one, so that channels may
 * be either's; `job` may be NULL. */
bool wire_examine_impi_is_alike(const struct wire_examine_impi *impi, const struct wire_impi_job *job);

/* wire_examine_impi_waiting - tells what messages between hosts still wait for, on channels of which nothing is
 * missing. */
void wire_examine_impi_waiting(const struct wire_examine_impi *impi);

/* What is known about one connection. */
struct impi_conversation;

/* wire_examine_impi_meet begins with a connection; wire_examine_impi_part frees it. wire_examine_impi_replaced: its
 * ends have opened another one. */
struct impi_conversation *wire_examine_impi_meet(struct wire_examine_impi *impi,
                                                 const struct wire_reassembly_connection *connection);
void wire_examine_impi_replaced(struct impi_conversation *conversation);
void wire_examine_impi_part(struct impi_conversation *conversation);

/* wire_examine_impi_is_link - whether it is one to a server, of which nothing is judged behind a gap. */
bool wire_examine_impi_is_link(const struct impi_conversation *conversation);

/* wire_examine_impi_octets takes octets of a side, wire_examine_impi_ended tells that it has finished. True while the
 * connection is one of IMPI; until that is known, and when it is none, false. */
bool wire_examine_impi_octets(struct impi_conversation *conversation, unsigned side, const unsigned char *octets,
                              size_t len, const struct wire_packet *packet);
bool wire_examine_impi_ended(struct impi_conversation *conversation, unsigned side, bool reset,
                             const struct wire_packet *packet);

/* wire_examine_impi_gap tells that octets of a side are missing; whether a message of IMPI may be among them. */
bool wire_examine_impi_gap(struct impi_conversation *conversation, unsigned side, uint32_t octets,
                           const struct wire_packet *packet);

/* wire_examine_impi_doubted tells that octets are missing so far, or are so no more; whether that is news. */
bool wire_examine_impi_doubted(struct impi_conversation *conversation, unsigned side, bool raised);

#endif
