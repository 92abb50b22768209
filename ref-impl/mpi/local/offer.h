/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The numbers of long messages, under which they lie at their sender until they are got: see offer.c. Engine's lock
 * held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_OFFER_H
#define REF_IMPL_MPI_LOCAL_OFFER_H

#include <portals.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/local/state.h"
#include "ref-impl/short_path.h"

struct request;

/* local_offers_open - makes the numbers, and the lists in which far ones lie; false without memory.
 * local_offers_close - frees them. */
bool local_offers_open(void);
void local_offers_close(void);

/* local_offer_take - finds a number for a long message to that process, of which `*number` is told; false, and nothing
 * is done, when the message must wait.
 * local_offer_give_back - nobody will ask for that number.
 * local_offer_find - the long message to that process that has the number, or NULL. */
ASIDE bool local_offer_take(struct request *request, int rid, uint32_t *number);
void local_offer_give_back(int rid, uint32_t number);
struct request *local_offer_find(int rid, uint32_t number);

/* local_offer_is_far - whether it is a number beyond those of which each process has its share. */
static inline bool local_offer_is_far(uint32_t number)
{
    return number >= LOCAL_FAR_FIRST;
}

/* local_offer_portal - the portal where the message of that number lies. */
static inline ptl_pt_index_t local_offer_portal(uint32_t number)
{
    return local_offer_is_far(number) ? LOCAL_FETCH_FAR + (ptl_pt_index_t)((number - LOCAL_FAR_FIRST) / LOCAL_FAR_EACH)
                                      : (ptl_pt_index_t)LOCAL_FETCH;
}

/* local_offer_end - before which entry of the match list it lies. */
ptl_handle_me_t local_offer_end(uint32_t number);

/* local_offer_acknowledged - a posted receive has taken a message to that process.
 * local_offer_ask - asks that process to note what has arrived, if much may not be noted, or if there are no credits
 * for this message.
 * local_offer_noted - it has noted so many offers, and says so because it was asked. */
void local_offer_acknowledged(int rid);
ASIDE void local_offer_ask(const struct request *request, int rid);
void local_offer_noted(int rid, uint32_t count);

/* local_offer_arrived - an offer of that process has been noted; its number.
 * local_offer_upper - its next ones have this above the bits that stand in their match bits.
 * local_offer_answer - tells it how much has been noted. */
ASIDE uint32_t local_offer_arrived(int rid, ptl_match_bits_t bits);
ASIDE void local_offer_upper(int rid, uint32_t upper);
void local_offer_answer(int rid);

#endif
