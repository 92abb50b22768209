/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The disk of one process of the parallel file server: a file that holds the stripes that are its own, one behind the
 * other.
 */
#ifndef REF_IMPL_EXAMPLES_FILE_STORE_H
#define REF_IMPL_EXAMPLES_FILE_STORE_H

#include <portals.h>
#include <stdbool.h>

/* A part of the file that lies within one stripe. */
struct file_piece {
    uint32_t server;   /* whose it is */
    ptl_size_t place;  /* where it begins in that server's store */
    ptl_size_t length; /* in octets, at most FILE_STRIPE */
};

/* file_piece_at is the piece that begins at `offset` of the file and is part of the `length` octets from there. */
struct file_piece file_piece_at(ptl_size_t offset, ptl_size_t length, uint32_t servers);

/* file_store_open opens the store of server `rank` in a folder, empty if it is new. False, and a word on stderr. */
bool file_store_open(const char *folder, uint32_t rank);

/* file_store_read and file_store_write move octets between store and memory. What was never written reads as 0. False
 * when the disk refuses. */
bool file_store_read(void *to, ptl_size_t length, ptl_size_t place);
bool file_store_write(const void *from, ptl_size_t length, ptl_size_t place);

/* file_store_close ends it. */
void file_store_close(void);

#endif
