/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The beginning and the end: MPI_Init, MPI_Init_thread, MPI_Initialized, MPI_Finalize, MPI_Abort. Chapter 7.5 of MPI;
 * 2.4 and 4.24 of IMPI.
 *
 * A process that ends without MPI_Finalize is a failure: the launcher, or the host agent, sees a process that has not
 * left the job.
 */
#include <pthread.h>
#include <stdio.h>

#include "ref-impl/mpi/api/attr.h"
#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/objects/info.h"
#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/slots.h"
#include "ref-impl/mpi/common/callback.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/attr_set.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/communicators/errors_raise.h"
#include "ref-impl/mpi/communicators/group.h"
#include "ref-impl/mpi/contexts/slot.h"
#include "ref-impl/mpi/files/file.h"
#include "ref-impl/mpi/messages/bsend.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/windows/window.h"

static enum { BEFORE, BETWEEN, REFUSING, AFTER } state;
static pthread_t main_thread; /* that has called MPI_Init or MPI_Init_thread */

/* Makes what there is from the start. What is not made the process does not need to take away: it ends. */
static bool objects_open(void)
{
    return type_open() && op_open() && errors_open() && group_open() && comm_open() && info_open();
}

static void objects_close(void)
{
    coll_room_close();
    info_close();
    comm_close();
    group_close();
    errors_close();
    op_close();
    type_close();
    attribute_close();
}

static int init(const char *function)
{
    if (state != BEFORE) {
        struct mpi_call call = call_without(function);

        call_fail(&call, MPI_ERR_OTHER, "called for a second time");
        return call_end(&call);
    }
    if (!world_open() || !slots_configured() || !p2p_open()) {
        world_abort(1, NULL); /* it has been said why */
    }
    if (!objects_open()) {
        world_abort(1, "MPI_Init: memory is used up");
    }
    comm_slot_limit(device_at(DEVICE_LOCAL)->contexts);
    main_thread = pthread_self();
    state = BETWEEN;
    return MPI_SUCCESS;
}

API int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return init("MPI_Init");
}

/* Any thread may call, one at a time: no more can be had, and no less costs less. */
API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    (void)required;
    if (!provided) {
        return errors_raise(NULL, MPI_ERR_ARG, "MPI_Init_thread", "provided is NULL");
    }
    *provided = MPI_THREAD_SERIALIZED;
    return init("MPI_Init_thread");
}

API int MPI_Query_thread(int *provided)
{
    struct mpi_call call = call_without("MPI_Query_thread");

    call_output(&call, provided, "provided");
    if (call.code == MPI_SUCCESS) {
        *provided = MPI_THREAD_SERIALIZED;
    }
    return call_end(&call);
}

API int MPI_Is_thread_main(int *flag)
{
    struct mpi_call call = call_without("MPI_Is_thread_main");

    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *flag = pthread_equal(main_thread, pthread_self()) != 0;
    }
    return call_end(&call);
}

API int MPI_Initialized(int *flag)
{
    if (!flag) {
        return errors_raise(NULL, MPI_ERR_ARG, "MPI_Initialized", "flag is NULL");
    }
    *flag = state != BEFORE;
    return MPI_SUCCESS;
}

API int MPI_Finalized(int *flag)
{
    if (!flag) {
        return errors_raise(NULL, MPI_ERR_ARG, "MPI_Finalized", "flag is NULL");
    }
    *flag = state == AFTER;
    return MPI_SUCCESS;
}

/* Tells that the end cannot be now. An error handler that hears of it, and tries to end in its turn, must not be told
 * again, and so on. */
static int refuse_to_end(struct mpi_call *call)
{
    int code;

    if (state != BETWEEN) {
        return state == REFUSING ? call->code : call_end(call);
    }
    state = REFUSING;
    code = call_end(call);
    state = BETWEEN;
    return code;
}

/* Whether the library can be taken away at all. */
static struct mpi_call begin_to_end(void)
{
    struct mpi_call call = call_without("MPI_Finalize");

    if (callback_is_open()) {
        call_fail(&call, MPI_ERR_OTHER, "called by a function that another MPI function has called and waits for");
    } else if (state == REFUSING) {
        call_fail(&call, MPI_ERR_OTHER, "called by the error handler of another one");
    }
    return call;
}

/* What libraries have left to be done at the end, as MPI-2 has it: the delete functions of what they attached to
 * MPI_COMM_SELF are called first, while everything else still works. */
static void end_attributes(struct mpi_call *call)
{
    struct attr_owner self = attr_of_comm(comm_self());
    int code = call->code == MPI_SUCCESS ? attr_delete_all(&self) : MPI_SUCCESS;

    if (code != MPI_SUCCESS) {
        call_fail(call, code, "a delete function of an attribute of MPI_COMM_SELF failed");
    }
}

//= IMPI-088
//= IMPI-237
API int MPI_Finalize(void)
{
    struct mpi_call call = begin_to_end();
    int code;

    end_attributes(&call);
    code = call.code;
    if (code == MPI_SUCCESS) {
        code = coll_barrier(comm_world());
    }
    if (code != MPI_SUCCESS) {
        call_fail(&call, code, "the last barrier failed");
        return refuse_to_end(&call);
    }
    files_close();
    windows_close();
    p2p_close();
    objects_close();
    world_close();
    state = AFTER;
    return MPI_SUCCESS;
}

API int MPI_Abort(MPI_Comm comm, int errorcode)
{
    char why[64];

    (void)comm;
    snprintf(why, sizeof(why), "MPI_Abort with error code %d", errorcode);
    world_abort(errorcode, why);
}
