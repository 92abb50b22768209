/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the functions that read and write files have in common: chapter 9.4 of MPI-2.
 */
#ifndef REF_IMPL_MPI_API_FILES_ACCESS_H
#define REF_IMPL_MPI_API_FILES_ACCESS_H

#include "ref-impl/mpi/files/view.h"

/* Where in the view an access begins. */
enum access_where {
    ACCESS_AT,     /* where the program says */
    ACCESS_HERE,   /* at the position of this process, which moves on */
    ACCESS_SHARED, /* at the pointer that the processes share, which moves on */
    ACCESS_ORDERED /* there, behind the processes of lower rank */
};

/* What a program wants to have moved. */
struct access_wanted {
    bool write;
    enum access_where where;
    MPI_Offset offset; /* 0 unless ACCESS_AT */
    void *buffer;
    int count;
    MPI_Datatype datatype;
    MPI_Status *status;
    MPI_Request *request;  /* NULL: the call blocks */
    enum file_split split; /* the first step of this kind of access */
};

/* access_file - what the function of that name returns that moves it.
 * access_tell - the status of an access that has moved so much; NULL: nobody wants it. */
int access_file(const char *function, MPI_File fh, const struct access_wanted *wanted);
void access_tell(MPI_Status *status, struct file_moved moved);

#endif
