/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What no rule of binding.py carries over of MPI-3 and MPI-4: weights of distributed graphs, blocks of neighbours that
 * have a datatype each, memory that processes share, and strings of hints; and of MPI-2, how long a variable is. A base
 * address can be had as an INTEGER or as a TYPE(C_PTR).
 */
#include "ref-impl/mpi/fortran/f77.h"

#include <stdint.h>

MPI_Fint mpi_assay_unweighted_ __attribute__((aligned(32)));
MPI_Fint mpi_assay_empty_ __attribute__((aligned(32)));

int *f77_weights(const int *weights)
{
    if (weights == &mpi_assay_unweighted_) {
        return MPI_UNWEIGHTED;
    }
    return weights == &mpi_assay_empty_ ? MPI_WEIGHTS_EMPTY : (int *)(uintptr_t)weights;
}

/* How many blocks a process gets from its neighbours and sends to them; none where the library will refuse the call. */
static void degrees(MPI_Comm comm, int *in, int *out)
{
    int kind = MPI_UNDEFINED, count = 0, rank, weighted;

    *in = *out = 0;
    if (MPI_Topo_test(comm, &kind) != MPI_SUCCESS) {
        return;
    }
    if (kind == MPI_DIST_GRAPH) {
        (void)MPI_Dist_graph_neighbors_count(comm, in, out, &weighted);
    } else if (kind == MPI_CART) {
        (void)MPI_Cartdim_get(comm, &count);
        *in = *out = 2 * count;
    } else if (kind == MPI_GRAPH) {
        (void)MPI_Comm_rank(comm, &rank);
        (void)MPI_Graph_neighbors_count(comm, rank, &count);
        *in = *out = count;
    }
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API void pmpi_ineighbor_alltoallw_(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                                   const MPI_Fint *sendtypes, void *recvbuf, const int *recvcounts,
                                   const MPI_Aint *rdispls, const MPI_Fint *recvtypes, const MPI_Fint *comm,
                                   MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Comm c_comm = MPI_Comm_f2c(*comm);
    MPI_Request c_request = MPI_REQUEST_NULL;
    MPI_Datatype *in, *out;
    int in_count, out_count;

    degrees(c_comm, &in_count, &out_count);
    in = f77_types(recvtypes, in_count);
    out = f77_types(sendtypes, out_count);
    *ierror = request
                  ? MPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, out, recvbuf, recvcounts, rdispls, in, c_comm,
                                            &c_request)
                  : MPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, out, recvbuf, recvcounts, rdispls, in, c_comm);
    if (request) {
        *request = MPI_Request_c2f(c_request);
    }
    free(out);
    free(in);
}
F77_SECOND_NAME(mpi_ineighbor_alltoallw_, pmpi_ineighbor_alltoallw_,
                (const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls, const MPI_Fint *sendtypes,
                 void *recvbuf, const int *recvcounts, const MPI_Aint *rdispls, const MPI_Fint *recvtypes,
                 const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror))

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API void pmpi_neighbor_alltoallw_(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                                  const MPI_Fint *sendtypes, void *recvbuf, const int *recvcounts,
                                  const MPI_Aint *rdispls, const MPI_Fint *recvtypes, const MPI_Fint *comm,
                                  MPI_Fint *ierror)
{
    pmpi_ineighbor_alltoallw_(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                              NULL, ierror);
}
F77_SECOND_NAME(mpi_neighbor_alltoallw_, pmpi_neighbor_alltoallw_,
                (const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls, const MPI_Fint *sendtypes,
                 void *recvbuf, const int *recvcounts, const MPI_Aint *rdispls, const MPI_Fint *recvtypes,
                 const MPI_Fint *comm, MPI_Fint *ierror))

API void pmpi_win_allocate_shared_(const MPI_Aint *size, const MPI_Fint *disp_unit, const MPI_Fint *info,
                                   const MPI_Fint *comm, MPI_Aint *baseptr, MPI_Fint *win, MPI_Fint *ierror)
{
    MPI_Win made = MPI_WIN_NULL;
    void *memory = NULL;

    *ierror =
        MPI_Win_allocate_shared(*size, *disp_unit, MPI_Info_f2c(*info), MPI_Comm_f2c(*comm), (void *)&memory, &made);
    *baseptr = (MPI_Aint)memory;
    *win = MPI_Win_c2f(made);
}
F77_SECOND_NAME(mpi_win_allocate_shared_, pmpi_win_allocate_shared_,
                (const MPI_Aint *size, const MPI_Fint *disp_unit, const MPI_Fint *info, const MPI_Fint *comm,
                 MPI_Aint *baseptr, MPI_Fint *win, MPI_Fint *ierror))

API void pmpi_win_shared_query_(const MPI_Fint *win, const MPI_Fint *rank, MPI_Aint *size, MPI_Fint *disp_unit,
                                MPI_Aint *baseptr, MPI_Fint *ierror)
{
    void *memory = NULL;

    *ierror = MPI_Win_shared_query(MPI_Win_f2c(*win), *rank, size, disp_unit, (void *)&memory);
    if (*ierror == MPI_SUCCESS) {
        *baseptr = (MPI_Aint)memory;
    }
}
F77_SECOND_NAME(mpi_win_shared_query_, pmpi_win_shared_query_,
                (const MPI_Fint *win, const MPI_Fint *rank, MPI_Aint *size, MPI_Fint *disp_unit, MPI_Aint *baseptr,
                 MPI_Fint *ierror))

/* In Fortran the length has no room for an end. */
API void pmpi_info_get_string_(const MPI_Fint *info, const char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag,
                               MPI_Fint *ierror, size_t key_octets, size_t value_octets)
{
    char *c_key = f77_string(key, key_octets);
    char c_value[MPI_MAX_INFO_VAL + 1] = "";
    int most = *buflen < MPI_MAX_INFO_VAL ? *buflen : MPI_MAX_INFO_VAL, octets = most > 0 ? most + 1 : most;

    *ierror = MPI_Info_get_string(MPI_Info_f2c(*info), c_key, &octets, c_value, flag);
    if (*ierror == MPI_SUCCESS && *flag) {
        if (most > 0) {
            f77_text(c_value, value, value_octets);
        }
        *buflen = octets - 1;
    }
    free(c_key);
}
F77_SECOND_NAME(mpi_info_get_string_, pmpi_info_get_string_,
                (const MPI_Fint *info, const char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag, MPI_Fint *ierror,
                 size_t key_octets, size_t value_octets))

/* What Fortran 2018 passes where an argument may be of any type and rank: so it begins. */
struct f77_described {
    const void *base;
    size_t octets; /* of one element */
};

API void mpi_assay_sizeof_(const struct f77_described *x, MPI_Fint *size, MPI_Fint *ierror)
{
    *size = (MPI_Fint)x->octets;
    *ierror = MPI_SUCCESS;
}
