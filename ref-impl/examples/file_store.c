/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The disk of one file server: see file_store.h.
 */
#include "ref-impl/examples/file_store.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ref-impl/examples/file_protocol.h"

static int store_fd = -1;

struct file_piece file_piece_at(ptl_size_t offset, ptl_size_t length, uint32_t servers)
{
    ptl_size_t stripe = offset / FILE_STRIPE, within = offset % FILE_STRIPE;
    ptl_size_t rest = FILE_STRIPE - within;

    return (struct file_piece){
        .server = (uint32_t)(stripe % servers),
        .place = stripe / servers * FILE_STRIPE + within,
        .length = length < rest ? length : rest,
    };
}

bool file_store_open(const char *folder, uint32_t rank)
{
    char path[4096];
    int len = snprintf(path, sizeof(path), "%s/stripes.%u", folder, (unsigned)rank);

    if (len >= 0 && (size_t)len < sizeof(path)) {
        store_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    }
    if (store_fd < 0) {
        perror(path);
    }
    return store_fd >= 0;
}

bool file_store_read(void *to, ptl_size_t length, ptl_size_t place)
{
    ssize_t got = pread(store_fd, to, (size_t)length, (off_t)place);

    if (got < 0) {
        return false;
    }
    memset((char *)to + got, 0, (size_t)length - (size_t)got);
    return true;
}

bool file_store_write(const void *from, ptl_size_t length, ptl_size_t place)
{
    return pwrite(store_fd, from, (size_t)length, (off_t)place) == (ssize_t)length;
}

void file_store_close(void)
{
    close(store_fd);
    store_fd = -1;
}
