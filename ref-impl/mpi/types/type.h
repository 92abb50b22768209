/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Datatypes: what is where in memory, and how it becomes a row of octets and back. Chapter 3.12 of MPI, 1.2.2 of IMPI.
 *
 * Packed, a message is its elements one after the other in the order of the type map, without gaps, in one of two
 * forms: native, as they are in memory, and external32, as they travel between clients. Type maps stand as trees
 * (types/tree.h); types/walk.c visits their runs of equal elements.
 *
 * Types are counted: a program's handle is one hold, each request under way another. Holding and releasing is for the
 * thread that calls MPI; a type that is held does not change, so any thread may pack and unpack with it.
 */
#ifndef REF_IMPL_MPI_TYPES_TYPE_H
#define REF_IMPL_MPI_TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/include/mpi.h"
#include "wire/impi/external32.h"

struct mpi_type;

/* How packed elements are written. */
enum type_form {
    TYPE_NATIVE,
    TYPE_EXTERNAL, /* external32 */
};

/* type_open - makes the predefined types; false when memory is used up. type_close takes all types away, also those
 * that a program has not freed. */
bool type_open(void);
void type_close(void);

/* type_find - the type of a handle, or NULL. It stays the library's; hold it to keep it longer than the call. */
struct mpi_type *type_find(MPI_Datatype handle);

/* type_handle - the handle that names the type, until the program frees it. */
MPI_Datatype type_handle(const struct mpi_type *type);

/* type_named_handle - of a predefined type, the handle of the one in mpi.h that has the same elements and
 * operations: another one for the names of Fortran and of exact widths, and where Fortran asked for so many digits. */
MPI_Datatype type_named_handle(const struct mpi_type *type);

/* type_hold, type_release - one holder more, one less; the last one to release frees it. Predefined types stay. */
void type_hold(struct mpi_type *type);
void type_release(struct mpi_type *type);

/* type_is_predefined - whether the type is one that mpi.h names. */
bool type_is_predefined(const struct mpi_type *type);

/* type_is_committed - whether messages may have this type: MPI_Type_commit has been called, or it is predefined. */
bool type_is_committed(const struct mpi_type *type);

/* type_extent - octets from one element of the type to the next in a buffer; may be negative with MPI_LB, MPI_UB. */
ptrdiff_t type_extent(const struct mpi_type *type);

/* type_range - the octets that `count` elements take in memory: those from `*from` up to, not including, `*to`,
 * relative to the buffer. False: more than memory can have. */
bool type_range(const struct mpi_type *type, size_t count, ptrdiff_t *from, ptrdiff_t *to);

/* type_octets - octets of `count` elements packed; SIZE_MAX when that is more than memory can have. */
size_t type_octets(const struct mpi_type *type, size_t count, enum type_form form);

/* type_as_is - whether `count` elements packed are just the octets in memory, one span from `*offset` on, relative to
 * the buffer: such messages need no copy. */
bool type_as_is(const struct mpi_type *type, size_t count, enum type_form form, ptrdiff_t *offset);

/* type_pack - packs `count` elements at `buffer` to `out`. MPI_SUCCESS; MPI_ERR_TRUNCATE: `cap` octets do not suffice;
 * MPI_ERR_TYPE: a value has no external32 form (a long outside 4 octets). Then what is in `out` is undefined. */
int type_pack(const struct mpi_type *type, size_t count, enum type_form form, const void *buffer, void *out,
              size_t cap);

/* type_unpack - unpacks the `len` octets at `packed` into at most `count` elements at `buffer`; fewer octets fill fewer
 * elements, and a basic element that is cut off is left out. MPI_SUCCESS; MPI_ERR_TRUNCATE: there are more octets than
 * `count` elements take, which have been filled; MPI_ERR_TYPE: a value has no native form. */
int type_unpack(const struct mpi_type *type, size_t count, enum type_form form, const void *packed, size_t len,
                void *buffer);

/* type_copy - copies `count` elements from one buffer to another, the gaps of which stay as they are. Buffers do not
 * overlap. */
void type_copy(const struct mpi_type *type, size_t count, const void *from, void *to);

/* type_count - how many elements of the type `octets` of packed data are;
 * type_elements - how many basic elements. MPI_UNDEFINED: not a whole number, or more than an int, an MPI_Count can
 * hold. A type of no octets: 0 for no octets.
 * type_elements_octets - the octets of the first so many basic elements, in native form; SIZE_MAX when that is more
 * than memory can have. */
int type_count(const struct mpi_type *type, enum type_form form, size_t octets);
MPI_Count type_elements(const struct mpi_type *type, enum type_form form, size_t octets);
size_t type_elements_octets(const struct mpi_type *type, size_t basics);

/* type_basic - the basic type whose elements alone the type consists of; false when there are several or none. */
bool type_basic(const struct mpi_type *type, enum wire_external32 *basic);

/* type_leaf - the predefined type whose elements alone the type consists of, itself if it is one; NULL when there are
 * several or none. */
const struct mpi_type *type_leaf(const struct mpi_type *type);

/* type_indexed - as MPI_Type_indexed makes it, for the library's own use, without handle; the caller holds it. NULL:
 * memory is used up, or a number is too large. */
struct mpi_type *type_indexed(int count, const int *lengths, const int *displacements, struct mpi_type *of);

#endif
