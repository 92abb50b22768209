/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checks of arguments that MPI functions have in common. A call is begun with its communicator, or without; each
 * check fails the call once, and a failed call stays failed and looks at nothing more, so a function makes all its
 * checks and asks once:
 *
 *     struct mpi_call call = call_on("MPI_Send", comm);
 *     struct mpi_type *type = call_type(&call, datatype);
 *
 *     call_count(&call, count, "count");
 *     if (call.code != MPI_SUCCESS) {
 *         return call_end(&call);
 *     }
 */
#ifndef REF_IMPL_MPI_API_CALL_H
#define REF_IMPL_MPI_API_CALL_H

#include <stdbool.h>

#include "ref-impl/address.h"
#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/types/type.h"

/* API marks what libassay-mpi shows to the outside. */
#define API __attribute__((visibility("default")))

/* RENAMED declares the name that MPI-2 gave to a function of MPI-1 whose parameters stayed; it stands behind that
 * function. Errors are told under the first name. */
#define RENAMED(renamed, first) API __typeof__(first) renamed __attribute__((alias(#first)))

struct mpi_file;
struct mpi_win;

struct mpi_call {
    const char *function;
    struct mpi_comm *comm; /* NULL: none, or not a right one */
    struct mpi_win *win;   /* a window that hears of errors in its place, or NULL */
    struct mpi_file *file; /* the same of a file */
    MPI_Request *request;  /* of a nonblocking operation, to be stored; NULL: the call blocks */
    int code;              /* MPI_SUCCESS while all is well; else the thread keeps a sentence about what is wrong */
};

/* call_on - begins a call on a communicator, which must be one.
 * call_later - begins one that only begins an operation, whose request it stores.
 * call_on_window - begins one on a window, of which the communicator is that of its processes.
 * call_on_file - begins one on a file, of which the communicator is that of its processes.
 * call_without - begins one on none. All fail outside MPI_Init and MPI_Finalize. */
struct mpi_call call_on(const char *function, MPI_Comm comm);
struct mpi_call call_later(const char *function, MPI_Comm comm, MPI_Request *request);
struct mpi_call call_on_window(const char *function, MPI_Win handle);
struct mpi_call call_on_file(const char *function, MPI_File handle);
struct mpi_call call_without(const char *function);

/* call_fail - fails the call with an error class and a sentence, unless it has failed before. */
__attribute__((format(printf, 3, 4))) void call_fail(struct mpi_call *call, int code, const char *format, ...);

/* call_end - what the function returns: MPI_SUCCESS, or what the error handler of the communicator makes of the error.
 */
int call_end(struct mpi_call *call);

/* call_end_with - the same for a call whose arguments were good, with the error class of what it then did. */
int call_end_with(struct mpi_call *call, int code);

/* call_type - the type of a handle, which messages may have: committed. NULL once the call has failed. */
struct mpi_type *call_type(struct mpi_call *call, MPI_Datatype datatype);

/* call_any_type - the type of a handle, committed or not. NULL once the call has failed. */
struct mpi_type *call_any_type(struct mpi_call *call, MPI_Datatype datatype);

/* call_intra, call_inter - the communicator must be of this kind. */
void call_intra(struct mpi_call *call);
void call_inter(struct mpi_call *call);

/* call_count - a number that must not be negative.
 * call_output - a pointer that must not be NULL. */
void call_count(struct mpi_call *call, int count, const char *name);
void call_output(struct mpi_call *call, const void *output, const char *name);

/* call_buffer - a buffer with `count` elements of a type, which may be NULL (MPI_BOTTOM) only where a type has
 * addresses of its own, or where there are no octets; and memory must be there.
 * call_octets - the same for `len` octets.
 * call_octets_fail - fails the call because they cannot be used. */
void call_buffer(struct mpi_call *call, const void *buffer, int count, const struct mpi_type *type,
                 enum address_use use);
void call_octets_fail(struct mpi_call *call, const void *octets, size_t len, enum address_use use);
static inline void call_octets(struct mpi_call *call, const void *octets, size_t len, enum address_use use)
{
    if (call->code == MPI_SUCCESS && len > 0 && !address_is_good(octets, len, use)) {
        call_octets_fail(call, octets, len, use);
    }
}

/* call_root - a rank of the communicator's group; of an intercommunicator one of the other group, MPI_ROOT or
 * MPI_PROC_NULL. */
void call_root(struct mpi_call *call, int root);

/* call_group - the group of a handle.
 * call_op - the operation of a handle, with a meaning for the type, which may be NULL when the call has failed. NULL
 * once the call has failed. */
struct mpi_group *call_group(struct mpi_call *call, MPI_Group group);
struct mpi_op *call_op(struct mpi_call *call, MPI_Op op, const struct mpi_type *type);

/* call_info - hints, or MPI_INFO_NULL. */
void call_info(struct mpi_call *call, MPI_Info info);

/* call_name - the last step of making a communicator, which becomes its handle's: stores the handle, or fails the call
 * for want of memory; `comm` may be NULL for that reason. */
void call_name(struct mpi_call *call, struct mpi_comm *comm, MPI_Comm *handle);

#endif
