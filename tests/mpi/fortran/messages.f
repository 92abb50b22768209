C     SPDX-License-Identifier: BSD-2-Clause
C     Copyright (c) 2026 The Assay authors
C
C     Messages: statuses, indices that begin with 1, persistent requests, a type whose parts lie in a COMMON block.
      PROGRAM MESSAG
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, SIZE, I, N, INDEX, DONE, TYPE, OTHER
      INTEGER STATUS(MPI_STATUS_SIZE), STATS(MPI_STATUS_SIZE,3)
      INTEGER REQ(3), PLACES(3), IN(3), LENGTH(3), WHERE(3), KINDS(3)
      INTEGER BUFFER(300), VERSN, SUBVER
      LOGICAL FLAG
      CHARACTER*12 TEXT
      DOUBLE PRECISION D
      INTEGER K
      REAL R(4)
      COMMON /PARTS/ D, K, R
C     What arrives behind the compiler's back is not local.
      COMMON /ARRIVE/ IN, BUFFER
      CALL MPI_INIT(IERR)
      CALL MPI_INITIALIZED(FLAG, IERR)
      IF (.NOT. FLAG) STOP 'not initialized'
      CALL MPI_GET_VERSION(VERSN, SUBVER, IERR)
      IF (VERSN .LT. 1) STOP 'version'
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      IF (SIZE .NE. 4) STOP 'size'
C     A CHARACTER, its source, tag and count.
      TEXT = ' '
      IF (RANK .EQ. 0) THEN
        CALL MPI_SEND('hello there', 11, MPI_CHARACTER, 1, 7,
     &                MPI_COMM_WORLD, IERR)
      ELSE IF (RANK .EQ. 1) THEN
        CALL MPI_RECV(TEXT, 12, MPI_CHARACTER, MPI_ANY_SOURCE,
     &                MPI_ANY_TAG, MPI_COMM_WORLD, STATUS, IERR)
        CALL MPI_GET_COUNT(STATUS, MPI_CHARACTER, N, IERR)
        IF (TEXT .NE. 'hello there' .OR. N .NE. 11) STOP 'text'
        IF (STATUS(MPI_SOURCE) .NE. 0) STOP 'source'
        IF (STATUS(MPI_TAG) .NE. 7) STOP 'tag'
      END IF
C     Rank 0 hears of the others, one after the other, in any order.
      IF (RANK .EQ. 0) THEN
        DO I = 1, 3
          CALL MPI_IRECV(IN(I), 1, MPI_INTEGER, I, 8, MPI_COMM_WORLD,
     &                   REQ(I), IERR)
        END DO
        CALL MPI_WAITANY(3, REQ, INDEX, STATUS, IERR)
        IF (INDEX .LT. 1 .OR. INDEX .GT. 3) STOP 'index'
        IF (STATUS(MPI_SOURCE) .NE. INDEX) STOP 'source of any'
        IF (REQ(INDEX) .NE. MPI_REQUEST_NULL) STOP 'not null'
        N = 1
 10     CONTINUE
        CALL MPI_WAITSOME(3, REQ, DONE, PLACES, STATS, IERR)
        IF (DONE .NE. MPI_UNDEFINED) THEN
          DO I = 1, DONE
            IF (STATS(MPI_SOURCE,I) .NE. PLACES(I)) STOP 'some'
          END DO
          N = N + DONE
          GOTO 10
        END IF
        IF (N .NE. 3) STOP 'some are missing'
        CALL MPI_TESTANY(3, REQ, INDEX, FLAG, MPI_STATUS_IGNORE, IERR)
        IF (.NOT. FLAG .OR. INDEX .NE. MPI_UNDEFINED) STOP 'none'
        DO I = 1, 3
          IF (IN(I) .NE. 100 * I) STOP 'value'
        END DO
      ELSE
        CALL MPI_SEND(100 * RANK, 1, MPI_INTEGER, 0, 8, MPI_COMM_WORLD,
     &                IERR)
      END IF
C     Persistent requests in a ring.
      OTHER = MOD(RANK + 1, SIZE)
      CALL MPI_SEND_INIT(RANK, 1, MPI_INTEGER, OTHER, 9,
     &                   MPI_COMM_WORLD, REQ(1), IERR)
      CALL MPI_RECV_INIT(IN, 1, MPI_INTEGER, MOD(RANK + SIZE - 1, SIZE),
     &                   9, MPI_COMM_WORLD, REQ(2), IERR)
      DO I = 1, 3
        IN(1) = -1
        CALL MPI_STARTALL(2, REQ, IERR)
        CALL MPI_WAITALL(2, REQ, STATS, IERR)
        IF (IN(1) .NE. MOD(RANK + SIZE - 1, SIZE)) STOP 'ring'
        IF (STATS(MPI_SOURCE,2) .NE. IN(1)) STOP 'source in the ring'
      END DO
      CALL MPI_REQUEST_FREE(REQ(1), IERR)
      CALL MPI_REQUEST_FREE(REQ(2), IERR)
      IF (REQ(1) .NE. MPI_REQUEST_NULL) STOP 'freed'
C     A type of three parts, relative to MPI_BOTTOM.
      LENGTH(1) = 1
      LENGTH(2) = 1
      LENGTH(3) = 4
      KINDS(1) = MPI_DOUBLE_PRECISION
      KINDS(2) = MPI_INTEGER
      KINDS(3) = MPI_REAL
      CALL MPI_ADDRESS(D, WHERE(1), IERR)
      CALL MPI_ADDRESS(K, WHERE(2), IERR)
      CALL MPI_ADDRESS(R, WHERE(3), IERR)
      IF (WHERE(2) - WHERE(1) .NE. 8) STOP 'address'
      CALL MPI_TYPE_STRUCT(3, LENGTH, WHERE, KINDS, TYPE, IERR)
      CALL MPI_TYPE_COMMIT(TYPE, IERR)
      CALL MPI_TYPE_SIZE(TYPE, N, IERR)
      IF (N .NE. 28) STOP 'type size'
      D = RANK + 0.5D0
      K = RANK
      DO I = 1, 4
        R(I) = RANK * 10 + I
      END DO
      IF (RANK .EQ. 2) THEN
        CALL MPI_SEND(MPI_BOTTOM, 1, TYPE, 3, 11, MPI_COMM_WORLD, IERR)
      ELSE IF (RANK .EQ. 3) THEN
        CALL MPI_RECV(MPI_BOTTOM, 1, TYPE, 2, 11, MPI_COMM_WORLD,
     &                STATUS, IERR)
        CALL MPI_GET_ELEMENTS(STATUS, TYPE, N, IERR)
        IF (D .NE. 2.5D0 .OR. K .NE. 2 .OR. R(4) .NE. 24.) STOP 'parts'
        IF (N .NE. 6) STOP 'elements'
      END IF
      CALL MPI_TYPE_FREE(TYPE, IERR)
C     Columns of an array, packed.
      CALL MPI_TYPE_VECTOR(3, 1, 4, MPI_INTEGER, TYPE, IERR)
      CALL MPI_TYPE_EXTENT(TYPE, N, IERR)
      IF (N .NE. 36) STOP 'extent'
      CALL MPI_TYPE_COMMIT(TYPE, IERR)
      DO I = 1, 12
        BUFFER(I) = I
        BUFFER(100 + I) = 0
      END DO
      CALL MPI_SENDRECV(BUFFER, 1, TYPE, RANK, 12, BUFFER(101), 3,
     &     MPI_INTEGER, RANK, 12, MPI_COMM_WORLD, STATUS, IERR)
      IF (BUFFER(101) .NE. 1 .OR. BUFFER(102) .NE. 5) STOP 'column'
      N = 0
      CALL MPI_PACK(BUFFER, 1, TYPE, BUFFER(201), 200, N,
     &              MPI_COMM_WORLD, IERR)
      IF (N .NE. 12) STOP 'packed'
      CALL MPI_TYPE_FREE(TYPE, IERR)
      IF (TYPE .NE. MPI_DATATYPE_NULL) STOP 'type not null'
C     A buffer for buffered messages.
      CALL MPI_BUFFER_ATTACH(BUFFER, 1200, IERR)
      CALL MPI_BSEND(RANK, 1, MPI_INTEGER, OTHER, 13, MPI_COMM_WORLD,
     &               IERR)
      CALL MPI_PROBE(MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, STATUS, IERR)
      CALL MPI_RECV(N, 1, MPI_INTEGER, STATUS(MPI_SOURCE), 13,
     &              MPI_COMM_WORLD, MPI_STATUS_IGNORE, IERR)
      IF (N .NE. MOD(RANK + 3, 4)) STOP 'buffered'
      CALL MPI_BUFFER_DETACH(BUFFER, N, IERR)
      IF (N .NE. 1200) STOP 'detached'
      IF (RANK .EQ. 0) PRINT *, 'messages are good'
      CALL MPI_FINALIZE(IERR)
      END
