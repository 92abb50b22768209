/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The buffer for buffered sends: chapter 3.6 of MPI. bsend.c keeps it.
 */
#include <limits.h>
#include <string.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/messages/bsend.h"
#include "ref-impl/mpi/messages/engine.h"

API int MPI_Buffer_attach(void *buffer, int size)
{
    struct mpi_call call = call_without("MPI_Buffer_attach");
    bool attached;

    if (size < 0) {
        call_fail(&call, MPI_ERR_ARG, "size is %d, less than 0", size);
    } else if (!buffer) {
        call_fail(&call, MPI_ERR_BUFFER, "buffer is NULL");
    } else {
        call_octets(&call, buffer, (size_t)size, ADDRESS_WRITE);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    engine_lock();
    attached = bsend_attach(buffer, (size_t)size);
    engine_unlock();
    if (!attached) {
        call_fail(&call, MPI_ERR_BUFFER, "a buffer is attached already");
    }
    return call_end(&call);
}

/* `buffer` is the address of a pointer, of whatever type. Waits until all that is in the buffer has left it. */
API int MPI_Buffer_detach(void *buffer, int *size)
{
    struct mpi_call call = call_without("MPI_Buffer_detach");
    void *address;
    size_t octets;
    bool detached;

    call_output(&call, buffer, "buffer");
    call_output(&call, size, "size");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    engine_lock();
    engine_advance();
    while (!bsend_is_empty()) {
        engine_wait(ENGINE_COMPLETION);
    }
    detached = bsend_detach(&address, &octets);
    engine_unlock();
    if (!detached) {
        call_fail(&call, MPI_ERR_BUFFER, "no buffer is attached");
        return call_end(&call);
    }
    memcpy(buffer, &address, sizeof(address));
    *size = (int)octets;
    return MPI_SUCCESS;
}
