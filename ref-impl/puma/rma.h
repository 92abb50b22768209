/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication as MPI's draft of 1996 had it and the paper on MPI for Puma made it: chapter 4. A window is
 * exposed in two portals, one for puts, one for gets; nothing at the target is called. What became of the draft, MPI-2,
 * is in ../mpi/windows.
 *
 *      puts:   [ window: context, tag ] --> [ window ] --> [ end ]     sender-managed single block, writable
 *      gets:   [ window: context, tag ] --> [ window ] --> [ end ]     sender-managed single block, readable
 *
 * One thread at a time calls.
 */
#ifndef REF_IMPL_PUMA_RMA_H
#define REF_IMPL_PUMA_RMA_H

#include <portals.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/puma/puma.h"

/* The lists of the two portals, which all windows of a process share. */
struct puma_rma {
    struct puma_list *puts, *gets;
};

/* A window of this process, and what it knows of those of others. `sizes` is by rank. */
struct puma_window {
    struct puma_rma *rma;
    uint32_t context;
    unsigned ranks;
    const size_t *sizes;
    struct puma_descriptor *put, *get;
};

/* A part of a window of a rank: octets from an offset on. */
struct puma_part {
    ptl_process_id_t process;
    unsigned rank;
    size_t offset;
};

/* puma_rma_start - takes two portals; false: they are not to be had. puma_rma_end gives them back. */
bool puma_rma_start(struct puma_rma *rma, ptl_handle_ni_t interface, ptl_pt_index_t puts, ptl_pt_index_t gets);
void puma_rma_end(struct puma_rma *rma);

/* puma_rma_init - exposes memory under a context that no other window here has; `sizes` says how large the windows of
 * all ranks are, and stays. Others may access it when all have called this. False: a limit is reached.
 * puma_rma_free - ends it. */
bool puma_rma_init(struct puma_window *window, struct puma_rma *rma, uint32_t context, struct puma_buffer memory,
                   const size_t *sizes, unsigned ranks);
void puma_rma_free(struct puma_window *window);

/* puma_rma_malloc - memory for a window: any will do. */
void *puma_rma_malloc(size_t len);

/* puma_put - writes to a part of a window; done, here, when it has left. Puts of one process to another one arrive in
 * order.
 * puma_get - reads from it; done when it is here. Both block, and are false where the part leaves the window. */
bool puma_put(const struct puma_window *window, struct puma_buffer from, const struct puma_part *part);
bool puma_get(const struct puma_window *window, struct puma_buffer into, const struct puma_part *part);

/* puma_iput - as puma_put, with a request that is done at once: it costs more, and saves nothing.
 * puma_iget - begins what puma_get does.
 * puma_wait - blocks until a request is done and frees it; puma_test looks, and frees it when it is. */
bool puma_iput(const struct puma_window *window, struct puma_buffer from, const struct puma_part *part,
               struct puma_sending *request);
bool puma_iget(const struct puma_window *window, struct puma_buffer into, const struct puma_part *part,
               struct puma_sending *request);
void puma_wait(struct puma_sending *request);
bool puma_test(struct puma_sending *request);

#endif
