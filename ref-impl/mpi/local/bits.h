/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match bits of the local device, which state.h draws, and ranks as it names them.
 */
#ifndef REF_IMPL_MPI_LOCAL_BITS_H
#define REF_IMPL_MPI_LOCAL_BITS_H

#include <portals.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/messages/device_parts.h"

struct request;
struct request_match;

/* So many bits tell the contexts of messages from each other in this device, and so many its long messages. */
enum { LOCAL_SLOT_BITS = 18, LOCAL_NUMBER_BITS = 13 };

/* local_bits - match bits of a short message.
 * local_bits_message - those of this one, with the form that its octets have.
 * local_want - what a receive takes.
 * local_want_is_exact - whether it names sender and tag.
 * local_want_fits - whether it takes a message with these bits, from that process. */
ptl_match_bits_t local_bits(uint32_t slot, int tag);
ptl_match_bits_t local_bits_message(const struct request *request);
struct local_want local_want(const struct request_match *match);
bool local_want_is_exact(const struct local_want *want);
bool local_want_fits(const struct local_want *want, ptl_match_bits_t bits, int rid);

/* local_rid - the rank in the client of a process of the world.
 * local_rank - the other way round. */
int local_rid(int rank);
int local_rank(int rid);

/* local_bits_offer - bits of a short message made into those of a long one.
 * local_bits_sequence - bits of a short message with what its sequence leaves of it.
 * local_bits_key - what is left of bits when all is gone that receives ignore.
 * local_bits_hash - a number of 32 bits that depends on that and on the sender.
 * local_bits_long, local_bits_external, local_bits_number, local_bits_tag - what stands in them: of the number of a
 * long message as much as there is room for. */
ptl_match_bits_t local_bits_offer(ptl_match_bits_t bits, uint32_t number);
ptl_match_bits_t local_bits_sequence(ptl_match_bits_t bits, uint32_t sequence);
ptl_match_bits_t local_bits_key(ptl_match_bits_t bits);
uint32_t local_bits_hash(ptl_match_bits_t bits, int rid);
bool local_bits_long(ptl_match_bits_t bits);
bool local_bits_external(ptl_match_bits_t bits);
uint16_t local_bits_number(ptl_match_bits_t bits);
int local_bits_tag(ptl_match_bits_t bits);

#endif
