/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who sends to whom in a collective operation of IMPI (chapter 4 of the document), among masters by their numbers from
 * 0: as arithmetic, for whoever watches. Masters are shifted so that the one of the root's client has the place 0.
 *
 *     linear                everybody with place 0
 *     tree, Barrier, Bcast  v with v without its highest bit:   0 - 1,2,4   1 - 3,5   2 - 6 ..
 *     tree, Reduce          v with v without its lowest bit:    0 - 1,2,4   2 - 3     4 - 5,6 ..
 */
#ifndef WIRE_IMPI_PATTERN_H
#define WIRE_IMPI_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* The two forms; a set of them is a mask of bits. */
enum wire_impi_form { WIRE_IMPI_LINEAR, WIRE_IMPI_TREE, WIRE_IMPI_FORMS };

/* The operations whose pattern is known. */
enum wire_impi_pattern { WIRE_IMPI_BARRIER, WIRE_IMPI_BCAST, WIRE_IMPI_REDUCE };

/* wire_impi_pattern_forms - the forms that so many masters may take, as a mask; `limit` is IMPI_C_COLL_MAXLINEAR in
 * force, below 0 where it is not known. */
uint32_t wire_impi_pattern_forms(uint32_t masters, int64_t limit);

/* wire_impi_pattern_parent - the place that is nearer to the root by one step; 0 for place 0. */
uint32_t wire_impi_pattern_parent(enum wire_impi_pattern pattern, enum wire_impi_form form, uint32_t place);

/* wire_impi_pattern_roots - the masters, as a mask, that can have the root at their client where master `from` sends to
 * master `to`. Of a Barrier, which has no root: bit 0 when any Barrier of that form has the message, in either half.
 * Masters are below 32. */
uint32_t wire_impi_pattern_roots(enum wire_impi_pattern pattern, enum wire_impi_form form, uint32_t masters,
                                 uint32_t from, uint32_t to);

#endif
