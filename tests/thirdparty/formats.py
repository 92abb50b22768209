# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Libraries that Debian has for files which all processes of a job write and read, and their tests."""

from library import OF_JOBS, Library

# Its configure script is made from configure.ac, for which autoconf, automake and libtool are needed.
PNETCDF = """
autoreconf -if
./configure -q --disable-shared MPICC="$MPICC" MPICXX="$MPICXX" MPIF77="$MPIF77" MPIF90="$MPIF90" CFLAGS='-w -O1' \\
    FFLAGS='-w -O1 -fallow-argument-mismatch' FCFLAGS='-w -O1 -fallow-argument-mismatch'
make -s -j2
make -s -j2 tests
"""
# t_cache_image makes files for minutes, in one process and without MPI, before it begins.
HDF5 = """
./configure -q --enable-parallel --disable-shared --disable-fortran --disable-hl CC="$MPICC" CFLAGS='-w -O1'
make -s -j2 -C src
make -s -j2 -C test libh5test.la
cd testpar
make -s -j2 t_mpi testphdf5 t_bigio t_cache t_filters_parallel t_init_term t_pflush1 t_pflush2 t_pread \\
    t_prestart t_pshutdown t_shapesame
# What a job leaves behind, be it that it ended before its files were closed, the next one reads.
printf '%s\\n' "$PORTALSRUN -np 4 $PWD/t_pflush1" "$PORTALSRUN -np 4 $PWD/t_pflush2" >flushed
printf '%s\\n' "$PORTALSRUN -np 4 $PWD/t_pshutdown && $PORTALSRUN -np 4 $PWD/t_prestart" >restarted
"""
TOLD = r"pass\b"
ENDED = r"PASSED|passed|finished with no errors"
CASES = ("add_var alignment_test attrf buftype_free check_striping check_type collective_error erange_fill "
         "error_precedence flexible flexible2 flexible_varm inq_num_vars inq_recsize iput_all_kinds ivarn "
         "large_var_cdf5 last_large_var mix_collectives modes ncmpi_vars_null_stride noclobber nonblocking null_args "
         "one_record put_all_kinds put_parameter record redef1 scalar test_erange test_fillvalue test_vard "
         "test_vard_multiple test_vard_rec test_varm tst_def_var_fill tst_dimsizes tst_free_comm tst_info "
         "tst_vars_fill varn_contig varn_int varn_real vectors test_vardf varn_intf").split()

ALL = (
    Library("pnetcdf", "test", PNETCDF, (
        *((f"testcases/{name}", 4, "out.nc", TOLD) for name in CASES),
        ("nonblocking/mcoll_perf", 4, "out.nc", TOLD),
        ("nonblocking/test_bput", 1, "out.nc", TOLD),
        ("nonblocking/interleaved", 2, "out.nc", TOLD),
        ("nonblocking/req_all", 4, "out.nc", TOLD),
        ("nonblocking/column_wise", 4, "out.nc", TOLD),
        ("nonblocking/i_varn_int64", 4, "out.nc", TOLD),
        ("header/header_consistency", 4, "out.nc", TOLD),
        ("nc_test/nc_test", 1, "-d .", TOLD),
        ("F90/f90tst_parallel", 4, "out.nc", TOLD),
        ("F90/f90tst_parallel4", 4, "out.nc", TOLD))),
    Library("hdf5", "testpar", HDF5, (
        *((name, 4, "", ENDED) for name in "t_mpi testphdf5 t_cache t_filters_parallel t_init_term t_pread t_shapesame "
          .split()),
        ("t_bigio", 4, "", r"^Read Testing Dataset4"),  # it aborts where something differs
        *((name, OF_JOBS, "", ENDED) for name in ("flushed", "restarted")))),
)
