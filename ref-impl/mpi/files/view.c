/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets of a file as a view shows them: see files/view.h. Each run of the file type is a call of the system.
 */
#include "ref-impl/mpi/files/view.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "ref-impl/mpi/types/runs.h"

/* What is on its way, while runs are visited. */
struct moving {
    const struct mpi_file *file;
    bool write;
    MPI_Offset tile;     /* where this file type begins in the file */
    MPI_Offset skipped;  /* octets of it that are still to be passed over */
    unsigned char *next; /* NULL: only `place` is wanted */
    size_t left, moved;
    MPI_Offset place;
    int code;
};

/* A run of octets of the file that are one behind the other; false: it was the last, or there were fewer. */
static bool move_run(struct moving *moving, MPI_Offset place, size_t len)
{
    while (len > 0) {
        ssize_t done = moving->write ? pwrite(moving->file->descriptor, moving->next, len, place)
                                     : pread(moving->file->descriptor, moving->next, len, place);

        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            moving->code = done < 0 ? file_error(errno) : MPI_SUCCESS;
            return false;
        }
        moving->next += done;
        moving->moved += (size_t)done;
        moving->left -= (size_t)done;
        place += done;
        len -= (size_t)done;
    }
    return moving->left > 0;
}

static bool visit(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    MPI_Offset passed = moving->skipped < (MPI_Offset)octets ? moving->skipped : (MPI_Offset)octets;

    moving->skipped -= passed;
    octets -= (size_t)passed;
    moving->place = moving->tile + offset + passed;
    if (octets == 0) {
        return true;
    }
    return moving->next && move_run(moving, moving->place, octets < moving->left ? octets : moving->left);
}

/* Visits the runs from an octet of the view on, until a visit has been the last. */
static void run_through(const struct file_view *view, MPI_Offset from, struct moving *moving)
{
    MPI_Offset size = (MPI_Offset)type_octets(view->shown, 1, TYPE_NATIVE), extent = type_extent(view->shown);
    MPI_Offset last;
    ptrdiff_t offset = 0;

    if (size == 0) {
        return;
    }
    if (__builtin_mul_overflow(from / size + 1, extent, &last) || __builtin_add_overflow(last, view->begin, &last)) {
        moving->code = MPI_ERR_ARG; /* no file is as long */
        return;
    }
    if (type_as_is(view->shown, 2, TYPE_NATIVE, &offset)) {
        moving->skipped = from;
        moving->tile = view->begin;
        (void)visit(moving, offset, SIZE_MAX / 2);
        return;
    }
    moving->skipped = from % size;
    for (MPI_Offset tile = from / size; moving->code == MPI_SUCCESS; tile++) {
        moving->tile = view->begin + tile * extent;
        if (!runs_visit(view->shown, 1, visit, moving)) {
            return;
        }
    }
}

/* Keeps the other processes out of the whole file, or lets them in again, where accesses are to be atomic. An error
 * class: not every file system has locks. */
static int lock(const struct mpi_file *file, short kind)
{
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};

    while (file->atomic && fcntl(file->descriptor, F_OFD_SETLKW, &whole) != 0) {
        if (errno != EINTR) {
            return file_error(errno);
        }
    }
    return MPI_SUCCESS;
}

int view_move(const struct mpi_file *file, bool write, MPI_Offset from, void *octets, size_t len, size_t *moved)
{
    struct moving moving = {.file = file, .write = write, .next = octets, .left = len, .code = MPI_SUCCESS};

    if (len > 0) {
        moving.code = lock(file, write ? F_WRLCK : F_RDLCK);
        if (moving.code == MPI_SUCCESS) {
            run_through(&file->view, from, &moving);
            (void)lock(file, F_UNLCK);
        }
    }
    *moved = moving.moved;
    return moving.code;
}

MPI_Offset view_element_octets(const struct file_view *view)
{
    return (MPI_Offset)type_octets(view->element, 1, view->form);
}

MPI_Offset view_place(const struct file_view *view, MPI_Offset octet)
{
    struct moving moving = {.code = MPI_SUCCESS};

    run_through(view, octet, &moving);
    return moving.code == MPI_SUCCESS ? moving.place : -1;
}

/* Counts what runs have before the end of the file. */
struct counting {
    MPI_Offset end, found; /* the end is seen from where the file type begins */
};

static bool count(void *context, ptrdiff_t offset, size_t octets)
{
    struct counting *counting = context;
    MPI_Offset before = counting->end - offset;

    before = before < 0 ? 0 : before;
    counting->found += before < (MPI_Offset)octets ? before : (MPI_Offset)octets;
    return true;
}

MPI_Offset view_length(const struct file_view *view, MPI_Offset file_octets)
{
    MPI_Offset extent = type_extent(view->shown), size = (MPI_Offset)type_octets(view->shown, 1, TYPE_NATIVE);
    MPI_Offset behind = file_octets > view->begin ? file_octets - view->begin : 0;
    struct counting counting = {0, 0};

    if (size > 0) {
        counting = (struct counting){behind % extent, behind / extent * size};
        (void)runs_visit(view->shown, 1, count, &counting);
    }
    return counting.found;
}
