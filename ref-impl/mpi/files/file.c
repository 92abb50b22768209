/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files of several processes: see files/file.h. Rank 0 opens first, and makes the file; the others find it there. So
 * what only one of them can do, to make a file that is not there yet, is done by one.
 */
#include "ref-impl/mpi/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/contexts/context.h"

static struct mpi_file null_file = {.handle = MPI_FILE_NULL, .descriptor = -1};

int file_error(int number)
{
    switch (number) {
    case ENOENT:
        return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
        return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EROFS:
        return MPI_ERR_READ_ONLY;
    case ENOSPC:
    case EFBIG:
        return MPI_ERR_NO_SPACE;
    case EDQUOT:
        return MPI_ERR_QUOTA;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        return MPI_ERR_BAD_FILE;
    case ETXTBSY:
        return MPI_ERR_FILE_IN_USE;
    default:
        return MPI_ERR_IO;
    }
}

int file_agree(struct mpi_comm *comm, int own)
{
    int all = own;
    int code = coll_allreduce(comm, &(struct coll_reduction){&own, &all, 1, type_find(MPI_INT), op_find(MPI_MAX)});

    return code == MPI_SUCCESS ? all : code;
}

/* Opens the file at one process; an error class. */
static int open_here(struct mpi_file *file, bool may_make)
{
    int flags = O_CLOEXEC | (file->mode & MPI_MODE_RDWR ? O_RDWR : file->mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY);

    if (may_make && file->mode & MPI_MODE_CREATE) {
        flags |= O_CREAT | (file->mode & MPI_MODE_EXCL ? O_EXCL : 0);
    }
    file->descriptor = open(file->name, flags, 0666);
    return file->descriptor >= 0 ? MPI_SUCCESS : file_error(errno);
}

/* Names the file of the shared pointer by a number that is nobody else's. An error class. */
static int name_pointer(struct mpi_file *file, long long number)
{
    return asprintf(&file->pointer.name, "%s.pointer-%llx", file->name, (unsigned long long)number) < 0
               ? (file->pointer.name = NULL, MPI_ERR_OTHER)
               : MPI_SUCCESS;
}

/* Opens it at rank 0, then at the others; an error class, the same at all. */
static int open_everywhere(struct mpi_file *file)
{
    enum { CODE, MODE, NUMBER, BEGIN, SAID };
    long long said[SAID] = {[MODE] = file->mode};
    bool first = file->comm->rank == 0;
    int code;

    if (first) {
        said[CODE] = getrandom(&said[NUMBER], sizeof(said[0]), 0) < 0 ? MPI_ERR_OTHER : open_here(file, true);
        if (said[CODE] == MPI_SUCCESS && file->mode & MPI_MODE_APPEND) {
            said[CODE] = file_size(file, &said[BEGIN]);
        }
    }
    code = coll_bcast(file->comm, &(struct coll_data){said, SAID, type_find(MPI_LONG_LONG_INT)}, 0);
    if (code == MPI_SUCCESS && said[CODE] == MPI_SUCCESS && !first) {
        said[CODE] = said[MODE] == file->mode ? open_here(file, false) : MPI_ERR_NOT_SAME;
    }
    file->position = file->pointer.first = said[BEGIN];
    if (code == MPI_SUCCESS && said[CODE] == MPI_SUCCESS) {
        said[CODE] = name_pointer(file, said[NUMBER]);
    }
    return code == MPI_SUCCESS ? file_agree(file->comm, (int)said[CODE]) : code;
}

/* The end of the shared pointer at this process, and at rank 0 of its file, if there ever was one. */
static void release_pointer(const struct mpi_file *file)
{
    if (file->pointer.descriptor >= 0) {
        (void)close(file->pointer.descriptor);
    }
    if (file->pointer.name && file->comm->rank == 0) {
        (void)unlink(file->pointer.name);
    }
    free(file->pointer.name);
}

static void release_view(const struct file_view *view)
{
    type_release(view->element);
    type_release(view->file_type);
    type_release(view->shown);
}

static void release(struct mpi_file *file)
{
    release_pointer(file);
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
    }
    release_view(&file->view);
    errors_release(file->errhandler);
    comm_release(file->comm);
    free(file->name);
    free(file);
}

/* One that is not open yet. NULL: memory is used up. */
static struct mpi_file *file_new(struct mpi_comm *own, const char *name, int mode)
{
    struct mpi_file *file = calloc(1, sizeof(*file));
    char *copy = strdup(name);
    struct mpi_type *octets;

    if (!file || !copy) {
        free(file);
        free(copy);
        return NULL;
    }
    *file = (struct mpi_file){.comm = own,
                              .errhandler = file_null()->errhandler,
                              .descriptor = -1,
                              .mode = mode,
                              .name = copy,
                              .pointer = {NULL, -1, 0}};
    errors_hold(file->errhandler);
    octets = type_find(MPI_BYTE);
    file_set_view(file, &(struct file_view){0, "native", TYPE_NATIVE, octets, octets, octets});
    return file;
}

int file_open(struct mpi_comm *comm, const char *name, int mode, struct mpi_file **made)
{
    struct comm_context context;
    struct mpi_comm *own;
    struct mpi_file *file;
    int code = comm_context_agree(comm, &context);

    if (code != MPI_SUCCESS) {
        return code;
    }
    own = comm_new(context, comm->local, NULL, comm);
    file = own ? file_new(own, name, mode) : NULL;
    if (!file) {
        comm_release(own);
        return MPI_ERR_OTHER;
    }
    code = open_everywhere(file);
    if (code != MPI_SUCCESS) {
        release(file);
        return code;
    }
    *made = file;
    return MPI_SUCCESS;
}

int file_close(struct mpi_file *file)
{
    int code = coll_barrier(file->comm); /* nobody uses it any more */

    if (code == MPI_SUCCESS && file->comm->rank == 0 && file->mode & MPI_MODE_DELETE_ON_CLOSE) {
        code = file_delete(file->name);
    }
    release(file);
    return code;
}

int file_delete(const char *name)
{
    return unlink(name) == 0 ? MPI_SUCCESS : file_error(errno);
}

int file_size(const struct mpi_file *file, MPI_Offset *octets)
{
    struct stat status;

    if (fstat(file->descriptor, &status) != 0) {
        return file_error(errno);
    }
    *octets = status.st_size;
    return MPI_SUCCESS;
}

int file_resize(struct mpi_file *file, MPI_Offset octets, bool only_more)
{
    MPI_Offset now = 0;
    int code = coll_barrier(file->comm); /* what was begun before is done with the old size */

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (file->comm->rank == 0) {
        code = file_size(file, &now);
        if (code == MPI_SUCCESS && !(only_more && now >= octets) && ftruncate(file->descriptor, octets) != 0) {
            code = file_error(errno);
        }
    }
    return file_agree(file->comm, code);
}

int file_sync(struct mpi_file *file)
{
    return file_agree(file->comm, fsync(file->descriptor) == 0 ? MPI_SUCCESS : file_error(errno));
}

void file_set_view(struct mpi_file *file, const struct file_view *view)
{
    type_hold(view->element);
    type_hold(view->file_type);
    type_hold(view->shown);
    release_view(&file->view);
    file->view = *view;
    file->position = 0;
}

struct mpi_file *file_null(void)
{
    if (!null_file.errhandler) {
        null_file.errhandler = errors_find(MPI_ERRORS_RETURN);
        errors_hold(null_file.errhandler);
    }
    return &null_file;
}

struct mpi_file *file_find(MPI_File handle)
{
    return handle_find(HANDLE_FILE, handle);
}

void files_close(void)
{
    struct mpi_file *file;
    size_t place = 0;

    while ((file = handle_next(HANDLE_FILE, &place))) {
        release(file);
    }
    handle_close(HANDLE_FILE);
    errors_release(null_file.errhandler);
    null_file.errhandler = NULL;
}
