/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the parts of an examination (tester/capture/examine.h) tell each other. Nobody else includes this.
 */
#ifndef TESTER_CAPTURE_EXAMINE_OWN_H
#define TESTER_CAPTURE_EXAMINE_OWN_H

#include "tester/capture/examine.h"
#include "tester/capture/reassembly.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* examine_remark adds a remark; `packet` is 0 when it is of the whole capture. examine_violation adds a violation,
 * examine_note a note. */
__attribute__((format(printf, 3, 4))) void examine_remark(struct examine *examine, uint64_t packet, const char *format,
                                                          ...);
void examine_violation(struct examine *examine, const struct examine_violation *violation);
void examine_note(struct examine *examine, const struct examine_violation *note);

/* The IMPI jobs in a capture. */
struct examine_impi;

/* examine_impi_open begins; examine_impi_finish settles what only the whole capture can tell; examine_impi_close frees.
 */
struct examine_impi *examine_impi_open(struct examine *examine);
void examine_impi_finish(struct examine_impi *impi);
void examine_impi_close(struct examine_impi *impi);

/* What is known about one connection. */
struct impi_talk;

/* examine_impi_meet begins with a connection whose beginning was captured; examine_impi_part frees it. */
struct impi_talk *examine_impi_meet(struct examine_impi *impi, const struct reassembly_connection *connection);
void examine_impi_part(struct impi_talk *talk);

/* examine_impi_octets takes octets of a side, examine_impi_lost tells that some are missing, examine_impi_ended that a
 * side has finished. True while the connection is one of IMPI; until that is known, and when it is none, false. */
bool examine_impi_octets(struct impi_talk *talk, unsigned side, const unsigned char *octets, size_t len,
                         const struct capture_packet *packet);
bool examine_impi_lost(struct impi_talk *talk);
bool examine_impi_ended(struct impi_talk *talk, unsigned side, bool reset, const struct capture_packet *packet);

#endif
