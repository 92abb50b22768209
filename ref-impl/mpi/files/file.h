/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files of several processes: chapter 9 of MPI-2. Each process has the file open for itself and moves its own octets;
 * they agree only where it is opened, closed and given another size. So they see the same file if the system shows all
 * of them the same: on one machine, or on a file system of several.
 */
#ifndef REF_IMPL_MPI_FILES_FILE_H
#define REF_IMPL_MPI_FILES_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/types/type.h"

struct mpi_errhandler;

/* What a process sees of the file: from `begin` on the octets that the file type covers, over and over. */
struct file_view {
    MPI_Offset begin; /* octets */
    const char *representation;
    enum type_form form;                  /* of the elements in the file */
    struct mpi_type *element, *file_type; /* as the program gave them: held */
    struct mpi_type *shown;               /* what the file type covers in the file, in that form: held */
};

/* The pointer that the processes share (pointer.h). */
struct file_pointer {
    char *name;       /* of the file in which it stands */
    int descriptor;   /* -1: this process has not used it yet */
    MPI_Offset first; /* its value where nobody has moved it */
};

/* Collective accesses in two steps, of which a file has one at a time. */
enum file_split {
    FILE_SPLIT_NONE,
    FILE_SPLIT_READ_AT_ALL,
    FILE_SPLIT_READ_ALL,
    FILE_SPLIT_READ_ORDERED,
    FILE_SPLIT_WRITE_AT_ALL,
    FILE_SPLIT_WRITE_ALL,
    FILE_SPLIT_WRITE_ORDERED
};

/* What an access has moved. */
struct file_moved {
    size_t octets; /* of the file */
    enum type_form form;
};

struct mpi_file {
    MPI_File handle;
    struct mpi_comm *comm; /* its own: held; NULL: MPI_FILE_NULL, which hears of errors without a file */
    struct mpi_errhandler *errhandler;
    int descriptor;
    int mode; /* MPI_MODE_.. */
    bool atomic;
    char *name;
    struct file_view view;
    MPI_Offset position; /* elements */
    struct file_pointer pointer;
    enum file_split split; /* which one has begun */
    struct file_moved split_moved;
};

/* file_open - opens a file at all processes of an intracommunicator; blocks until all have called it. An error class,
 * the same at all; `*made` is the caller's, who names it.
 * file_close - the end of one, which blocks until all have called it. An error class.
 * file_delete - takes a file away. An error class. */
int file_open(struct mpi_comm *comm, const char *name, int mode, struct mpi_file **made);
int file_close(struct mpi_file *file);
int file_delete(const char *name);

/* file_resize - gives it another size, at least that where `only_more`; blocks until all have called it. An error
 * class.
 * file_size - its octets. An error class. */
int file_resize(struct mpi_file *file, MPI_Offset octets, bool only_more);
int file_size(const struct mpi_file *file, MPI_Offset *octets);

/* file_sync - what was written stays when the machine fails; blocks until all have called it. An error class. */
int file_sync(struct mpi_file *file);

/* file_set_view - another view, of types that are good, which the file holds then; the position becomes 0. */
void file_set_view(struct mpi_file *file, const struct file_view *view);

/* file_null - what hears of errors where there is no file.
 * file_find - the file of a handle, or NULL.
 * files_close - forgets all files that are left in MPI_Finalize. */
struct mpi_file *file_null(void);
struct mpi_file *file_find(MPI_File handle);
void files_close(void);

/* file_error - the error class of an errno.
 * file_agree - the worst of the error classes of all processes, or the own one of the agreement itself. */
int file_error(int number);
int file_agree(struct mpi_comm *comm, int own);

#endif
