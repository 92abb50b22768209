/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Short messages of the standard mode that cannot leave, since their receiver has not read those before them: they are
 * copied, and the program goes on, as 3.4 of MPI leaves to the library. The copies for each receiver are bounded, and
 * those for all together.
 *
 *      request of the program     is done at once, and may still be cancelled
 *           |   ^
 *      twin v   | twin
 *      copy                       goes the way of any other send, by the helper thread (local/cancel.c) when there are
 *                                 credits, whether the program is in MPI or not
 *
 * Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_COPY_H
#define REF_IMPL_MPI_LOCAL_COPY_H

#include "ref-impl/short_path.h"

struct request;

/* local_copy_make - a copy of a short send, which is to be sent in its place; the send is done. NULL: it is of another
 * mode, or there is no room. The program's thread. */
ASIDE struct request *local_copy_make(struct request *request);

/* local_copy_left - a copy goes the short way: it may be cancelled from now on as if the request itself had gone it.
 * local_copy_done - a copy is done, and so is the request if it was active again.
 * local_copy_release - the program has retired a request, of which there may be a copy. */
ASIDE void local_copy_left(struct request *copy);
ASIDE void local_copy_done(struct request *copy);
void local_copy_release(struct request *request);

#endif
