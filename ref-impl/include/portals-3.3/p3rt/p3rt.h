/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * p3rt/p3rt.h: what programs of Portals 3.3 ask of the runtime system, not of Portals: which of the processes that were
 * started together this one is, and where the others are. The launcher knows it, and the calls that tell it to the
 * library agree with that or fail. Where no launcher has started the process, it is what has been declared: by
 * PtlSetRank, PtlSetNIDMap and PtlSetPIDMap, or by the environment,
 *
 *   PTL_MY_RID              the rank of this process
 *   PTL_NIDMAP, PTL_PIDMAP  node and process ids of all ranks, in their order, with colons between them
 *
 * and the first interface that is opened with PTL_PID_ANY makes the process the one that it is by that. Process ids
 * are 1 to 65535 (man portals3).
 *
 * All return PTL_OK; PTL_NO_INIT, PTL_NI_INVALID, PTL_SEGV, or PTL_FAIL where it is not so or cannot be done. The calls
 * that set something take PTL_INVALID_HANDLE too, as programs call them before they open an interface, and so do those
 * that ask for ranks.
 */
#ifndef P3RT_P3RT_H
#define P3RT_P3RT_H

#include <portals3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PtlGetRank stores the caller's rank and how many processes there are; PtlGetRankId the id of a rank. */
int PtlGetRank(ptl_handle_ni_t ni_handle, unsigned *rank, unsigned *group_size);
int PtlGetRankId(ptl_handle_ni_t ni_handle, unsigned rank, ptl_process_id_t *id);

/* PtlGetNIDMap, PtlGetPIDMap store the node or process ids of all ranks; `group_size` must be the right one. */
int PtlGetNIDMap(ptl_handle_ni_t ni_handle, ptl_nid_t *map, unsigned group_size);
int PtlGetPIDMap(ptl_handle_ni_t ni_handle, ptl_pid_t *map, unsigned group_size);

/* PtlSetRank says which rank of how many the process is, PtlSetNIDMap and PtlSetPIDMap, afterwards, where all of them
 * are; PtlSetRank(.., -1, -1) takes all three from the environment, if it has PTL_MY_RID. With a launcher they say what
 * is so already, and -1 asks for its word. */
int PtlSetRank(ptl_handle_ni_t ni_handle, unsigned rank, unsigned group_size);
int PtlSetNIDMap(ptl_handle_ni_t ni_handle, ptl_nid_t *map, unsigned group_size);
int PtlSetPIDMap(ptl_handle_ni_t ni_handle, ptl_pid_t *map, unsigned group_size);

/* PtlRTBarrier returns when every process has called it: the barrier that a job starts with, which runtime systems of
 * the time had under names of their own. PTL_FAIL in a group that was only declared. */
int PtlRTBarrier(ptl_handle_ni_t ni_handle);

/* In earlier libraries PtlGetRank and PtlGetRankId name no interface, and so do programs for them: both forms are there
 * in C and in C++. */
#ifdef __cplusplus
}

inline int PtlGetRank(unsigned *rank, unsigned *group_size)
{
    return PtlGetRank(PTL_INVALID_HANDLE, rank, group_size);
}

inline int PtlGetRankId(unsigned rank, ptl_process_id_t *id)
{
    return PtlGetRankId(PTL_INVALID_HANDLE, rank, id);
}
#else
/* clang-format off */
#define P3RT_FOURTH(first, second, third, fourth, ...) fourth
#define P3RT_NAMED(call, ...) (call)(__VA_ARGS__)
#define P3RT_UNNAMED(call, ...) (call)(PTL_INVALID_HANDLE, __VA_ARGS__)
#define P3RT_EITHER(call, ...) P3RT_FOURTH(__VA_ARGS__, P3RT_NAMED, P3RT_UNNAMED, )(call, __VA_ARGS__)
#define PtlGetRank(...) P3RT_EITHER(PtlGetRank, __VA_ARGS__)
#define PtlGetRankId(...) P3RT_EITHER(PtlGetRankId, __VA_ARGS__)
/* clang-format on */
#endif

#endif
