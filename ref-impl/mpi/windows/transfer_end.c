/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a call of one-sided communication: see windows/transfer_end.h.
 */
#include "ref-impl/mpi/windows/transfer_end.h"

#include <stdlib.h>

#include "ref-impl/mpi/types/type.h"
#include "ref-impl/mpi/windows/request.h"

void transfer_part_begun(struct window_transfer *transfer)
{
    if (transfer) {
        transfer->parts++;
    }
}

void transfer_part_done(struct window_transfer *transfer)
{
    if (!transfer || --transfer->parts > 0) {
        return;
    }
    if (transfer->buffer) {
        (void)type_unpack(transfer->type, (size_t)transfer->count, TYPE_NATIVE, transfer->octets, transfer->len,
                          transfer->buffer);
    }
    windows_request_done(transfer->request);
    type_release(transfer->type);
    free(transfer->staging);
    free(transfer);
}
