/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * cnos_mpi_os.h: the runtime calls of Cray's Catamount, by those of p3rt.h, for programs that find their peers by them.
 * They may be called before PtlInit, which they call themselves, and by one thread at a time. They use the default
 * interface; where the program has not opened it yet they do, with the usual limits, and it stays open.
 */
#ifndef CATAMOUNT_CNOS_MPI_OS_H
#define CATAMOUNT_CNOS_MPI_OS_H

#include <p3rt/p3rt.h>
#include <portals3.h>
#include <stdlib.h>

typedef struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
} cnos_nidpid_map_t;

/* Who has started the process. */
#define CNOS_LAUNCHER_NULL 0
#define CNOS_LAUNCHER_YOD  1

/* cnosp_open - the interface of these calls; PTL_INVALID_HANDLE: there is none. */
static inline ptl_handle_ni_t cnosp_open(void)
{
    ptl_handle_ni_t ni = PTL_INVALID_HANDLE;

    if (PtlInit(NULL) != PTL_OK || PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, NULL, &ni) != PTL_OK) {
        return PTL_INVALID_HANDLE;
    }
    return ni;
}

/* cnos_get_rank, cnos_get_size - the rank of the process, and how many there are; -1: it is not known. */
static inline int cnos_get_rank(void)
{
    unsigned rank, size;

    return PtlGetRank(cnosp_open(), &rank, &size) == PTL_OK ? (int)rank : -1;
}

static inline int cnos_get_size(void)
{
    unsigned rank, size;

    return PtlGetRank(cnosp_open(), &rank, &size) == PTL_OK ? (int)size : -1;
}

/* cnos_get_nidpid_map - makes the map of all ranks, which the caller may free, and returns how many they are; -1: there
 * is none. */
static inline int cnos_get_nidpid_map(cnos_nidpid_map_t **map)
{
    int size = cnos_get_size();
    ptl_handle_ni_t ni = cnosp_open();
    cnos_nidpid_map_t *made = size > 0 ? (cnos_nidpid_map_t *)calloc((size_t)size, sizeof(*made)) : NULL;
    int rank;

    for (rank = 0; made && rank < size; rank++) {
        ptl_process_id_t id;

        if (PtlGetRankId(ni, (unsigned)rank, &id) != PTL_OK) {
            free(made);
            made = NULL;
        } else {
            made[rank].nid = id.nid;
            made[rank].pid = id.pid;
        }
    }
    if (!made) {
        return -1;
    }
    *map = made;
    return size;
}

/* cnos_barrier - returns 0 when every process has called it, else -1.
 * cnos_barrier_init - nothing has to be done for it: 0.
 * cnos_launcher - none of those that have a number. */
static inline int cnos_barrier(void)
{
    return PtlRTBarrier(cnosp_open()) == PTL_OK ? 0 : -1;
}

static inline int cnos_barrier_init(ptl_handle_ni_t ni)
{
    (void)ni;
    return 0;
}

static inline int cnos_launcher(void)
{
    return CNOS_LAUNCHER_NULL;
}

#endif
