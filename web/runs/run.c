/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What all who hold a run do with it.
 */
#include "web/runs/run.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

void run_free(struct run *run)
{
    json_decref(run->outcome);
    free(run);
}

void run_lose(struct run *run)
{
    pthread_mutex_lock(&run->runs->lock);
    run->lost++;
    pthread_mutex_unlock(&run->runs->lock);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void run_remove_folder(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
