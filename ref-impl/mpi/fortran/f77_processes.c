/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What no rule of binding.py carries over of MPI-2's processes and representations of data. The library starts no
 * processes (api/processes/spawn.c), so the arguments of commands are not carried over.
 */
#include "ref-impl/mpi/fortran/f77.h"

char mpi_assay_argv_[1] __attribute__((aligned(32)));
char mpi_assay_argvs_[1] __attribute__((aligned(32)));
MPI_Fint mpi_assay_errcodes_[1] __attribute__((aligned(32)));

/* Error codes as C has them: MPI_ERRCODES_IGNORE is another address there. */
static int *errcodes(int *codes)
{
    return codes == mpi_assay_errcodes_ ? MPI_ERRCODES_IGNORE : codes;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API void pmpi_comm_spawn_(const char *command, const char *argv, const MPI_Fint *maxprocs, const MPI_Fint *info,
                          const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *codes,
                          MPI_Fint *ierror, size_t command_octets, size_t argv_octets)
{
    char *c_command = f77_string(command, command_octets);
    MPI_Comm made = MPI_COMM_NULL;

    (void)argv, (void)argv_octets;
    *ierror = MPI_Comm_spawn(c_command, MPI_ARGV_NULL, *maxprocs, MPI_Info_f2c(*info), *root, MPI_Comm_f2c(*comm),
                             &made, errcodes(codes));
    if (*ierror == MPI_SUCCESS) {
        *intercomm = MPI_Comm_c2f(made);
    }
    free(c_command);
}
F77_SECOND_NAME(mpi_comm_spawn_, pmpi_comm_spawn_,
                (const char *command, const char *argv, const MPI_Fint *maxprocs, const MPI_Fint *info,
                 const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *codes, MPI_Fint *ierror,
                 size_t command_octets, size_t argv_octets))

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API void pmpi_comm_spawn_multiple_(const MPI_Fint *count, const char *commands, const char *argvs,
                                   const MPI_Fint *maxprocs, const MPI_Fint *infos, const MPI_Fint *root,
                                   const MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *codes, MPI_Fint *ierror,
                                   size_t commands_octets, size_t argvs_octets)
{
    MPI_Comm c_comm = MPI_Comm_f2c(*comm), made = MPI_COMM_NULL;
    int rank = MPI_PROC_NULL, own = MPI_Comm_rank(c_comm, &rank) == MPI_SUCCESS && rank == *root ? *count : 0;
    MPI_Info *c_infos = f77_room(own > 0 ? own : 0, sizeof(MPI_Info));
    char *c_commands[1] = {(char[]){""}};

    (void)commands, (void)argvs, (void)commands_octets, (void)argvs_octets;
    for (int i = 0; c_infos && i < own; i++) {
        c_infos[i] = MPI_Info_f2c(infos[i]);
    }
    *ierror = MPI_Comm_spawn_multiple(own, c_commands, MPI_ARGVS_NULL, maxprocs, c_infos, *root, c_comm, &made,
                                      errcodes(codes));
    if (*ierror == MPI_SUCCESS) {
        *intercomm = MPI_Comm_c2f(made);
    }
    free(c_infos);
}
F77_SECOND_NAME(mpi_comm_spawn_multiple_, pmpi_comm_spawn_multiple_,
                (const MPI_Fint *count, const char *commands, const char *argvs, const MPI_Fint *maxprocs,
                 const MPI_Fint *infos, const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *intercomm,
                 MPI_Fint *codes, MPI_Fint *ierror, size_t commands_octets, size_t argvs_octets))

API void pmpi_register_datarep_(const char *datarep, void *read, void *write, void *extent, const MPI_Aint *extra,
                                MPI_Fint *ierror, size_t octets)
{
    char *c_datarep = f77_string(datarep, octets);

    (void)read, (void)write, (void)extent, (void)extra;
    *ierror = MPI_Register_datarep(c_datarep, MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL);
    free(c_datarep);
}
F77_SECOND_NAME(mpi_register_datarep_, pmpi_register_datarep_,
                (const char *datarep, void *read, void *write, void *extent, const MPI_Aint *extra, MPI_Fint *ierror,
                 size_t octets))
