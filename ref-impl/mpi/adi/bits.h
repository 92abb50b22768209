/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match bits of MPI on Puma; wire/portals/match_bits.c has the same layout as data.
 *
 *       63                   32 31          16 15       3   2     1     0
 *      +-----------------------+--------------+----------+-----+-----+----+
 *      |          tag          | sender's rank| context  |ready|reply|long|
 *      +-----------------------+--------------+----------+-----+-----+----+
 */
#ifndef REF_IMPL_MPI_ADI_BITS_H
#define REF_IMPL_MPI_ADI_BITS_H

#include <portals.h>
#include <stdbool.h>

#include "ref-impl/mpi/messages/request.h"

enum { ADI_CONTEXTS = 1 << 13, ADI_CHAINS = 1024 };

#define ADI_LONG  ((ptl_match_bits_t)1)
#define ADI_REPLY ((ptl_match_bits_t)2)
#define ADI_READY ((ptl_match_bits_t)4)
#define ADI_TYPE  (ADI_LONG | ADI_REPLY | ADI_READY)

/* What a receive takes. */
struct adi_want {
    ptl_match_bits_t bits, ignored;
    int rid; /* or LOCAL_EACH */
};

/* adi_bits - those of a message, short and not ready.
 * adi_want - what a receive, or a probe takes; `rank` is the sender's in its group, or -1: the process says enough.
 * adi_want_fits - whether it takes a message.
 * adi_want_chain - where all messages are that it takes, if it names sender and tag: the same as adi_bits_chain says of
 * their bits, below ADI_CHAINS; else -1.
 * adi_outcome - what a receive tells of a message. */
ptl_match_bits_t adi_bits(const struct request *request);
struct adi_want adi_want(const struct request_match *match, int rank);
bool adi_want_fits(const struct adi_want *want, ptl_match_bits_t bits, int rid);
int adi_want_chain(const struct adi_want *want);
int adi_bits_chain(ptl_match_bits_t bits, int rid);
struct request_outcome adi_outcome(ptl_match_bits_t bits, int rid, size_t length);

#endif
