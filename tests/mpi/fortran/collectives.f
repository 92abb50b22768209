C     SPDX-License-Identifier: BSD-2-Clause
C     Copyright (c) 2026 The Assay authors
C
C     Collective operations on Fortran's types, communicators, and the functions that a program gives to MPI.
      PROGRAM COLLEC
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, SIZE, I, N, OP, HALF, KEY, VALUE, HANDLR, TWIN
      INTEGER GROUP, FEWER, RANKS(2), RANGES(3,1), CLASS, LEN, COPY
      INTEGER COUNTS(4), SHIFTS(4), ALL(10)
      LOGICAL FLAG, LAND, LOR
      COMPLEX C, CSUM
      DOUBLE COMPLEX Z, ZPROD
      REAL PAIR(2), BEST(2)
      DOUBLE PRECISION T
      CHARACTER*(MPI_MAX_ERROR_STRING) TEXT
      CHARACTER*4 SHORT
      EXTERNAL JOIN, NOTICE, TWICE, GONE
      INTEGER NOTED, LEFT
      COMMON /SEEN/ NOTED, LEFT
      NOTED = 0
      LEFT = 0
      CALL MPI_INIT(IERR)
      T = MPI_WTIME()
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      IF (SIZE .NE. 4) STOP 'size'
C     Types that only Fortran has.
      C = CMPLX(RANK, 1.)
      CALL MPI_ALLREDUCE(C, CSUM, 1, MPI_COMPLEX, MPI_SUM,
     &                   MPI_COMM_WORLD, IERR)
      IF (CSUM .NE. (6., 4.)) STOP 'complex'
      Z = (0D0, 1D0)
      CALL MPI_REDUCE(Z, ZPROD, 1, MPI_DOUBLE_COMPLEX, MPI_PROD, 0,
     &                MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0 .AND. ZPROD .NE. (1D0, 0D0)) STOP 'product'
      CALL MPI_ALLREDUCE(RANK .LT. 3, LAND, 1, MPI_LOGICAL, MPI_LAND,
     &                   MPI_COMM_WORLD, IERR)
      CALL MPI_ALLREDUCE(RANK .EQ. 3, LOR, 1, MPI_LOGICAL, MPI_LOR,
     &                   MPI_COMM_WORLD, IERR)
      IF (LAND .OR. .NOT. LOR) STOP 'logical'
      PAIR(1) = -ABS(RANK - 2)
      PAIR(2) = RANK
      CALL MPI_ALLREDUCE(PAIR, BEST, 1, MPI_2REAL, MPI_MAXLOC,
     &                   MPI_COMM_WORLD, IERR)
      IF (BEST(1) .NE. 0. .OR. BEST(2) .NE. 2.) STOP 'maxloc'
C     Of different lengths.
      DO I = 1, 4
        COUNTS(I) = I
        SHIFTS(I) = (I - 1) * I / 2
      END DO
      DO I = 1, 10
        ALL(I) = -1
      END DO
      CALL MPI_ALLGATHERV(COUNTS, RANK + 1, MPI_INTEGER, ALL, COUNTS,
     &                    SHIFTS, MPI_INTEGER, MPI_COMM_WORLD, IERR)
      IF (ALL(1) .NE. 1 .OR. ALL(2) .NE. 1 .OR. ALL(10) .NE. 4)
     &  STOP 'gathered'
C     An operation of the program's own, which does not commute.
      CALL MPI_OP_CREATE(JOIN, .FALSE., OP, IERR)
      CALL MPI_ALLREDUCE(RANK + 1, N, 1, MPI_INTEGER, OP,
     &                   MPI_COMM_WORLD, IERR)
      IF (N .NE. 1234) STOP 'own operation'
      CALL MPI_OP_FREE(OP, IERR)
      IF (OP .NE. MPI_OP_NULL) STOP 'operation not null'
C     Groups and communicators.
      CALL MPI_COMM_GROUP(MPI_COMM_WORLD, GROUP, IERR)
      RANKS(1) = 3
      RANKS(2) = 1
      CALL MPI_GROUP_INCL(GROUP, 2, RANKS, FEWER, IERR)
      CALL MPI_GROUP_RANK(FEWER, N, IERR)
      IF (RANK .EQ. 3 .AND. N .NE. 0) STOP 'rank in the group'
      CALL MPI_GROUP_FREE(FEWER, IERR)
      RANGES(1,1) = 0
      RANGES(2,1) = 3
      RANGES(3,1) = 2
      CALL MPI_GROUP_RANGE_INCL(GROUP, 1, RANGES, FEWER, IERR)
      CALL MPI_GROUP_SIZE(FEWER, N, IERR)
      IF (N .NE. 2) STOP 'range'
      CALL MPI_COMM_CREATE(MPI_COMM_WORLD, FEWER, HALF, IERR)
      IF ((HALF .EQ. MPI_COMM_NULL) .NEQV. (MOD(RANK, 2) .EQ. 1))
     &  STOP 'created'
      IF (HALF .NE. MPI_COMM_NULL) CALL MPI_COMM_FREE(HALF, IERR)
      CALL MPI_COMM_SPLIT(MPI_COMM_WORLD, MOD(RANK, 2), -RANK, HALF,
     &                    IERR)
      CALL MPI_COMM_RANK(HALF, N, IERR)
      IF (N .NE. 1 - RANK / 2) STOP 'split'
C     Attributes: predefined, and with functions that are called.
      CALL MPI_ATTR_GET(HALF, MPI_TAG_UB, VALUE, FLAG, IERR)
      IF (.NOT. FLAG .OR. VALUE .LT. 32767) STOP 'tag_ub'
      CALL MPI_KEYVAL_CREATE(TWICE, GONE, KEY, 17, IERR)
      CALL MPI_ATTR_GET(HALF, KEY, VALUE, FLAG, IERR)
      IF (FLAG) STOP 'nothing is there'
      CALL MPI_ATTR_PUT(HALF, KEY, -21, IERR)
      CALL MPI_COMM_DUP(HALF, TWIN, IERR)
      CALL MPI_ATTR_GET(TWIN, KEY, VALUE, FLAG, IERR)
      IF (.NOT. FLAG .OR. VALUE .NE. -42) STOP 'copied'
      CALL MPI_COMM_FREE(TWIN, IERR)
      IF (LEFT .NE. -42) STOP 'deleted'
      CALL MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, COPY, 0,
     &                       IERR)
      CALL MPI_ATTR_PUT(HALF, COPY, 5, IERR)
      CALL MPI_COMM_DUP(HALF, TWIN, IERR)
      CALL MPI_ATTR_GET(TWIN, COPY, VALUE, FLAG, IERR)
      IF (.NOT. FLAG .OR. VALUE .NE. 5) STOP 'copied as it is'
C     Errors: returned, explained, and told to the program.
      CALL MPI_ERRHANDLER_SET(TWIN, MPI_ERRORS_RETURN, IERR)
      CALL MPI_SEND(N, -1, MPI_INTEGER, 0, 0, TWIN, IERR)
      CALL MPI_ERROR_CLASS(IERR, CLASS, N)
      IF (CLASS .NE. MPI_ERR_COUNT) STOP 'class'
      CALL MPI_ERROR_STRING(IERR, TEXT, LEN, N)
      IF (LEN .LT. 5 .OR. TEXT(LEN+1:) .NE. ' ') STOP 'string'
      CALL MPI_ERRHANDLER_CREATE(NOTICE, HANDLR, IERR)
      CALL MPI_ERRHANDLER_SET(TWIN, HANDLR, IERR)
      CALL MPI_SEND(N, 1, MPI_INTEGER, 99, 0, TWIN, IERR)
      IF (NOTED .NE. 1) STOP 'handler'
      CALL MPI_GET_PROCESSOR_NAME(TEXT, LEN, IERR)
      IF (LEN .LT. 1) STOP 'name'
      SHORT = 'none'
      IF (MPI_WTIME() .LT. T .OR. MPI_WTICK() .LE. 0D0) STOP 'clock'
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0) PRINT *, 'collectives are good'
      CALL MPI_FINALIZE(IERR)
      END

C     Writes the digits of two numbers one behind the other.
      SUBROUTINE JOIN(IN, INOUT, LEN, TYPE)
      INCLUDE 'mpif.h'
      INTEGER LEN, IN(LEN), INOUT(LEN), TYPE, I, POWER
      IF (TYPE .NE. MPI_INTEGER) STOP 'type of the operation'
      DO I = 1, LEN
        POWER = 10
 20     IF (POWER .LE. INOUT(I)) THEN
          POWER = POWER * 10
          GOTO 20
        END IF
        INOUT(I) = IN(I) * POWER + INOUT(I)
      END DO
      END

      SUBROUTINE TWICE(OLD, KEY, EXTRA, VALIN, VALOUT, FLAG, IERR)
      INTEGER OLD, KEY, EXTRA, VALIN, VALOUT, IERR
      LOGICAL FLAG
      IF (EXTRA .NE. 17) STOP 'extra state'
      VALOUT = 2 * VALIN
      FLAG = .TRUE.
      IERR = 0
      END

      SUBROUTINE GONE(OLD, KEY, VALUE, EXTRA, IERR)
      INTEGER OLD, KEY, VALUE, EXTRA, IERR, NOTED, LEFT
      COMMON /SEEN/ NOTED, LEFT
      LEFT = VALUE
      IERR = 0
      END

      SUBROUTINE NOTICE(COMM, CODE)
      INTEGER COMM, CODE, NOTED, LEFT
      COMMON /SEEN/ NOTED, LEFT
      IF (CODE .NE. 0) NOTED = NOTED + 1
      END
