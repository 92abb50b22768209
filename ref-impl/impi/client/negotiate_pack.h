/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The labels of a job as octets, for host agents on other machines: from the same labels they draw the same
 * conclusions as impirun.
 */
#ifndef REF_IMPL_IMPI_CLIENT_NEGOTIATE_PACK_H
#define REF_IMPL_IMPI_CLIENT_NEGOTIATE_PACK_H

#include "ref-impl/impi/client/negotiate.h"

#include <stdbool.h>
#include <stddef.h>

/* negotiate_pack - puts all that has been broadcast at the end of the queue: for each label its code, the mask and how
 * many octets follow, four octets each, and those octets. False: no memory.
 * negotiate_unpack - the reverse; *negotiation is empty before. False: the octets are no such row, or no memory. */
bool negotiate_pack(const struct negotiation *negotiation, struct queue *queue);
bool negotiate_unpack(const void *octets, size_t len, struct negotiation *negotiation);

#endif
