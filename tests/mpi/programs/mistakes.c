/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls with one wrong argument each, and the class of error that they give.
 */
#include <mpi.h>
#include <stdio.h>

static void show(const char *what, int code)
{
    static const struct {
        int class;
        const char *name;
    } names[] = {{MPI_SUCCESS, "success"},      {MPI_ERR_BUFFER, "buffer"},   {MPI_ERR_COUNT, "count"},
                 {MPI_ERR_TYPE, "type"},        {MPI_ERR_TAG, "tag"},         {MPI_ERR_COMM, "comm"},
                 {MPI_ERR_RANK, "rank"},        {MPI_ERR_REQUEST, "request"}, {MPI_ERR_ROOT, "root"},
                 {MPI_ERR_GROUP, "group"},      {MPI_ERR_OP, "op"},           {MPI_ERR_ARG, "arg"},
                 {MPI_ERR_TRUNCATE, "truncate"}};
    int class, i;

    MPI_Error_class(code, &class);
    for (i = 0; i < (int)(sizeof(names) / sizeof(names[0])) && names[i].class != class; i++) {
    }
    printf("%s: %s\n", what, i < (int)(sizeof(names) / sizeof(names[0])) ? names[i].name : "another");
}

static void of_messages(void)
{
    int data[2] = {0}, room;
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype raw;

    MPI_Type_contiguous(2, MPI_INT, &raw);
    show("negative count", MPI_Send(data, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    show("no datatype", MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
    show("not committed", MPI_Send(data, 1, raw, 0, 0, MPI_COMM_WORLD));
    show("no such rank", MPI_Send(data, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD));
    show("negative rank", MPI_Send(data, 1, MPI_INT, -77, 0, MPI_COMM_WORLD));
    show("negative tag", MPI_Send(data, 1, MPI_INT, 0, -7, MPI_COMM_WORLD));
    show("any tag to send", MPI_Send(data, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD));
    show("any source to send", MPI_Send(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD));
    show("no communicator", MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    show("no buffer", MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    show("no buffer, nothing to send", MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    show("receive from nobody", MPI_Recv(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status));
    show("receive with a bad tag", MPI_Recv(data, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, &status));
    show("receive from a bad rank", MPI_Recv(data, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD, &status));
    show("probe a bad rank", MPI_Probe(1000, 0, MPI_COMM_WORLD, &status));
    show("wait for nothing", MPI_Wait(&request, &status));
    show("start nothing", MPI_Start(&request));
    show("cancel nothing", MPI_Cancel(&request));
    show("free nothing", MPI_Request_free(&request));
    MPI_Irecv(&room, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    MPI_Send(data, 2, MPI_INT, 0, 5, MPI_COMM_SELF);
    show("too long a message", MPI_Wait(&request, &status));
    MPI_Type_free(&raw);
}

static void of_collectives(void)
{
    int data[2] = {0}, other[2];
    double number = 0, result;

    show("bad root", MPI_Bcast(data, 1, MPI_INT, 1000, MPI_COMM_WORLD));
    show("negative root", MPI_Reduce(data, other, 1, MPI_INT, MPI_SUM, -50, MPI_COMM_WORLD));
    show("no operation", MPI_Allreduce(data, other, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
    show("bits of doubles", MPI_Allreduce(&number, &result, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD));
    show("places of ints", MPI_Allreduce(data, other, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD));
    show("one buffer", MPI_Allreduce(data, data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    show("negative count", MPI_Allgather(data, -1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD));
    show("barrier of none", MPI_Barrier(MPI_COMM_NULL));
}

static void of_objects(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group, world;
    MPI_Datatype type;
    MPI_Op sum = MPI_SUM;
    int size, far[1] = {1000};

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    show("size of none", MPI_Comm_size(comm, &size));
    show("free none", MPI_Comm_free(&comm));
    comm = MPI_COMM_WORLD;
    show("free the world", MPI_Comm_free(&comm));
    show("group of a far rank", MPI_Group_incl(world, 1, far, &group));
    show("size of no group", MPI_Group_size(MPI_GROUP_NULL, &size));
    show("create with no group", MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm));
    show("negative type", MPI_Type_contiguous(-1, MPI_INT, &type));
    show("type of none", MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type));
    type = MPI_INT;
    show("free an int", MPI_Type_free(&type));
    show("free a sum", MPI_Op_free(&sum));
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (size == 1) {
        of_messages();
        of_collectives();
        of_objects();
    }
    MPI_Finalize();
    return 0;
}
