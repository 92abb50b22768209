/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files as programs open, ask and close them: chapters 9.2 and 9.6 of MPI-2. Hints are taken and not needed.
 */
#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/files/file.h"

/* Exactly one of reading, writing and both; a file that is only read is not made. */
static void check_mode(struct mpi_call *call, int mode)
{
    int use = mode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);

    if (mode < 0 || mode >= 2 * MPI_MODE_SEQUENTIAL || use == 0 || use & (use - 1)) {
        call_fail(call, MPI_ERR_AMODE, "amode has not one of MPI_MODE_RDONLY, _WRONLY and _RDWR");
    } else if (use == MPI_MODE_RDONLY && mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) {
        call_fail(call, MPI_ERR_AMODE, "MPI_MODE_CREATE and _EXCL are not for MPI_MODE_RDONLY");
    } else if (use == MPI_MODE_RDWR && mode & MPI_MODE_SEQUENTIAL) {
        call_fail(call, MPI_ERR_AMODE, "MPI_MODE_SEQUENTIAL is not for MPI_MODE_RDWR");
    }
}

/* What the function returns for a file of that name. */
static int end_of(struct mpi_call *call, int code, const char *name)
{
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "%s: %s", name, errors_text(code));
    }
    return call_end(call);
}

/* What is wrong with the communicator, too, is told as an error without a file. */
API int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
    struct mpi_call call = call_on("MPI_File_open", comm);
    struct mpi_file *made = NULL;
    int code;

    call.file = call.comm ? file_null() : NULL;
    call_intra(&call);
    call_output(&call, filename, "filename");
    call_output(&call, fh, "fh");
    call_info(&call, info);
    check_mode(&call, amode);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = file_open(call.comm, filename, amode, &made);
    if (code != MPI_SUCCESS || !made) {
        return end_of(&call, code, filename);
    }
    made->handle = handle_new(HANDLE_FILE, made);
    if (!made->handle) {
        (void)file_close(made);
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    *fh = made->handle;
    return MPI_SUCCESS;
}

API int MPI_File_close(MPI_File *fh)
{
    struct mpi_call call = call_on_file("MPI_File_close", fh ? *fh : MPI_FILE_NULL);
    int code;

    if (call.code != MPI_SUCCESS || !fh) {
        return call_end(&call);
    }
    handle_free(HANDLE_FILE, *fh);
    *fh = MPI_FILE_NULL;
    code = file_close(call.file);
    call.file = file_null();
    return call_end_with(&call, code);
}

API int MPI_File_delete(const char *filename, MPI_Info info)
{
    struct mpi_call call = call_on("MPI_File_delete", MPI_COMM_WORLD);

    call.file = call.comm ? file_null() : NULL;
    call_output(&call, filename, "filename");
    call_info(&call, info);
    return call.code == MPI_SUCCESS ? end_of(&call, file_delete(filename), filename) : call_end(&call);
}

static int resize(struct mpi_call *call, MPI_Offset size, bool only_more)
{
    if (size < 0) {
        call_fail(call, MPI_ERR_ARG, "size is %lld, less than 0", size);
    } else if (call->code == MPI_SUCCESS && call->file->mode & MPI_MODE_RDONLY) {
        call_fail(call, MPI_ERR_READ_ONLY, "the file is open for reading only");
    }
    return call->code == MPI_SUCCESS ? end_of(call, file_resize(call->file, size, only_more), call->file->name)
                                     : call_end(call);
}

API int MPI_File_set_size(MPI_File fh, MPI_Offset size)
{
    struct mpi_call call = call_on_file("MPI_File_set_size", fh);

    return resize(&call, size, false);
}

API int MPI_File_preallocate(MPI_File fh, MPI_Offset size)
{
    struct mpi_call call = call_on_file("MPI_File_preallocate", fh);

    return resize(&call, size, true);
}

API int MPI_File_get_size(MPI_File fh, MPI_Offset *size)
{
    struct mpi_call call = call_on_file("MPI_File_get_size", fh);

    call_output(&call, size, "size");
    return call.code == MPI_SUCCESS ? end_of(&call, file_size(call.file, size), call.file->name) : call_end(&call);
}

API int MPI_File_sync(MPI_File fh)
{
    struct mpi_call call = call_on_file("MPI_File_sync", fh);

    return call.code == MPI_SUCCESS ? end_of(&call, file_sync(call.file), call.file->name) : call_end(&call);
}

API int MPI_File_get_group(MPI_File fh, MPI_Group *group)
{
    struct mpi_call call = call_on_file("MPI_File_get_group", fh);
    MPI_Group name;

    call_output(&call, group, "group");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    group_hold(call.comm->local);
    name = group_name(call.comm->local);
    if (name == MPI_GROUP_NULL) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    } else {
        *group = name;
    }
    return call_end(&call);
}

API int MPI_File_get_amode(MPI_File fh, int *amode)
{
    struct mpi_call call = call_on_file("MPI_File_get_amode", fh);

    call_output(&call, amode, "amode");
    if (call.code == MPI_SUCCESS) {
        *amode = call.file->mode;
    }
    return call_end(&call);
}

API int MPI_File_set_info(MPI_File fh, MPI_Info info)
{
    struct mpi_call call = call_on_file("MPI_File_set_info", fh);

    call_info(&call, info);
    return call_end(&call);
}

API int MPI_File_get_info(MPI_File fh, MPI_Info *info_used)
{
    struct mpi_call call = call_on_file("MPI_File_get_info", fh);

    return call.code == MPI_SUCCESS ? MPI_Info_create(info_used) : call_end(&call);
}

API int MPI_File_set_atomicity(MPI_File fh, int flag)
{
    struct mpi_call call = call_on_file("MPI_File_set_atomicity", fh);

    if (call.code == MPI_SUCCESS) {
        call.file->atomic = flag != 0;
    }
    return call_end(&call);
}

API int MPI_File_get_atomicity(MPI_File fh, int *flag)
{
    struct mpi_call call = call_on_file("MPI_File_get_atomicity", fh);

    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *flag = call.file->atomic;
    }
    return call_end(&call);
}
