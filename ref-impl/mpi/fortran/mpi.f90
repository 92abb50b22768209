! SPDX-License-Identifier: BSD-2-Clause
! Copyright (c) 2026 The Assay authors
!
! The module for Fortran 90: the names of mpif.h. Subroutines have no interfaces, for their buffers are of any type.
module mpi
    implicit none
    include 'mpif.h'
end module mpi
