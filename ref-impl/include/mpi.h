/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * mpi.h: the C interface of MPI 1.2, with the four attributes of IMPI 0.0 and what programs call of MPI-2 and MPI-3. It
 * says that it is MPI 3.1, which has dynamic processes too: programs ask for it and rarely mean these.
 *
 * Numbers in brackets are chapters of the MPI standard, with "IMPI" those of the IMPI document. What a function does is
 * the standard's to say; here stands what the standard leaves open. General rules of this implementation:
 *  - Arguments are checked: handles, ranks, tags, counts, addresses that are NULL, types that are not committed, and
 *    whether the first and the last octet of a buffer are there. What is wrong is raised on the communicator
 *    of the call, or on MPI_COMM_WORLD where there is none; the default handler, MPI_ERRORS_ARE_FATAL, prints the
 *    function and what was wrong with which argument, and aborts the job. Outputs are written only on success. Error
 *    codes are error classes.
 *  - Handles are opaque pointers that must not be followed. A freed handle is noticed for as long as it can be.
 *  - One thread calls at a time, and no function is called from a signal handler. Messages move without any call.
 *  - What a function only reads is const, as later versions of the standard have it.
 *  - MPI_Init accepts NULL for both arguments. Between MPI_Init and MPI_Finalize an MPI_Init is an error, and so is any
 *    call but MPI_Initialized, MPI_Finalized, MPI_Get_version, MPI_Wtime and MPI_Wtick outside.
 *
 * Plain C99, usable from C++11. Longer than other files: programs include one header, and every function stands in it
 * under both of its names.
 */
#ifndef ASSAY_MPI_H
#define ASSAY_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION    3
#define MPI_SUBVERSION 1

/* ------------------------------------------------------------------------------------------------------------------
 * Types of the interface [2.4]
 */
typedef struct assay_mpi_comm *MPI_Comm;
typedef struct assay_mpi_group *MPI_Group;
typedef struct assay_mpi_datatype *MPI_Datatype;
typedef struct assay_mpi_op *MPI_Op;
typedef struct assay_mpi_errhandler *MPI_Errhandler;
typedef struct assay_mpi_request *MPI_Request;
typedef struct assay_mpi_info *MPI_Info;
typedef struct assay_mpi_win *MPI_Win;
typedef struct assay_mpi_message *MPI_Message;
typedef struct assay_mpi_file *MPI_File;
typedef ptrdiff_t MPI_Aint;   /* an address, or a distance in octets */
typedef long long MPI_Offset; /* of MPI-2: a place in a file */
typedef long long MPI_Count;  /* of MPI-3: a number of elements or octets */

typedef int MPI_Fint; /* of MPI-2: an INTEGER of Fortran, which a handle is there */

/* What became of a message [3.2.5]. The first three are for programs, the rest is the library's. */
typedef struct {
    int MPI_SOURCE; /* rank in the communicator; in the remote group of an intercommunicator */
    int MPI_TAG;
    int MPI_ERROR;
    int assay_external;              /* the octets are external32 */
    int assay_cancelled;             /* see MPI_Test_cancelled */
    unsigned long long assay_octets; /* of the message, packed */
} MPI_Status;

/* A handle is a kind (4 bits) and a place in that kind's table; place 0 is the null handle. For the library only. */
#define ASSAY_MPI_HANDLE(type, kind, place) ((type)(((unsigned long)(place) << 4) | (unsigned long)(kind)))
#define ASSAY_MPI_COMM                      1
#define ASSAY_MPI_GROUP                     2
#define ASSAY_MPI_DATATYPE                  3
#define ASSAY_MPI_OP                        4
#define ASSAY_MPI_ERRHANDLER                5
#define ASSAY_MPI_REQUEST                   6
#define ASSAY_MPI_INFO                      7
#define ASSAY_MPI_WIN                       8
#define ASSAY_MPI_MESSAGE                   9
#define ASSAY_MPI_FILE                      10

/* ------------------------------------------------------------------------------------------------------------------
 * Error classes, which are the error codes too [7.3]
 */
#define MPI_SUCCESS          0
#define MPI_ERR_BUFFER       1 /* memory that is not there, or may not be written; or room that does not suffice */
#define MPI_ERR_COUNT        2 /* a negative count */
#define MPI_ERR_TYPE         3 /* not a datatype, not for this use, not committed; a long that external32 cannot hold */
#define MPI_ERR_TAG          4 /* a tag below 0 or above MPI_TAG_UB */
#define MPI_ERR_COMM         5 /* not a communicator, or not one for this use */
#define MPI_ERR_RANK         6 /* not a rank of the group */
#define MPI_ERR_REQUEST      7 /* not a request */
#define MPI_ERR_ROOT         8 /* not a rank that can be root */
#define MPI_ERR_GROUP        9 /* not a group, or not one for this use */
#define MPI_ERR_OP           10 /* not an operation, or not one for this datatype */
#define MPI_ERR_TOPOLOGY     11 /* the communicator has no such topology */
#define MPI_ERR_DIMS         12 /* a grid that is not possible */
#define MPI_ERR_ARG          13 /* another argument is wrong */
#define MPI_ERR_UNKNOWN      14 /* as the standard's; nothing here gives it */
#define MPI_ERR_TRUNCATE     15 /* the message was longer than the receive had room for */
#define MPI_ERR_OTHER        16 /* memory or contexts are used up */
#define MPI_ERR_INTERN       17 /* the library is wrong about itself */
#define MPI_ERR_IN_STATUS    18 /* the statuses have the errors */
#define MPI_ERR_PENDING      19 /* this request is neither done nor failed */
#define MPI_ERR_INFO         20 /* not an MPI_Info; this one and those below are of MPI-2 */
#define MPI_ERR_INFO_KEY     21 /* a key without characters, or with too many */
#define MPI_ERR_INFO_VALUE   22 /* a value without characters, or with too many */
#define MPI_ERR_INFO_NOKEY   23 /* the key is not there */
#define MPI_ERR_WIN          24 /* not a window */
#define MPI_ERR_SIZE         25 /* a negative size */
#define MPI_ERR_DISP         26 /* a displacement that leaves the window, or a unit that is not positive */
#define MPI_ERR_LOCKTYPE     27 /* neither MPI_LOCK_SHARED nor MPI_LOCK_EXCLUSIVE */
#define MPI_ERR_ASSERT       28 /* not a sum of MPI_MODE_.. */
#define MPI_ERR_RMA_SYNC     29 /* an access, or a synchronisation, that is not its turn */
#define MPI_ERR_NO_MEM       30 /* MPI_Alloc_mem found none */
#define MPI_ERR_KEYVAL       31 /* not the key of an attribute of a datatype or a window */
#define MPI_ERR_RMA_RANGE    32 /* this one and those below are of MPI-3: an address where nothing is attached */
#define MPI_ERR_RMA_ATTACH   33 /* memory that cannot be attached, or is not */
#define MPI_ERR_RMA_SHARED   34 /* processes that share no memory */
#define MPI_ERR_RMA_FLAVOR   35 /* a window that was made by the wrong function for this */
#define MPI_ERR_RMA_CONFLICT 36 /* as the standard's; nothing here gives it */
/* Of files, from MPI-2 */
#define MPI_ERR_FILE                  37 /* not a file */
#define MPI_ERR_NOT_SAME              38 /* processes that do not say the same */
#define MPI_ERR_AMODE                 39 /* an access mode that is not possible */
#define MPI_ERR_UNSUPPORTED_DATAREP   40 /* a representation of data that is not there */
#define MPI_ERR_UNSUPPORTED_OPERATION 41 /* an access that the file is not open for */
#define MPI_ERR_NO_SUCH_FILE          42 /* there is no such file */
#define MPI_ERR_FILE_EXISTS           43 /* the file is there already */
#define MPI_ERR_BAD_FILE              44 /* a name that cannot be one */
#define MPI_ERR_ACCESS                45 /* not permitted */
#define MPI_ERR_NO_SPACE              46 /* there is no room */
#define MPI_ERR_QUOTA                 47 /* the quota is used up */
#define MPI_ERR_READ_ONLY             48 /* the file, or the file system, is for reading only */
#define MPI_ERR_FILE_IN_USE           49 /* the file is in use */
#define MPI_ERR_DUP_DATAREP           50 /* as the standard's; nothing here gives it */
#define MPI_ERR_CONVERSION            51 /* as the standard's; nothing here gives it */
#define MPI_ERR_IO                    52 /* another failure of the system */
/* Of processes that are started or met later, from MPI-2 */
#define MPI_ERR_SPAWN   53 /* processes that cannot be started */
#define MPI_ERR_PORT    54 /* not a port */
#define MPI_ERR_SERVICE 55 /* a service that is not published */
#define MPI_ERR_NAME    56 /* a name under which nothing is published */
#define MPI_ERR_BASE    57 /* as the standard's; nothing here gives it */
/* Of the tool interface, from MPI-3 */
#define MPI_T_ERR_MEMORY            58
#define MPI_T_ERR_NOT_INITIALIZED   59
#define MPI_T_ERR_CANNOT_INIT       60
#define MPI_T_ERR_INVALID_INDEX     61
#define MPI_T_ERR_INVALID_ITEM      62
#define MPI_T_ERR_INVALID_HANDLE    63
#define MPI_T_ERR_OUT_OF_HANDLES    64
#define MPI_T_ERR_OUT_OF_SESSIONS   65
#define MPI_T_ERR_INVALID_SESSION   66
#define MPI_T_ERR_CVAR_SET_NOT_NOW  67
#define MPI_T_ERR_CVAR_SET_NEVER    68
#define MPI_T_ERR_PVAR_NO_STARTSTOP 69
#define MPI_T_ERR_PVAR_NO_WRITE     70
#define MPI_T_ERR_PVAR_NO_ATOMIC    71
#define MPI_T_ERR_INVALID_NAME      72
#define MPI_T_ERR_INVALID           73
#define MPI_ERR_LASTCODE            73

/* ------------------------------------------------------------------------------------------------------------------
 * Constants
 */
#define MPI_BOTTOM                     ((void *)0)
#define MPI_STATUS_IGNORE              ((MPI_Status *)0) /* of MPI-2: a status that is not wanted */
#define MPI_STATUSES_IGNORE            ((MPI_Status *)0)
#define MPI_IN_PLACE                   ((void *)1) /* of MPI-2: what a process sends is where its result comes to */
#define MPI_PROC_NULL                  (-1)
#define MPI_ANY_SOURCE                 (-2)
#define MPI_ROOT                       (-3) /* of MPI-2: the caller is the root, for the other group */
#define MPI_ANY_TAG                    (-1)
#define MPI_UNDEFINED                  (-32766)
#define MPI_BSEND_OVERHEAD             128 /* octets of a Bsend buffer beside each message */
#define MPI_KEYVAL_INVALID             (-1)
#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_ERROR_STRING           256
#define MPI_MAX_OBJECT_NAME            128 /* of MPI-2 */
#define MPI_MAX_LIBRARY_VERSION_STRING 64
#define MPI_MAX_INFO_KEY               255 /* characters, without the end */
#define MPI_MAX_INFO_VAL               1023
#define MPI_MAX_DATAREP_STRING         64
#define MPI_MAX_PORT_NAME              256
#define MPI_ARGV_NULL                  ((char **)0) /* of MPI-2: a command without arguments */
#define MPI_ARGVS_NULL                 ((char ***)0)
#define MPI_ERRCODES_IGNORE            ((int *)0)
#define MPI_CONVERSION_FN_NULL         ((MPI_Datarep_conversion_function *)0)

/* What MPI_Comm_compare and MPI_Group_compare find [5.3.1, 5.4.1] */
#define MPI_IDENT     0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR   2
#define MPI_UNEQUAL   3

/* Of windows, as MPI-2 has them: attributes, kinds of locks, and what a program asserts, which is not needed here */
#define MPI_WIN_BASE            11
#define MPI_WIN_SIZE            12
#define MPI_WIN_DISP_UNIT       13
#define MPI_WIN_CREATE_FLAVOR   14 /* of MPI-3: which function made it, one of MPI_WIN_FLAVOR_.. */
#define MPI_WIN_MODEL           15 /* of MPI-3: MPI_WIN_UNIFIED, for there is one copy of the memory */
#define MPI_WIN_FLAVOR_CREATE   1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC  3
#define MPI_WIN_FLAVOR_SHARED   4
#define MPI_WIN_SEPARATE        1
#define MPI_WIN_UNIFIED         2
#define MPI_LOCK_SHARED         1
#define MPI_LOCK_EXCLUSIVE      2
#define MPI_MODE_NOCHECK        1
#define MPI_MODE_NOSTORE        2
#define MPI_MODE_NOPUT          4
#define MPI_MODE_NOPRECEDE      8
#define MPI_MODE_NOSUCCEED      16

/* Who may call [of MPI-2]; MPI_THREAD_SERIALIZED is what there is */
#define MPI_THREAD_SINGLE     0
#define MPI_THREAD_FUNNELED   1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE   3

/* How MPI_Type_create_subarray counts dimensions [of MPI-2] */
#define MPI_ORDER_C       56
#define MPI_ORDER_FORTRAN 57

/* How MPI_Type_create_darray distributes a dimension [of MPI-2] */
#define MPI_DISTRIBUTE_BLOCK     121
#define MPI_DISTRIBUTE_CYCLIC    122
#define MPI_DISTRIBUTE_NONE      123
#define MPI_DISTRIBUTE_DFLT_DARG (-49767)

/* How a datatype was made, as MPI_Type_get_envelope tells [of MPI-2]; one name for each constructor and its renamed
 * form */
#define MPI_COMBINER_NAMED            1
#define MPI_COMBINER_DUP              2
#define MPI_COMBINER_CONTIGUOUS       3
#define MPI_COMBINER_VECTOR           4
#define MPI_COMBINER_HVECTOR_INTEGER  5 /* this one and the next two are never given here */
#define MPI_COMBINER_HINDEXED_INTEGER 6
#define MPI_COMBINER_STRUCT_INTEGER   7
#define MPI_COMBINER_HVECTOR          8
#define MPI_COMBINER_INDEXED          9
#define MPI_COMBINER_HINDEXED         10
#define MPI_COMBINER_INDEXED_BLOCK    11
#define MPI_COMBINER_HINDEXED_BLOCK   12
#define MPI_COMBINER_STRUCT           13
#define MPI_COMBINER_SUBARRAY         14
#define MPI_COMBINER_DARRAY           15
#define MPI_COMBINER_F90_REAL         16
#define MPI_COMBINER_F90_COMPLEX      17
#define MPI_COMBINER_F90_INTEGER      18
#define MPI_COMBINER_RESIZED          19

/* What MPI_Topo_test finds [6.5.5] */
#define MPI_GRAPH         1
#define MPI_CART          2
#define MPI_DIST_GRAPH    3          /* of MPI-2.2 */
#define MPI_UNWEIGHTED    ((int *)4) /* in place of weights: there are none */
#define MPI_WEIGHTS_EMPTY ((int *)8) /* of MPI-3, in place of no weights: the graph has some elsewhere */

/* Null handles */
#define MPI_COMM_NULL       ASSAY_MPI_HANDLE(MPI_Comm, ASSAY_MPI_COMM, 0)
#define MPI_GROUP_NULL      ASSAY_MPI_HANDLE(MPI_Group, ASSAY_MPI_GROUP, 0)
#define MPI_DATATYPE_NULL   ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 0)
#define MPI_OP_NULL         ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 0)
#define MPI_ERRHANDLER_NULL ASSAY_MPI_HANDLE(MPI_Errhandler, ASSAY_MPI_ERRHANDLER, 0)
#define MPI_REQUEST_NULL    ASSAY_MPI_HANDLE(MPI_Request, ASSAY_MPI_REQUEST, 0)
#define MPI_FILE_NULL       ASSAY_MPI_HANDLE(MPI_File, ASSAY_MPI_FILE, 0)
#define MPI_INFO_NULL       ASSAY_MPI_HANDLE(MPI_Info, ASSAY_MPI_INFO, 0)
#define MPI_WIN_NULL        ASSAY_MPI_HANDLE(MPI_Win, ASSAY_MPI_WIN, 0)
#define MPI_MESSAGE_NULL    ASSAY_MPI_HANDLE(MPI_Message, ASSAY_MPI_MESSAGE, 0)
#define MPI_MESSAGE_NO_PROC ASSAY_MPI_HANDLE(MPI_Message, ASSAY_MPI_MESSAGE, 1) /* one from MPI_PROC_NULL */

/* Communicators, groups, error handlers that are there from the start */
#define MPI_COMM_WORLD       ASSAY_MPI_HANDLE(MPI_Comm, ASSAY_MPI_COMM, 1)
#define MPI_COMM_SELF        ASSAY_MPI_HANDLE(MPI_Comm, ASSAY_MPI_COMM, 2)
#define MPI_GROUP_EMPTY      ASSAY_MPI_HANDLE(MPI_Group, ASSAY_MPI_GROUP, 1)
#define MPI_ERRORS_ARE_FATAL ASSAY_MPI_HANDLE(MPI_Errhandler, ASSAY_MPI_ERRHANDLER, 1)
#define MPI_ERRORS_RETURN    ASSAY_MPI_HANDLE(MPI_Errhandler, ASSAY_MPI_ERRHANDLER, 2)
#define MPI_INFO_ENV         ASSAY_MPI_HANDLE(MPI_Info, ASSAY_MPI_INFO, 1) /* of MPI-3: how the job was started */

/* Basic datatypes [3.2.2], with their octets in external32; three of MPI-2 for what C99 has */
#define MPI_CHAR               ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 1)  /* 1 */
#define MPI_UNSIGNED_CHAR      ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 2)  /* 1 */
#define MPI_BYTE               ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 3)  /* 1 */
#define MPI_SHORT              ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 4)  /* 2 */
#define MPI_UNSIGNED_SHORT     ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 5)  /* 2 */
#define MPI_INT                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 6)  /* 4 */
#define MPI_UNSIGNED           ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 7)  /* 4 */
#define MPI_LONG               ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 8)  /* 4 */
#define MPI_UNSIGNED_LONG      ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 9)  /* 4 */
#define MPI_FLOAT              ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 10) /* 4 */
#define MPI_DOUBLE             ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 11) /* 8 */
#define MPI_LONG_DOUBLE        ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 12) /* 16 */
#define MPI_LONG_LONG_INT      ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 13) /* 8 */
#define MPI_UNSIGNED_LONG_LONG ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 14) /* 8; of MPI-2 */
#define MPI_PACKED             ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 15) /* 1, what MPI_Pack made */
#define MPI_SIGNED_CHAR        ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 24) /* 1; of MPI-2 */
#define MPI_LONG_LONG          MPI_LONG_LONG_INT                                      /* of MPI-2 */

/* Types of MPI-2 and later for integers of <stdint.h>, <stdbool.h> and <wchar.h>, for addresses and places in files */
#define MPI_WCHAR    ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 31) /* 2, of Unicode */
#define MPI_C_BOOL   ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 32) /* 1 */
#define MPI_INT8_T   ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 33) /* 1 */
#define MPI_INT16_T  ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 34) /* 2 */
#define MPI_INT32_T  ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 35) /* 4 */
#define MPI_INT64_T  ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 36) /* 8 */
#define MPI_UINT8_T  ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 37) /* 1 */
#define MPI_UINT16_T ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 38) /* 2 */
#define MPI_UINT32_T ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 39) /* 4 */
#define MPI_UINT64_T ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 40) /* 8 */
#define MPI_AINT     ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 41) /* 8 */
#define MPI_OFFSET   ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 42) /* 8 */
#define MPI_COUNT    ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 43) /* 8 */

/* Markers of MPI_Type_struct [3.12.3] */
#define MPI_LB ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 16)
#define MPI_UB ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 17)

/* A value and an int beside it, for MPI_MAXLOC and MPI_MINLOC [4.9.3] */
#define MPI_FLOAT_INT       ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 18)
#define MPI_DOUBLE_INT      ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 19)
#define MPI_LONG_INT        ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 20)
#define MPI_2INT            ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 21)
#define MPI_SHORT_INT       ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 22)
#define MPI_LONG_DOUBLE_INT ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 23)

/* Types of Fortran [3.2.2, 4.9.3] that are none of C's */
#define MPI_LOGICAL           ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 25) /* 4 */
#define MPI_COMPLEX           ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 26) /* 2 x 4 */
#define MPI_DOUBLE_COMPLEX    ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 27) /* 2 x 8 */
#define MPI_2REAL             ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 28) /* 2 x 4 */
#define MPI_2DOUBLE_PRECISION ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 29) /* 2 x 8 */

/* One of MPI-2 for C99 */
#define MPI_C_LONG_DOUBLE_COMPLEX ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 30) /* 2 x 16 */

/* Types of Fortran that are one of C's here, complex numbers of C, and those of C++ */
#define MPI_INTEGER                 ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 44)
#define MPI_REAL                    ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 45)
#define MPI_DOUBLE_PRECISION        ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 46)
#define MPI_CHARACTER               ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 47)
#define MPI_2INTEGER                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 48)
#define MPI_INTEGER1                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 49)
#define MPI_INTEGER2                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 50)
#define MPI_INTEGER4                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 51)
#define MPI_INTEGER8                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 52)
#define MPI_REAL4                   ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 53)
#define MPI_REAL8                   ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 54)
#define MPI_COMPLEX8                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 55)
#define MPI_COMPLEX16               ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 56)
#define MPI_C_COMPLEX               ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 57)
#define MPI_C_FLOAT_COMPLEX         MPI_C_COMPLEX
#define MPI_C_DOUBLE_COMPLEX        ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 58)
#define MPI_CXX_BOOL                ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 59)
#define MPI_CXX_FLOAT_COMPLEX       ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 60)
#define MPI_CXX_DOUBLE_COMPLEX      ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 61)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ASSAY_MPI_HANDLE(MPI_Datatype, ASSAY_MPI_DATATYPE, 62)

/* Kinds of types for MPI_Type_match_size [of MPI-2], and of communicators for MPI_Comm_split_type [of MPI-3] */
#define MPI_TYPECLASS_REAL    1
#define MPI_TYPECLASS_INTEGER 2
#define MPI_TYPECLASS_COMPLEX 3
#define MPI_COMM_TYPE_SHARED  1 /* processes of one machine */

/* Operations [4.9.2] */
#define MPI_MAX     ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 1)
#define MPI_MIN     ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 2)
#define MPI_SUM     ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 3)
#define MPI_PROD    ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 4)
#define MPI_LAND    ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 5)
#define MPI_BAND    ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 6)
#define MPI_LOR     ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 7)
#define MPI_BOR     ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 8)
#define MPI_LXOR    ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 9)
#define MPI_BXOR    ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 10)
#define MPI_MAXLOC  ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 11)
#define MPI_MINLOC  ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 12)
#define MPI_REPLACE ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 13) /* of MPI-2, for MPI_Accumulate only */
#define MPI_NO_OP   ASSAY_MPI_HANDLE(MPI_Op, ASSAY_MPI_OP, 14) /* of MPI-3, for functions that fetch */

/* Keys of attributes that every communicator has; each value is found through a pointer to int [7.1.1; IMPI 2.5].
 * A client is what one impirun started, a host is one of its agents; they are counted, and coloured from 0 in the order
 * of MPI_COMM_WORLD, among the members of the communicator. On an intercommunicator the members are those of the local
 * group. */
#define MPI_TAG_UB          0  /* the largest tag: what all clients of the job can carry, 2147483647 without IMPI */
#define MPI_HOST            1  /* MPI_PROC_NULL: no process is a host */
#define MPI_IO              2  /* MPI_ANY_SOURCE: every process has input and output */
#define MPI_WTIME_IS_GLOBAL 3  /* 0: each process has its own clock */
#define IMPI_CLIENT_SIZE    4  /* clients among the members */
#define IMPI_CLIENT_COLOR   5  /* which of them this process belongs to */
#define IMPI_HOST_SIZE      6  /* hosts among the members */
#define IMPI_HOST_COLOR     7  /* which of them this process belongs to */
#define MPI_UNIVERSE_SIZE   8  /* of MPI-2: processes that there may be; as many as there are, for none can be added */
#define MPI_APPNUM          9  /* of MPI-2: which command started this process: the number of its client in the job */
#define MPI_LASTUSEDCODE    10 /* of MPI-2: the last error code, of the library or added by the program */

/* ------------------------------------------------------------------------------------------------------------------
 * Functions that programs give to MPI
 */
typedef int MPI_Copy_function(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in,
                              void *attribute_val_out, int *flag);
typedef int MPI_Delete_function(MPI_Comm comm, int keyval, void *attribute_val, void *extra_state);
typedef void MPI_Handler_function(MPI_Comm *comm, int *code, ...);
typedef void MPI_User_function(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);

typedef MPI_Copy_function MPI_Comm_copy_attr_function; /* names of MPI-2 */
typedef MPI_Delete_function MPI_Comm_delete_attr_function;
typedef int MPI_Type_copy_attr_function(MPI_Datatype oldtype, int keyval, void *extra_state, void *attribute_val_in,
                                        void *attribute_val_out, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype datatype, int keyval, void *attribute_val, void *extra_state);
typedef int MPI_Win_copy_attr_function(MPI_Win oldwin, int keyval, void *extra_state, void *attribute_val_in,
                                       void *attribute_val_out, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int keyval, void *attribute_val, void *extra_state);
typedef MPI_Handler_function MPI_Comm_errhandler_fn;
typedef MPI_Handler_function MPI_Comm_errhandler_function;
typedef void MPI_Win_errhandler_fn(MPI_Win *win, int *code, ...);
typedef MPI_Win_errhandler_fn MPI_Win_errhandler_function;
typedef void MPI_File_errhandler_fn(MPI_File *fh, int *code, ...);
typedef int MPI_Datarep_conversion_function(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                                            MPI_Offset position, void *extra_state);
typedef int MPI_Datarep_extent_function(MPI_Datatype datatype, MPI_Aint *file_extent, void *extra_state);
typedef MPI_File_errhandler_fn MPI_File_errhandler_function;

typedef int MPI_Grequest_query_function(void *extra_state, MPI_Status *status);
typedef int MPI_Grequest_free_function(void *extra_state);
typedef int MPI_Grequest_cancel_function(void *extra_state, int complete);

#define MPI_COMM_NULL_COPY_FN   MPI_NULL_COPY_FN
#define MPI_COMM_NULL_DELETE_FN MPI_NULL_DELETE_FN
#define MPI_COMM_DUP_FN         MPI_DUP_FN
#define MPI_NULL_COPY_FN        ((MPI_Copy_function *)0)
#define MPI_NULL_DELETE_FN      ((MPI_Delete_function *)0)
#define MPI_DUP_FN              MPI_Dup_fn
#define MPI_TYPE_NULL_COPY_FN   ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_TYPE_DUP_FN         MPI_Type_dup_fn
#define MPI_WIN_NULL_COPY_FN    ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN  ((MPI_Win_delete_attr_function *)0)
#define MPI_WIN_DUP_FN          MPI_Win_dup_fn

int MPI_Dup_fn(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
               int *flag);

/* ------------------------------------------------------------------------------------------------------------------
 * Point to point [3]
 */
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count);
int MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Buffer_attach(void *buffer, int size);
int MPI_Buffer_detach(void *buffer, int *size);
int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Request_free(MPI_Request *request);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int MPI_Waitsome(int incount, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses);
int MPI_Testsome(int incount, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Cancel(MPI_Request *request);
int MPI_Test_cancelled(const MPI_Status *status, int *flag);
int MPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                         MPI_Comm comm, MPI_Status *status);

/* ------------------------------------------------------------------------------------------------------------------
 * Datatypes [3.12, 3.13]. Extents are rounded up to the strictest alignment of their basic types, as the standard's
 * formula says, for every constructor. MPI_Pack makes external32 on a communicator of several clients [IMPI 4.1], and
 * the native form, with the octets of the elements one after the other, on all others; MPI_Pack_size is exact.
 */
int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_indexed(int count, const int *blocklengths, const int *displacements, MPI_Datatype oldtype,
                     MPI_Datatype *newtype);
int MPI_Type_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype,
                      MPI_Datatype *newtype);
int MPI_Type_struct(int count, const int *blocklengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                    MPI_Datatype *newtype);
int MPI_Address(const void *location, MPI_Aint *address);
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent);
int MPI_Type_size(MPI_Datatype datatype, int *size); /* MPI_UNDEFINED where no int can hold it */
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Type_commit(MPI_Datatype *datatype);
int MPI_Type_free(MPI_Datatype *datatype);
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count);
int MPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
             MPI_Comm comm);
int MPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
               MPI_Comm comm);
int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size);

/* ------------------------------------------------------------------------------------------------------------------
 * Collective operations [4], on intracommunicators
 */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm);
int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm);
int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm);
int MPI_Scatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                   const int *displs, MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype, void *recvbuf,
                  const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm);
int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm);
int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* ------------------------------------------------------------------------------------------------------------------
 * Groups, communicators, attributes [5]
 */
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_translate_ranks(MPI_Group group1, int count, const int *ranks1, MPI_Group group2, int *ranks2);
int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *newgroup);
int MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *newgroup);
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup);
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup);
int MPI_Group_free(MPI_Group *group);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_remote_size(MPI_Comm comm, int *size);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                         MPI_Comm *newintercomm);
int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm);
int MPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state);
int MPI_Keyval_free(int *keyval);
int MPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val);
int MPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag);
int MPI_Attr_delete(MPI_Comm comm, int keyval);

/* ------------------------------------------------------------------------------------------------------------------
 * Topologies [6]. Ranks are never reordered. MPI_Comm_dup copies a topology.
 */

int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int *dims, const int *periods, int reorder,
                    MPI_Comm *comm_cart);
int MPI_Dims_create(int nnodes, int ndims, int *dims); /* the lengths as equal as they can be, the largest first */
int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int *index, const int *edges, int reorder,
                     MPI_Comm *comm_graph);
int MPI_Topo_test(MPI_Comm comm, int *status);
int MPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges);
int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int *index, int *edges);
int MPI_Cartdim_get(MPI_Comm comm, int *ndims);
int MPI_Cart_get(MPI_Comm comm, int maxdims, int *dims, int *periods, int *coords);
int MPI_Cart_rank(MPI_Comm comm, const int *coords, int *rank);
int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int *neighbors);
int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest);
int MPI_Cart_sub(MPI_Comm comm, const int *remain_dims, MPI_Comm *newcomm);
int MPI_Cart_map(MPI_Comm comm, int ndims, const int *dims, const int *periods, int *newrank);
int MPI_Graph_map(MPI_Comm comm, int nnodes, const int *index, const int *edges, int *newrank);

/* ------------------------------------------------------------------------------------------------------------------
 * The environment [7, 8]
 */
int MPI_Init(int *argc, char ***argv);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int errorcode); /* ends the whole job, whatever the communicator */
int MPI_Get_version(int *version, int *subversion);
int MPI_Get_processor_name(char *name, int *resultlen);
int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler);
int MPI_Errhandler_free(MPI_Errhandler *errhandler);
int MPI_Error_string(int errorcode, char *string, int *resultlen);
int MPI_Error_class(int errorcode, int *errorclass);
double MPI_Wtime(void); /* seconds of a clock that only goes forward */
double MPI_Wtick(void);
int MPI_Pcontrol(const int level, ...); /* does nothing, as the standard's default */

/* ------------------------------------------------------------------------------------------------------------------
 * Handles and statuses in Fortran and back, as MPI-2 has them. What names nothing becomes a handle that names nothing.
 * A status takes 8 INTEGERs, of which the first three are source, tag and error.
 */
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
MPI_Group MPI_Group_f2c(MPI_Fint group);
MPI_Fint MPI_Group_c2f(MPI_Group group);
MPI_Datatype MPI_Type_f2c(MPI_Fint datatype);
MPI_Fint MPI_Type_c2f(MPI_Datatype datatype);
MPI_Op MPI_Op_f2c(MPI_Fint op);
MPI_Fint MPI_Op_c2f(MPI_Op op);
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint errhandler);
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler errhandler);
MPI_Request MPI_Request_f2c(MPI_Fint request);
MPI_Fint MPI_Request_c2f(MPI_Request request);
MPI_Info MPI_Info_f2c(MPI_Fint info);
MPI_Fint MPI_Info_c2f(MPI_Info info);
MPI_Win MPI_Win_f2c(MPI_Fint win);
MPI_Fint MPI_Win_c2f(MPI_Win win);
int MPI_Status_f2c(const MPI_Fint *from, MPI_Status *to);
int MPI_Status_c2f(const MPI_Status *from, MPI_Fint *to);

/* ------------------------------------------------------------------------------------------------------------------
 * Names of MPI-2 that programs of today use: those that replaced functions of MPI-1, told in errors as these;
 * MPI_Init_thread, which always provides MPI_THREAD_SERIALIZED; and hints, of which nothing here takes any.
 */

int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_create_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype,
                             MPI_Datatype *newtype);
int MPI_Type_create_struct(int count, const int *blocklengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                           MPI_Datatype *newtype);
int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype);
int MPI_Type_create_indexed_block(int count, int blocklength, const int *displacements, MPI_Datatype oldtype,
                                  MPI_Datatype *newtype);
int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint *displacements, MPI_Datatype oldtype,
                                   MPI_Datatype *newtype);
int MPI_Type_create_subarray(int ndims, const int *sizes, const int *subsizes, const int *starts, int order,
                             MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype);
int MPI_Type_set_name(MPI_Datatype datatype, const char *name);
int MPI_Type_get_name(MPI_Datatype datatype, char *name, int *resultlen);
int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent);
int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent);
int MPI_Get_address(const void *location, MPI_Aint *address);
int MPI_Comm_create_errhandler(MPI_Handler_function *function, MPI_Errhandler *errhandler);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler);
int MPI_Comm_create_keyval(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state);
int MPI_Comm_free_keyval(int *keyval);
int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void *attribute_val);
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute_val, int *flag);
int MPI_Comm_delete_attr(MPI_Comm comm, int keyval);
int MPI_Comm_set_name(MPI_Comm comm, const char *name);
int MPI_Comm_get_name(MPI_Comm comm, char *name, int *resultlen);
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode);
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int MPI_Comm_get_parent(MPI_Comm *parent);
int MPI_Comm_disconnect(MPI_Comm *comm);
int MPI_Add_error_class(int *errorclass);
int MPI_Add_error_code(int errorclass, int *errorcode);
int MPI_Add_error_string(int errorcode, const char *string);
int MPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
                      MPI_Aint outsize, MPI_Aint *position);
int MPI_Unpack_external(const char *datarep, const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
                        int outcount, MPI_Datatype datatype);
int MPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size);
int MPI_Alltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes,
                  void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes,
                  MPI_Comm comm);
int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm);
int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op);
int MPI_Op_commutative(MPI_Op op, int *commute);
int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
int MPI_Get_library_version(char *version, int *resultlen);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Query_thread(int *provided);
int MPI_Is_thread_main(int *flag);
int MPI_Finalized(int *flag);
int MPI_Info_create(MPI_Info *info);
int MPI_Info_free(MPI_Info *info);
int MPI_Info_dup(MPI_Info info, MPI_Info *newinfo);
int MPI_Info_set(MPI_Info info, const char *key, const char *value);
int MPI_Info_delete(MPI_Info info, const char *key);
int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag);
int MPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag);
int MPI_Info_get_nkeys(MPI_Info info, int *nkeys);
int MPI_Info_get_nthkey(MPI_Info info, int n, char *key);
int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);

/* ------------------------------------------------------------------------------------------------------------------
 * Processes and jobs that come later, of MPI-2 [there 5], and representations of data of a program's own [9.5.3]: there
 * are none. MPI_Comm_join gives MPI_COMM_NULL, all others an error.
 */
int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm *intercomm, int array_of_errcodes[]);
int MPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[],
                            const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm,
                            int array_of_errcodes[]);
int MPI_Open_port(MPI_Info info, char *port_name);
int MPI_Close_port(const char *port_name);
int MPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_join(int fd, MPI_Comm *intercomm);
int MPI_Publish_name(const char *service_name, MPI_Info info, const char *port_name);
int MPI_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name);
int MPI_Lookup_name(const char *service_name, MPI_Info info, char *port_name);
int MPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                         MPI_Datarep_conversion_function *write_conversion_fn,
                         MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state);

/* ------------------------------------------------------------------------------------------------------------------
 * The tool interface of MPI-3 [14.3], which has no variables to show
 */
typedef struct assay_mpi_t_enum *MPI_T_enum;
typedef struct assay_mpi_t_cvar *MPI_T_cvar_handle;
typedef struct assay_mpi_t_pvar *MPI_T_pvar_handle;
typedef struct assay_mpi_t_session *MPI_T_pvar_session;

#define MPI_T_ENUM_NULL         ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL  ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL  ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_ALL_HANDLES  ((MPI_T_pvar_handle)1)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)

#define MPI_T_VERBOSITY_USER_BASIC     1
#define MPI_T_VERBOSITY_USER_DETAIL    2
#define MPI_T_VERBOSITY_USER_ALL       3
#define MPI_T_VERBOSITY_TUNER_BASIC    4
#define MPI_T_VERBOSITY_TUNER_DETAIL   5
#define MPI_T_VERBOSITY_TUNER_ALL      6
#define MPI_T_VERBOSITY_MPIDEV_BASIC   7
#define MPI_T_VERBOSITY_MPIDEV_DETAIL  8
#define MPI_T_VERBOSITY_MPIDEV_ALL     9
#define MPI_T_BIND_NO_OBJECT           0
#define MPI_T_BIND_MPI_COMM            1
#define MPI_T_BIND_MPI_DATATYPE        2
#define MPI_T_BIND_MPI_ERRHANDLER      3
#define MPI_T_BIND_MPI_FILE            4
#define MPI_T_BIND_MPI_GROUP           5
#define MPI_T_BIND_MPI_OP              6
#define MPI_T_BIND_MPI_REQUEST         7
#define MPI_T_BIND_MPI_WIN             8
#define MPI_T_BIND_MPI_MESSAGE         9
#define MPI_T_BIND_MPI_INFO            10
#define MPI_T_SCOPE_CONSTANT           0
#define MPI_T_SCOPE_READONLY           1
#define MPI_T_SCOPE_LOCAL              2
#define MPI_T_SCOPE_GROUP              3
#define MPI_T_SCOPE_GROUP_EQ           4
#define MPI_T_SCOPE_ALL                5
#define MPI_T_SCOPE_ALL_EQ             6
#define MPI_T_PVAR_CLASS_STATE         0
#define MPI_T_PVAR_CLASS_LEVEL         1
#define MPI_T_PVAR_CLASS_SIZE          2
#define MPI_T_PVAR_CLASS_PERCENTAGE    3
#define MPI_T_PVAR_CLASS_HIGHWATERMARK 4
#define MPI_T_PVAR_CLASS_LOWWATERMARK  5
#define MPI_T_PVAR_CLASS_COUNTER       6
#define MPI_T_PVAR_CLASS_AGGREGATE     7
#define MPI_T_PVAR_CLASS_TIMER         8
#define MPI_T_PVAR_CLASS_GENERIC       9

int MPI_T_init_thread(int required, int *provided);
int MPI_T_finalize(void);
int MPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len);
int MPI_T_enum_get_item(MPI_T_enum enumtype, int index, int *value, char *name, int *name_len);
int MPI_T_cvar_get_num(int *num_cvar);
int MPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                        MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope);
int MPI_T_cvar_get_index(const char *name, int *cvar_index);
int MPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count);
int MPI_T_cvar_handle_free(MPI_T_cvar_handle *handle);
int MPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf);
int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf);
int MPI_T_pvar_get_num(int *num_pvar);
int MPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                        MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                        int *readonly, int *continuous, int *atomic);
int MPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index);
int MPI_T_pvar_session_create(MPI_T_pvar_session *session);
int MPI_T_pvar_session_free(MPI_T_pvar_session *session);
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                            int *count);
int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle);
int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
int MPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf);
int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int MPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
int MPI_T_category_get_num(int *num_cat);
int MPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                            int *num_pvars, int *num_categories);
int MPI_T_category_get_index(const char *name, int *cat_index);
int MPI_T_category_get_cvars(int cat_index, int len, int indices[]);
int MPI_T_category_get_pvars(int cat_index, int len, int indices[]);
int MPI_T_category_get_categories(int cat_index, int len, int indices[]);
int MPI_T_category_changed(int *stamp);

/* ------------------------------------------------------------------------------------------------------------------
 * One-sided communication of MPI-2 [there 6], between the processes of one client: MPI_Win_create refuses others. What
 * is moved is at its place without a call of the target, which is served by Portals and, for accumulates and locks, by
 * a thread; synchronising calls only say when. Accesses outside an epoch, or outside the window, are errors. The
 * handler of a new window is MPI_ERRORS_ARE_FATAL. MPI_Alloc_mem is malloc.
 */

int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_free(MPI_Win *win);
int MPI_Win_get_group(MPI_Win win, MPI_Group *group);
int MPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag);
int MPI_Win_create_errhandler(MPI_Win_errhandler_fn *function, MPI_Errhandler *errhandler);
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler);
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler);
int MPI_Win_call_errhandler(MPI_Win win, int errorcode);
int MPI_Win_set_name(MPI_Win win, const char *name);
int MPI_Win_get_name(MPI_Win win, char *name, int *resultlen);
int MPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win);
int MPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
            int target_count, MPI_Datatype target_datatype, MPI_Win win);
int MPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                   MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win);
int MPI_Win_fence(int assert, MPI_Win win);
int MPI_Win_start(MPI_Group group, int assert, MPI_Win win);
int MPI_Win_complete(MPI_Win win);
int MPI_Win_post(MPI_Group group, int assert, MPI_Win win);
int MPI_Win_wait(MPI_Win win);
int MPI_Win_test(MPI_Win win, int *flag);
int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win);
int MPI_Win_unlock(int rank, MPI_Win win);
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr);
int MPI_Free_mem(void *base);

/* ------------------------------------------------------------------------------------------------------------------
 * Datatypes of later versions: how one was made, shares of distributed arrays, sizes in MPI_Count, and what a program
 * says of a status of its own. MPI_Type_get_contents gives new handles of types that are not predefined: free them.
 */
int MPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                          int *combiner);
int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int *integers,
                          MPI_Aint *addresses, MPI_Datatype *datatypes);
int MPI_Type_create_darray(int size, int rank, int ndims, const int *gsizes, const int *distribs, const int *dargs,
                           const int *psizes, int order, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype);
int MPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype);
int MPI_Type_create_f90_integer(int r, MPI_Datatype *newtype);
int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size);
int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent);
int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent);
int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count);
int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count);
int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count);
int MPI_Status_set_cancelled(MPI_Status *status, int flag);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp);
MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2);

/* ------------------------------------------------------------------------------------------------------------------
 * Collective operations that only begin, of MPI-3 [there 5.12], on intracommunicators. They go on in whatever MPI
 * function waits or looks for news; those of one communicator one after the other. Their requests cannot be cancelled.
 */
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                 const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iscatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int MPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                    const int *displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int MPI_Ialltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype, void *recvbuf,
                   const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Ialltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes,
                   void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes,
                   MPI_Comm comm, MPI_Request *request);
int MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request *request);
int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request *request);
int MPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request *request);
int MPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request *request);
int MPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request *request);

/* ------------------------------------------------------------------------------------------------------------------
 * Messages that are found and received in two steps, communicators, hints and memory of windows as MPI-3 has them.
 * MPI_Comm_idup of a communicator with several clients waits for the other processes, and its request is done.
 */
int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status);
int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status);
int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status);
int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used);
int MPI_Win_set_info(MPI_Win win, MPI_Info info);
int MPI_Win_get_info(MPI_Win win, MPI_Info *info_used);
int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size);
int MPI_Win_detach(MPI_Win win, const void *base);
MPI_Message MPI_Message_f2c(MPI_Fint message);
MPI_Fint MPI_Message_c2f(MPI_Message message);

/* ------------------------------------------------------------------------------------------------------------------
 * Requests that the program completes, of MPI-2
 */
int MPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                       MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request);
int MPI_Grequest_complete(MPI_Request request);

/* ------------------------------------------------------------------------------------------------------------------
 * Locks of all parts of a window, and accesses completed while a lock is held, of MPI-3
 */
int MPI_Win_lock_all(int assert, MPI_Win win);
int MPI_Win_unlock_all(MPI_Win win);
int MPI_Win_flush(int rank, MPI_Win win);
int MPI_Win_flush_all(MPI_Win win);
int MPI_Win_flush_local(int rank, MPI_Win win);
int MPI_Win_flush_local_all(MPI_Win win);
int MPI_Win_sync(MPI_Win win);

/* ------------------------------------------------------------------------------------------------------------------
 * Attributes of datatypes and windows, of MPI-2. A key is for one kind of objects.
 */
int MPI_Type_dup_fn(MPI_Datatype oldtype, int keyval, void *extra_state, void *attribute_val_in,
                    void *attribute_val_out, int *flag);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn, MPI_Type_delete_attr_function *delete_fn, int *keyval,
                           void *extra_state);
int MPI_Type_free_keyval(int *keyval);
int MPI_Type_set_attr(MPI_Datatype datatype, int keyval, void *attribute_val);
int MPI_Type_get_attr(MPI_Datatype datatype, int keyval, void *attribute_val, int *flag);
int MPI_Type_delete_attr(MPI_Datatype datatype, int keyval);
int MPI_Win_dup_fn(MPI_Win oldwin, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                   int *flag);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy_fn, MPI_Win_delete_attr_function *delete_fn, int *keyval,
                          void *extra_state);
int MPI_Win_free_keyval(int *keyval);
int MPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val);
int MPI_Win_delete_attr(MPI_Win win, int win_keyval);

/* ------------------------------------------------------------------------------------------------------------------
 * Sending and receiving at once without waiting, of MPI-4: the request is done when both messages are.
 */
int MPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request);
int MPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Request *request);

/* ------------------------------------------------------------------------------------------------------------------
 * Single accesses to windows that have a request, or fetch what was there, of MPI-3. Those with a request are for
 * epochs that a lock opens.
 */
int MPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request);
int MPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request);
int MPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                    MPI_Request *request);
int MPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                       int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                       int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win);
int MPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                        int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                        int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request);
int MPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                     MPI_Aint target_disp, MPI_Op op, MPI_Win win);
int MPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                         int target_rank, MPI_Aint target_disp, MPI_Win win);

/* ------------------------------------------------------------------------------------------------------------------
 * Distributed graphs of MPI-2.2, whose processes each know their own edges, and collective operations between
 * neighbours of MPI-3 [there 7.5 to 7.7], in any topology. In a grid each process has two neighbours in each dimension,
 * below it and above; where one is not there its blocks stay as they are.
 */
int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int *sources, const int *sourceweights,
                                   int outdegree, const int *destinations, const int *destweights, MPI_Info info,
                                   int reorder, MPI_Comm *comm_dist_graph);
int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int *sources, const int *degrees, const int *destinations,
                          const int *weights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int *sources, int *sourceweights, int maxoutdegree,
                             int *destinations, int *destweights);
int MPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request *request);
int MPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                           void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
                           MPI_Comm comm);
int MPI_Ineighbor_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                            void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
                            MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_alltoallw(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                           const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const MPI_Aint *rdispls,
                           const MPI_Datatype *recvtypes, MPI_Comm comm);
int MPI_Ineighbor_alltoallw(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                            const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                            const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm,
                            MPI_Request *request);

/* ------------------------------------------------------------------------------------------------------------------
 * Windows of shared memory, of MPI-3: for processes on one machine. The memory of each begins where that of the one
 * before it ends.
 */
int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win);
int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr);

/* ------------------------------------------------------------------------------------------------------------------
 * Files of several processes, of MPI-2: each process opens the file for itself, so they see the same where the system
 * shows all of them the same. Representations are "native" and "internal", which is the same here. What only begins is
 * done before the function returns. The pointer that processes share stands in a file beside it.
 */
#define MPI_MODE_CREATE          1
#define MPI_MODE_RDONLY          2
#define MPI_MODE_WRONLY          4
#define MPI_MODE_RDWR            8
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN     32
#define MPI_MODE_EXCL            64
#define MPI_MODE_APPEND          128
#define MPI_MODE_SEQUENTIAL      256
#define MPI_SEEK_SET             600
#define MPI_SEEK_CUR             602
#define MPI_SEEK_END             604
#define MPI_DISPLACEMENT_CURRENT (-54278278)
int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh);
int MPI_File_close(MPI_File *fh);
int MPI_File_delete(const char *filename, MPI_Info info);
int MPI_File_set_size(MPI_File fh, MPI_Offset size);
int MPI_File_preallocate(MPI_File fh, MPI_Offset size);
int MPI_File_get_size(MPI_File fh, MPI_Offset *size);
int MPI_File_get_group(MPI_File fh, MPI_Group *group);
int MPI_File_get_amode(MPI_File fh, int *amode);
int MPI_File_set_info(MPI_File fh, MPI_Info info);
int MPI_File_get_info(MPI_File fh, MPI_Info *info_used);
int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
                      MPI_Info info);
int MPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep);
int MPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent);
int MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence);
int MPI_File_get_position(MPI_File fh, MPI_Offset *offset);
int MPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp);
int MPI_File_set_atomicity(MPI_File fh, int flag);
int MPI_File_get_atomicity(MPI_File fh, int *flag);
int MPI_File_sync(MPI_File fh);
int MPI_File_create_errhandler(MPI_File_errhandler_fn *function, MPI_Errhandler *errhandler);
int MPI_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler);
int MPI_File_get_errhandler(MPI_File fh, MPI_Errhandler *errhandler);
int MPI_File_call_errhandler(MPI_File fh, int errorcode);
int MPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                      MPI_Request *request);
int MPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int MPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                         MPI_Status *status);
int MPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                          MPI_Request *request);
int MPI_File_iread_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                      MPI_Status *status);
int MPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                       MPI_Request *request);
int MPI_File_iwrite(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int MPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                          MPI_Status *status);
int MPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                           MPI_Request *request);
int MPI_File_iwrite_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int MPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence);
int MPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset);
int MPI_File_read_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iread_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int MPI_File_read_ordered(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_write_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iwrite_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int MPI_File_write_ordered(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype);
int MPI_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status);
int MPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype);
int MPI_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status);
int MPI_File_read_ordered_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype);
int MPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status);
int MPI_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype);
int MPI_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status);
int MPI_File_write_all_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype);
int MPI_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status);
int MPI_File_write_ordered_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype);
int MPI_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status);
MPI_File MPI_File_f2c(MPI_Fint file);
MPI_Fint MPI_File_c2f(MPI_File file);

/* ------------------------------------------------------------------------------------------------------------------
 * All functions again, for tools [8]: a program or library that defines MPI_Send itself is called instead of this one,
 * which it reaches as PMPI_Send.
 */
int PMPI_Dup_fn(MPI_Comm oldcomm, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                int *flag);
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count);
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int PMPI_Buffer_attach(void *buffer, int size);
int PMPI_Buffer_detach(void *buffer, int *size);
int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request);
int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request);
int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request);
int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Wait(MPI_Request *request, MPI_Status *status);
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int PMPI_Request_free(MPI_Request *request);
int PMPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int PMPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int PMPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int PMPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int PMPI_Waitsome(int incount, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses);
int PMPI_Testsome(int incount, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses);
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
int PMPI_Cancel(MPI_Request *request);
int PMPI_Test_cancelled(const MPI_Status *status, int *flag);
int PMPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request);
int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request);
int PMPI_Start(MPI_Request *request);
int PMPI_Startall(int count, MPI_Request *requests);
int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Status *status);
int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_indexed(int count, const int *blocklengths, const int *displacements, MPI_Datatype oldtype,
                      MPI_Datatype *newtype);
int PMPI_Type_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype,
                       MPI_Datatype *newtype);
int PMPI_Type_struct(int count, const int *blocklengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                     MPI_Datatype *newtype);
int PMPI_Address(const void *location, MPI_Aint *address);
int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent);
int PMPI_Type_size(MPI_Datatype datatype, int *size);
int PMPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement);
int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement);
int PMPI_Type_commit(MPI_Datatype *datatype);
int PMPI_Type_free(MPI_Datatype *datatype);
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count);
int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
              MPI_Comm comm);
int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
                MPI_Comm comm);
int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size);
int PMPI_Barrier(MPI_Comm comm);
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm);
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                 const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm);
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm);
int PMPI_Scatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                    const int *displs, MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype, void *recvbuf,
                   const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm);
int PMPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
int PMPI_Op_free(MPI_Op *op);
int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm);
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int PMPI_Group_size(MPI_Group group, int *size);
int PMPI_Group_rank(MPI_Group group, int *rank);
int PMPI_Group_translate_ranks(MPI_Group group1, int count, const int *ranks1, MPI_Group group2, int *ranks2);
int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result);
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int PMPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *newgroup);
int PMPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *newgroup);
int PMPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup);
int PMPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup);
int PMPI_Group_free(MPI_Group *group);
int PMPI_Comm_size(MPI_Comm comm, int *size);
int PMPI_Comm_rank(MPI_Comm comm, int *rank);
int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result);
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm);
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int PMPI_Comm_free(MPI_Comm *comm);
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag);
int PMPI_Comm_remote_size(MPI_Comm comm, int *size);
int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm *newintercomm);
int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm);
int PMPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state);
int PMPI_Keyval_free(int *keyval);
int PMPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val);
int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag);
int PMPI_Attr_delete(MPI_Comm comm, int keyval);
int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int *dims, const int *periods, int reorder,
                     MPI_Comm *comm_cart);
int PMPI_Dims_create(int nnodes, int ndims, int *dims);
int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int *index, const int *edges, int reorder,
                      MPI_Comm *comm_graph);
int PMPI_Topo_test(MPI_Comm comm, int *status);
int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges);
int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int *index, int *edges);
int PMPI_Cartdim_get(MPI_Comm comm, int *ndims);
int PMPI_Cart_get(MPI_Comm comm, int maxdims, int *dims, int *periods, int *coords);
int PMPI_Cart_rank(MPI_Comm comm, const int *coords, int *rank);
int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords);
int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors);
int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int *neighbors);
int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest);
int PMPI_Cart_sub(MPI_Comm comm, const int *remain_dims, MPI_Comm *newcomm);
int PMPI_Cart_map(MPI_Comm comm, int ndims, const int *dims, const int *periods, int *newrank);
int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int *index, const int *edges, int *newrank);
int PMPI_Init(int *argc, char ***argv);
int PMPI_Initialized(int *flag);
int PMPI_Finalize(void);
int PMPI_Abort(MPI_Comm comm, int errorcode);
int PMPI_Get_version(int *version, int *subversion);
int PMPI_Get_processor_name(char *name, int *resultlen);
int PMPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler);
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler);
int PMPI_Errhandler_free(MPI_Errhandler *errhandler);
int PMPI_Error_string(int errorcode, char *string, int *resultlen);
int PMPI_Error_class(int errorcode, int *errorclass);
double PMPI_Wtime(void);
double PMPI_Wtick(void);
int PMPI_Pcontrol(const int level, ...);
MPI_Comm PMPI_Comm_f2c(MPI_Fint comm);
MPI_Fint PMPI_Comm_c2f(MPI_Comm comm);
MPI_Group PMPI_Group_f2c(MPI_Fint group);
MPI_Fint PMPI_Group_c2f(MPI_Group group);
MPI_Datatype PMPI_Type_f2c(MPI_Fint datatype);
MPI_Fint PMPI_Type_c2f(MPI_Datatype datatype);
MPI_Op PMPI_Op_f2c(MPI_Fint op);
MPI_Fint PMPI_Op_c2f(MPI_Op op);
MPI_Errhandler PMPI_Errhandler_f2c(MPI_Fint errhandler);
MPI_Fint PMPI_Errhandler_c2f(MPI_Errhandler errhandler);
MPI_Request PMPI_Request_f2c(MPI_Fint request);
MPI_Fint PMPI_Request_c2f(MPI_Request request);
MPI_Info PMPI_Info_f2c(MPI_Fint info);
MPI_Fint PMPI_Info_c2f(MPI_Info info);
MPI_Win PMPI_Win_f2c(MPI_Fint win);
MPI_Fint PMPI_Win_c2f(MPI_Win win);
int PMPI_Status_f2c(const MPI_Fint *from, MPI_Status *to);
int PMPI_Status_c2f(const MPI_Status *from, MPI_Fint *to);
int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_create_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype,
                              MPI_Datatype *newtype);
int PMPI_Type_create_struct(int count, const int *blocklengths, const MPI_Aint *displacements,
                            const MPI_Datatype *types, MPI_Datatype *newtype);
int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype);
int PMPI_Type_create_indexed_block(int count, int blocklength, const int *displacements, MPI_Datatype oldtype,
                                   MPI_Datatype *newtype);
int PMPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint *displacements, MPI_Datatype oldtype,
                                    MPI_Datatype *newtype);
int PMPI_Type_create_subarray(int ndims, const int *sizes, const int *subsizes, const int *starts, int order,
                              MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype);
int PMPI_Type_set_name(MPI_Datatype datatype, const char *name);
int PMPI_Type_get_name(MPI_Datatype datatype, char *name, int *resultlen);
int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent);
int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent);
int PMPI_Get_address(const void *location, MPI_Aint *address);
int PMPI_Comm_create_errhandler(MPI_Handler_function *function, MPI_Errhandler *errhandler);
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler);
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler);
int PMPI_Comm_create_keyval(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state);
int PMPI_Comm_free_keyval(int *keyval);
int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *attribute_val);
int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute_val, int *flag);
int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval);
int PMPI_Comm_set_name(MPI_Comm comm, const char *name);
int PMPI_Comm_get_name(MPI_Comm comm, char *name, int *resultlen);
int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode);
int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int PMPI_Comm_get_parent(MPI_Comm *parent);
int PMPI_Comm_disconnect(MPI_Comm *comm);
int PMPI_Add_error_class(int *errorclass);
int PMPI_Add_error_code(int errorclass, int *errorcode);
int PMPI_Add_error_string(int errorcode, const char *string);
int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
                       MPI_Aint outsize, MPI_Aint *position);
int PMPI_Unpack_external(const char *datarep, const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
                         int outcount, MPI_Datatype datatype);
int PMPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size);
int PMPI_Alltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes,
                   void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes,
                   MPI_Comm comm);
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm);
int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op);
int PMPI_Op_commutative(MPI_Op op, int *commute);
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
int PMPI_Get_library_version(char *version, int *resultlen);
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int PMPI_Query_thread(int *provided);
int PMPI_Is_thread_main(int *flag);
int PMPI_Finalized(int *flag);
int PMPI_Info_create(MPI_Info *info);
int PMPI_Info_free(MPI_Info *info);
int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo);
int PMPI_Info_set(MPI_Info info, const char *key, const char *value);
int PMPI_Info_delete(MPI_Info info, const char *key);
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag);
int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag);
int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys);
int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key);
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
int PMPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win);
int PMPI_Win_free(MPI_Win *win);
int PMPI_Win_get_group(MPI_Win win, MPI_Group *group);
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag);
int PMPI_Win_create_errhandler(MPI_Win_errhandler_fn *function, MPI_Errhandler *errhandler);
int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler);
int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler);
int PMPI_Win_call_errhandler(MPI_Win win, int errorcode);
int PMPI_Win_set_name(MPI_Win win, const char *name);
int PMPI_Win_get_name(MPI_Win win, char *name, int *resultlen);
int PMPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win);
int PMPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_datatype, MPI_Win win);
int PMPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win);
int PMPI_Win_fence(int assert, MPI_Win win);
int PMPI_Win_start(MPI_Group group, int assert, MPI_Win win);
int PMPI_Win_complete(MPI_Win win);
int PMPI_Win_post(MPI_Group group, int assert, MPI_Win win);
int PMPI_Win_wait(MPI_Win win);
int PMPI_Win_test(MPI_Win win, int *flag);
int PMPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win);
int PMPI_Win_unlock(int rank, MPI_Win win);
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr);
int PMPI_Free_mem(void *base);
int PMPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                           int *combiner);
int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int *integers,
                           MPI_Aint *addresses, MPI_Datatype *datatypes);
int PMPI_Type_create_darray(int size, int rank, int ndims, const int *gsizes, const int *distribs, const int *dargs,
                            const int *psizes, int order, MPI_Datatype oldtype, MPI_Datatype *newtype);
int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype);
int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype);
int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype);
int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size);
int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent);
int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent);
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count);
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count);
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count);
int PMPI_Status_set_cancelled(MPI_Status *status, int flag);
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp);
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2);
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                  const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Iscatterv(const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                     const int *displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int PMPI_Ialltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                    void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Ialltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes,
                    void *recvbuf, const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes,
                    MPI_Comm comm, MPI_Request *request);
int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Request *request);
int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPI_Request *request);
int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request);
int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request *request);
int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Request *request);
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status);
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status);
int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status);
int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request);
int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm);
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request);
int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);
int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used);
int PMPI_Win_set_info(MPI_Win win, MPI_Info info);
int PMPI_Win_get_info(MPI_Win win, MPI_Info *info_used);
int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win);
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win);
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size);
int PMPI_Win_detach(MPI_Win win, const void *base);
MPI_Message PMPI_Message_f2c(MPI_Fint message);
MPI_Fint PMPI_Message_c2f(MPI_Message message);
int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request);
int PMPI_Grequest_complete(MPI_Request request);
int PMPI_Win_lock_all(int assert, MPI_Win win);
int PMPI_Win_unlock_all(MPI_Win win);
int PMPI_Win_flush(int rank, MPI_Win win);
int PMPI_Win_flush_all(MPI_Win win);
int PMPI_Win_flush_local(int rank, MPI_Win win);
int PMPI_Win_flush_local_all(MPI_Win win);
int PMPI_Win_sync(MPI_Win win);
int PMPI_Type_dup_fn(MPI_Datatype oldtype, int keyval, void *extra_state, void *attribute_val_in,
                     void *attribute_val_out, int *flag);
int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn, MPI_Type_delete_attr_function *delete_fn, int *keyval,
                            void *extra_state);
int PMPI_Type_free_keyval(int *keyval);
int PMPI_Type_set_attr(MPI_Datatype datatype, int keyval, void *attribute_val);
int PMPI_Type_get_attr(MPI_Datatype datatype, int keyval, void *attribute_val, int *flag);
int PMPI_Type_delete_attr(MPI_Datatype datatype, int keyval);
int PMPI_Win_dup_fn(MPI_Win oldwin, int keyval, void *extra_state, void *attribute_val_in, void *attribute_val_out,
                    int *flag);
int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *copy_fn, MPI_Win_delete_attr_function *delete_fn, int *keyval,
                           void *extra_state);
int PMPI_Win_free_keyval(int *keyval);
int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val);
int PMPI_Win_delete_attr(MPI_Win win, int win_keyval);
int PMPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request);
int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                           MPI_Comm comm, MPI_Request *request);
int PMPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request);
int PMPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
              int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request);
int PMPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                     MPI_Request *request);
int PMPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                        int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                        int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win);
int PMPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                         int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                         int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request);
int PMPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                      MPI_Aint target_disp, MPI_Op op, MPI_Win win);
int PMPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                          int target_rank, MPI_Aint target_disp, MPI_Win win);
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int *sources, const int *sourceweights,
                                    int outdegree, const int *destinations, const int *destweights, MPI_Info info,
                                    int reorder, MPI_Comm *comm_dist_graph);
int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int *sources, const int *degrees, const int *destinations,
                           const int *weights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph);
int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted);
int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int *sources, int *sourceweights, int maxoutdegree,
                              int *destinations, int *destweights);
int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                              const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm,
                              MPI_Request *request);
int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm);
int PMPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
int PMPI_Neighbor_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                            void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
                            MPI_Comm comm);
int PMPI_Ineighbor_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
                             void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request);
int PMPI_Neighbor_alltoallw(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                            const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                            const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm);
int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                             const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                             const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm,
                             MPI_Request *request);
int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win);
int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr);
int PMPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh);
int PMPI_File_close(MPI_File *fh);
int PMPI_File_delete(const char *filename, MPI_Info info);
int PMPI_File_set_size(MPI_File fh, MPI_Offset size);
int PMPI_File_preallocate(MPI_File fh, MPI_Offset size);
int PMPI_File_get_size(MPI_File fh, MPI_Offset *size);
int PMPI_File_get_group(MPI_File fh, MPI_Group *group);
int PMPI_File_get_amode(MPI_File fh, int *amode);
int PMPI_File_set_info(MPI_File fh, MPI_Info info);
int PMPI_File_get_info(MPI_File fh, MPI_Info *info_used);
int PMPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
                       MPI_Info info);
int PMPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep);
int PMPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent);
int PMPI_File_seek(MPI_File fh, MPI_Offset offset, int whence);
int PMPI_File_get_position(MPI_File fh, MPI_Offset *offset);
int PMPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp);
int PMPI_File_set_atomicity(MPI_File fh, int flag);
int PMPI_File_get_atomicity(MPI_File fh, int *flag);
int PMPI_File_sync(MPI_File fh);
int PMPI_File_create_errhandler(MPI_File_errhandler_fn *function, MPI_Errhandler *errhandler);
int PMPI_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler);
int PMPI_File_get_errhandler(MPI_File fh, MPI_Errhandler *errhandler);
int PMPI_File_call_errhandler(MPI_File fh, int errorcode);
int PMPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                       MPI_Request *request);
int PMPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int PMPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                          MPI_Status *status);
int PMPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                           MPI_Request *request);
int PMPI_File_iread_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int PMPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                       MPI_Status *status);
int PMPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                        MPI_Request *request);
int PMPI_File_iwrite(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int PMPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                           MPI_Status *status);
int PMPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                            MPI_Request *request);
int PMPI_File_iwrite_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int PMPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence);
int PMPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset);
int PMPI_File_read_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_iread_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int PMPI_File_read_ordered(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_write_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_iwrite_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request);
int PMPI_File_write_ordered(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int PMPI_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype);
int PMPI_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status);
int PMPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype);
int PMPI_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status);
int PMPI_File_read_ordered_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype);
int PMPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status);
int PMPI_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype);
int PMPI_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status);
int PMPI_File_write_all_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype);
int PMPI_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status);
int PMPI_File_write_ordered_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype);
int PMPI_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status);
MPI_File PMPI_File_f2c(MPI_Fint file);
MPI_Fint PMPI_File_c2f(MPI_File file);
int PMPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                    MPI_Comm *intercomm, int array_of_errcodes[]);
int PMPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[],
                             const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm,
                             MPI_Comm *intercomm, int array_of_errcodes[]);
int PMPI_Open_port(MPI_Info info, char *port_name);
int PMPI_Close_port(const char *port_name);
int PMPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm);
int PMPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm);
int PMPI_Comm_join(int fd, MPI_Comm *intercomm);
int PMPI_Publish_name(const char *service_name, MPI_Info info, const char *port_name);
int PMPI_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name);
int PMPI_Lookup_name(const char *service_name, MPI_Info info, char *port_name);
int PMPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                          MPI_Datarep_conversion_function *write_conversion_fn,
                          MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state);
int PMPI_T_init_thread(int required, int *provided);
int PMPI_T_finalize(void);
int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len);
int PMPI_T_enum_get_item(MPI_T_enum enumtype, int index, int *value, char *name, int *name_len);
int PMPI_T_cvar_get_num(int *num_cvar);
int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                         MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope);
int PMPI_T_cvar_get_index(const char *name, int *cvar_index);
int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count);
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle);
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf);
int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf);
int PMPI_T_pvar_get_num(int *num_pvar);
int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                         int *readonly, int *continuous, int *atomic);
int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index);
int PMPI_T_pvar_session_create(MPI_T_pvar_session *session);
int PMPI_T_pvar_session_free(MPI_T_pvar_session *session);
int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                             int *count);
int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle);
int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf);
int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
int PMPI_T_category_get_num(int *num_cat);
int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                             int *num_pvars, int *num_categories);
int PMPI_T_category_get_index(const char *name, int *cat_index);
int PMPI_T_category_get_cvars(int cat_index, int len, int indices[]);
int PMPI_T_category_get_pvars(int cat_index, int len, int indices[]);
int PMPI_T_category_get_categories(int cat_index, int len, int indices[]);
int PMPI_T_category_changed(int *stamp);

#ifdef __cplusplus
}
#endif
#endif
