! SPDX-License-Identifier: BSD-2-Clause
! Copyright (c) 2026 The Assay authors
!
! The module for Fortran 90: the names of mpif.h. Subroutines have no interfaces, for their buffers are of any type; but
! MPI_SIZEOF, which is of MPI-2 and only here, has to know what it is given.
module mpi
    implicit none
    include 'mpif.h'
    interface
        subroutine MPI_SIZEOF(x, size, ierror) bind(C, name='mpi_assay_sizeof_')
            type(*), dimension(..), intent(in) :: x
            integer, intent(out) :: size, ierror
        end subroutine MPI_SIZEOF
    end interface
end module mpi
