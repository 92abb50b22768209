/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Buffers that a program may not read, or not write: an error of class MPI_ERR_BUFFER, not the end of the job. Chapter
 * 7.3 of MPI, in a world of one.
 */
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/unit/tap.h"

/* Memory of which the program may not have the last octets, or may only read them. */
static void buffers(void)
{
    enum { PAGE = 4096 };
    char *memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *constant = memory + PAGE, *gone = memory + 2 * PAGE, good[8] = {0};
    int place = 0;
    MPI_Comm self = MPI_COMM_WORLD;
    MPI_Datatype spread;
    MPI_Request request;

    mprotect(constant, PAGE, PROT_READ);
    munmap(gone, PAGE);
    CHECK_EQ(MPI_Send(gone, 1, MPI_CHAR, 0, 0, self), MPI_ERR_BUFFER, "memory that is not there");
    CHECK_EQ(MPI_Send(gone - 7, 1, MPI_DOUBLE, 0, 0, self), MPI_ERR_BUFFER, "nor its last octet");
    CHECK_EQ(MPI_Send(gone - 8, 1, MPI_DOUBLE, 0, 0, self), MPI_SUCCESS, "to be read is enough");
    CHECK_EQ(MPI_Recv(gone - 8, 1, MPI_DOUBLE, 0, 0, self, MPI_STATUS_IGNORE), MPI_ERR_BUFFER, "but not to receive");
    CHECK_EQ(MPI_Recv(constant - 7, 1, MPI_DOUBLE, 0, 0, self, MPI_STATUS_IGNORE), MPI_ERR_BUFFER, "not at all");
    CHECK_EQ(MPI_Irecv(gone, 1, MPI_CHAR, 0, 0, self, &request), MPI_ERR_BUFFER, "nor later");
    CHECK_EQ(MPI_Send_init(memory, 1, MPI_CHAR, 0, 0, self, &request), MPI_SUCCESS, "what is there now");
    CHECK_EQ(MPI_Recv(gone, 1, MPI_CHAR, MPI_PROC_NULL, 0, self, MPI_STATUS_IGNORE), MPI_SUCCESS, "nothing comes");
    CHECK_EQ(MPI_Bcast(constant, 1, MPI_CHAR, 0, self), MPI_SUCCESS, "a root reads only");
    CHECK_EQ(MPI_Allreduce(good, constant, 1, MPI_INT, MPI_SUM, self), MPI_ERR_BUFFER, "no room for the result");
    CHECK_EQ(MPI_Gatherv(good, 1, MPI_CHAR, gone, (int[]){1}, (int[]){-PAGE - 1}, MPI_CHAR, 0, self), MPI_SUCCESS,
             "a block that is there");
    CHECK_EQ(MPI_Gatherv(good, 1, MPI_CHAR, memory, (int[]){1}, (int[]){PAGE}, MPI_CHAR, 0, self), MPI_ERR_BUFFER,
             "one that is not");
    CHECK_EQ(MPI_Pack(gone, 1, MPI_CHAR, good, 8, &place, self), MPI_ERR_BUFFER, "nothing to pack");
    CHECK_EQ(MPI_Pack(good, 1, MPI_CHAR, constant, 8, &place, self), MPI_ERR_BUFFER, "nowhere to pack");
    CHECK_EQ(MPI_Unpack(gone - 1, 2, (int[]){1}, good, 1, MPI_CHAR, self), MPI_ERR_BUFFER, "nothing to unpack");
    CHECK_EQ(MPI_Buffer_attach(constant, 8), MPI_ERR_BUFFER, "nothing to keep messages in");
    MPI_Type_vector(2, 1, PAGE, MPI_CHAR, &spread);
    MPI_Type_commit(&spread);
    CHECK_EQ(MPI_Send(memory + PAGE, 1, spread, 0, 0, self), MPI_ERR_BUFFER, "one of two places");
    CHECK_EQ(MPI_Send(memory, 1, spread, 0, 0, self), MPI_SUCCESS, "both");
    MPI_Type_free(&spread);
    CHECK_EQ(MPI_Request_free(&request), MPI_SUCCESS, "need not be there any more when nothing is sent");
    munmap(memory, 2 * PAGE); /* that it is gone might not be noticed: ref-impl/address.h */
}

int main(void)
{
    setenv("ASSAY_NAL", "loop", 1);
    MPI_Init(NULL, NULL);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    TAP_RUN(buffers);
    MPI_Finalize();
    return tap_done();
}
