/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The MPI library under test: its header, and what differs between headers of MPI-1 and of later versions. MPI-3 took
 * some functions of MPI-1 away; there their successors stand in. This is the only file that looks at how a vendor
 * defined things.
 *
 * NO_name: the header lacks this constant. The Makefile finds that out by itself (probe.sh).
 */
#ifndef INTERPRETER_MPI_VENDOR_H
#define INTERPRETER_MPI_VENDOR_H

#include <mpi.h>

#if defined(MPI_VERSION) && MPI_VERSION >= 3

#define VENDOR_ADDRESS           MPI_Get_address
#define VENDOR_TYPE_HVECTOR      MPI_Type_create_hvector
#define VENDOR_TYPE_HINDEXED     MPI_Type_create_hindexed
#define VENDOR_TYPE_STRUCT       MPI_Type_create_struct
#define VENDOR_ERRHANDLER_CREATE MPI_Comm_create_errhandler
#define VENDOR_ERRHANDLER_SET    MPI_Comm_set_errhandler
#define VENDOR_ERRHANDLER_GET    MPI_Comm_get_errhandler
#define VENDOR_KEYVAL_CREATE     MPI_Comm_create_keyval
#define VENDOR_KEYVAL_FREE       MPI_Comm_free_keyval
#define VENDOR_ATTR_PUT          MPI_Comm_set_attr
#define VENDOR_ATTR_GET          MPI_Comm_get_attr
#define VENDOR_ATTR_DELETE       MPI_Comm_delete_attr
#define VENDOR_NULL_COPY         MPI_COMM_NULL_COPY_FN
#define VENDOR_DUP               MPI_COMM_DUP_FN
#define VENDOR_NULL_DELETE       MPI_COMM_NULL_DELETE_FN

/* vendor_type_bounds gives lower bound and extent. */
static inline int vendor_type_bounds(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent)
{
    return MPI_Type_get_extent(type, lower, extent);
}

#else

#define VENDOR_ADDRESS           MPI_Address
#define VENDOR_TYPE_HVECTOR      MPI_Type_hvector
#define VENDOR_TYPE_HINDEXED     MPI_Type_hindexed
#define VENDOR_TYPE_STRUCT       MPI_Type_struct
#define VENDOR_ERRHANDLER_CREATE MPI_Errhandler_create
#define VENDOR_ERRHANDLER_SET    MPI_Errhandler_set
#define VENDOR_ERRHANDLER_GET    MPI_Errhandler_get
#define VENDOR_KEYVAL_CREATE     MPI_Keyval_create
#define VENDOR_KEYVAL_FREE       MPI_Keyval_free
#define VENDOR_ATTR_PUT          MPI_Attr_put
#define VENDOR_ATTR_GET          MPI_Attr_get
#define VENDOR_ATTR_DELETE       MPI_Attr_delete
#define VENDOR_NULL_COPY         MPI_NULL_COPY_FN
#define VENDOR_DUP               MPI_DUP_FN
#define VENDOR_NULL_DELETE       MPI_NULL_DELETE_FN

/* vendor_type_bounds gives lower bound and extent. */
static inline int vendor_type_bounds(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent)
{
    int code = MPI_Type_lb(type, lower);

    return code == MPI_SUCCESS ? MPI_Type_extent(type, extent) : code;
}

#endif

#ifdef MPI_VERSION
enum { VENDOR_VERSION = MPI_VERSION, VENDOR_SUBVERSION = MPI_SUBVERSION };
#else
enum { VENDOR_VERSION = 0, VENDOR_SUBVERSION = 0 };
#endif

#endif
