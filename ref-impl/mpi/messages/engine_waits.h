/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What there is to wait for, in the engine and in the devices.
 */
#ifndef REF_IMPL_MPI_MESSAGES_ENGINE_WAITS_H
#define REF_IMPL_MPI_MESSAGES_ENGINE_WAITS_H

/* What a thread in MPI waits for. */
enum engine_wait {
    ENGINE_NOTHING,    /* it does not */
    ENGINE_COMPLETION, /* a request gets done */
    ENGINE_ARRIVAL,    /* a message comes that nobody has asked for */
    ENGINE_EITHER,     /* the one or the other */
};

#endif
