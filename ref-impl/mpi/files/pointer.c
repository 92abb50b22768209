/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A pointer that processes share: see files/pointer.h.
 */
#include "ref-impl/mpi/files/pointer.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "ref-impl/mpi/collectives/coll.h"

/* Opens the file of the pointer, and makes it if need be, unless that was done before. An error class. */
static int open_pointer(struct file_pointer *pointer)
{
    if (pointer->descriptor < 0) {
        pointer->descriptor = open(pointer->name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    return pointer->descriptor < 0 ? file_error(errno) : MPI_SUCCESS;
}

static int lock(const struct file_pointer *pointer, short kind)
{
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};

    while (fcntl(pointer->descriptor, F_OFD_SETLKW, &whole) != 0) {
        if (errno != EINTR) {
            return file_error(errno);
        }
    }
    return MPI_SUCCESS;
}

/* Its value; nothing stands there before it is moved for the first time. An error class. */
static int load(const struct file_pointer *pointer, MPI_Offset *value)
{
    ssize_t octets = pread(pointer->descriptor, value, sizeof(*value), 0);

    if (octets == 0) {
        *value = pointer->first;
    }
    return octets == 0 || octets == (ssize_t)sizeof(*value) ? MPI_SUCCESS : MPI_ERR_IO;
}

static int store(const struct file_pointer *pointer, MPI_Offset value)
{
    ssize_t octets = pwrite(pointer->descriptor, &value, sizeof(value), 0);

    return octets == (ssize_t)sizeof(value) ? MPI_SUCCESS : octets < 0 ? file_error(errno) : MPI_ERR_NO_SPACE;
}

int pointer_add(struct mpi_file *file, MPI_Offset elements, MPI_Offset *before)
{
    struct file_pointer *pointer = &file->pointer;
    MPI_Offset behind;
    int code = open_pointer(pointer);

    if (code == MPI_SUCCESS) {
        code = lock(pointer, F_WRLCK);
    }
    if (code != MPI_SUCCESS) {
        return code;
    }
    code = load(pointer, before);
    if (code == MPI_SUCCESS && __builtin_add_overflow(*before, elements, &behind)) {
        code = MPI_ERR_ARG;
    } else if (code == MPI_SUCCESS) {
        code = store(pointer, behind);
    }
    (void)lock(pointer, F_UNLCK);
    return code;
}

int pointer_add_in_order(struct mpi_file *file, MPI_Offset elements, MPI_Offset *before)
{
    struct mpi_type *type = type_find(MPI_LONG_LONG_INT);
    int last = file->comm->local->count - 1, code;
    long long own = elements, upto = 0, said[2] = {MPI_SUCCESS, 0}; /* of the last: its error, and where all begin */

    code = coll_scan(file->comm, &(struct coll_reduction){&own, &upto, 1, type, op_find(MPI_SUM)});
    if (code != MPI_SUCCESS) {
        return code;
    }
    if (file->comm->rank == last) {
        said[0] = pointer_add(file, upto, &said[1]);
    }
    code = coll_bcast(file->comm, &(struct coll_data){said, 2, type}, last);
    *before = said[1] + upto - own;
    return code == MPI_SUCCESS ? (int)said[0] : code;
}

int pointer_look(struct mpi_file *file, MPI_Offset *now)
{
    int code = coll_barrier(file->comm);

    return code == MPI_SUCCESS ? file_agree(file->comm, pointer_add(file, 0, now)) : code;
}

int pointer_set(struct mpi_file *file, MPI_Offset elements)
{
    int code = coll_barrier(file->comm);

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (file->comm->rank == 0) {
        code = open_pointer(&file->pointer);
        if (code == MPI_SUCCESS) {
            code = store(&file->pointer, elements);
        }
    }
    return file_agree(file->comm, code);
}

int pointer_reset(struct mpi_file *file)
{
    int own = file->pointer.descriptor >= 0, used = 0;
    struct coll_reduction any = {&own, &used, 1, type_find(MPI_INT), op_find(MPI_MAX)};
    int code = coll_allreduce(file->comm, &any);

    file->pointer.first = 0;
    return code == MPI_SUCCESS && used ? pointer_set(file, 0) : code;
}
