/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI jobs in a capture: a part of its examination (examine.h).
 */
#ifndef TESTER_CAPTURE_EXAMINE_IMPI_H
#define TESTER_CAPTURE_EXAMINE_IMPI_H

#include "tester/capture/findings.h"
#include "tester/capture/reassembly.h"

#include <stdbool.h>
#include <stddef.h>

/* The IMPI jobs in a capture. */
struct examine_impi;

/* examine_impi_open begins; examine_impi_finish settles what only the whole capture can tell; examine_impi_close frees.
 */
struct examine_impi *examine_impi_open(struct examine *examine);
void examine_impi_finish(struct examine_impi *impi);
void examine_impi_close(struct examine_impi *impi);

/* What is known about one connection. */
struct impi_conversation;

/* examine_impi_meet begins with a connection whose beginning was captured; examine_impi_part frees it. */
struct impi_conversation *examine_impi_meet(struct examine_impi *impi, const struct reassembly_connection *connection);
void examine_impi_part(struct impi_conversation *conversation);

/* examine_impi_octets takes octets of a side, examine_impi_lost tells that some are missing, examine_impi_ended that a
 * side has finished. True while the connection is one of IMPI; until that is known, and when it is none, false. */
bool examine_impi_octets(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len,
                         const struct capture_packet *packet);
bool examine_impi_lost(struct impi_conversation *conversation);
bool examine_impi_ended(struct impi_conversation *conversation, unsigned side, bool reset,
                        const struct capture_packet *packet);

#endif
