/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the subroutines of the Fortran 77 binding have in common. Fortran gives addresses of all arguments, and the
 * length of a CHARACTER behind them; handles and statuses are INTEGERs (MPI_Comm_f2c and its like); indices begin
 * with 1.
 */
#ifndef REF_IMPL_MPI_FORTRAN_F77_H
#define REF_IMPL_MPI_FORTRAN_F77_H

#include <stddef.h>
#include <stdlib.h>

#include "ref-impl/include/mpi.h"

#define API __attribute__((visibility("default")))

/* Fortran's functions get the address of a handle, and read an INTEGER there. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "an INTEGER is where its handle is");

/* A subroutine can be replaced by a tool's, as the functions of C can: pmpi_send_ stays. */
#define F77_SECOND_NAME(name, of, parameters) API void name parameters __attribute__((weak, alias(#of)));

/* As long as any text that MPI gives, but for the value of a hint, with its end. */
enum { F77_TEXT = 256 };
_Static_assert(F77_TEXT >= MPI_MAX_ERROR_STRING && F77_TEXT >= MPI_MAX_PROCESSOR_NAME &&
                   F77_TEXT >= MPI_MAX_OBJECT_NAME && F77_TEXT > MPI_MAX_INFO_KEY,
               "no text is cut");

/* The COMMON blocks of mpif.h: the address to which all others are relative, MPI_IN_PLACE, weights that are not there,
 * and statuses that are not wanted. */
extern MPI_Fint mpi_assay_bottom_;
extern MPI_Fint mpi_assay_place_;
extern MPI_Fint mpi_assay_unweighted_;
extern MPI_Fint mpi_assay_empty_;
extern MPI_Fint mpi_assay_ignore_[16];

/* f77_room - zeroed memory for `count` of something, also for none; it is free()d. Ends the job where there is none. */
void *f77_room(int count, size_t octets);

/* f77_integer - the code of a call, once a number that it gave has been put into an INTEGER: an error where that does
 * not hold it. Nothing is put there when the call has failed. */
int f77_integer(const char *function, int code, MPI_Aint value, MPI_Fint *to);

/* f77_text - a text of C's into a CHARACTER of so many octets, with blanks behind it. */
void f77_text(const char *from, char *to, size_t octets);

/* f77_string - a CHARACTER of so many octets as a text of C's, without the blanks around it; it is free()d. Ends the
 * job where there is no memory. */
char *f77_string(const char *from, size_t octets);

/* f77_place - a buffer as C has it: MPI_IN_PLACE is another address there. */
void *f77_place(const void *buffer);

/* f77_weights - weights as C has them: MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are other addresses there. */
int *f77_weights(const int *weights);

/* f77_types - `count` datatypes as C has them; they are free()d. */
MPI_Datatype *f77_types(const MPI_Fint *types, int count);

/* f77_status_at - the status of that number in an array.
 * f77_status_end - `count` statuses after a call; nothing where they are not wanted. */
MPI_Fint *f77_status_at(MPI_Fint *statuses, int i);
void f77_status_end(const MPI_Status *from, int count, MPI_Fint *to);

#endif
