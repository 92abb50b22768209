C     SPDX-License-Identifier: BSD-2-Clause
C     Copyright (c) 2026 The Assay authors
C
C     Distributed graphs, neighbours that exchange blocks, memory that
C     processes share.
      PROGRAM NEIGHB
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, SIZE, RING, REQUEST, NEXT, BEFORE
      INTEGER IN, OUT, FROM(2), TO(2), W1(2), W2(2), KINDS(2)
      INTEGER ONES(2), MINE(2), GOT(2), EMPTY(1)
      INTEGER (KIND=MPI_ADDRESS_KIND) PLACES(2)
      LOGICAL HAS
      COMMON /KEPT/ MINE, GOT
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      NEXT = MOD(RANK + 1, SIZE)
      BEFORE = MOD(RANK + SIZE - 1, SIZE)
C     With weights, and asked for them.
      CALL MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 1, BEFORE,
     &     RANK, 1, NEXT, NEXT, MPI_INFO_NULL, .FALSE., RING, IERR)
      CALL MPI_DIST_GRAPH_NEIGHBORS_COUNT(RING, IN, OUT, HAS, IERR)
      IF (IN .NE. 1 .OR. OUT .NE. 1 .OR. .NOT. HAS) STOP 'degrees'
      CALL MPI_DIST_GRAPH_NEIGHBORS(RING, 1, FROM, W1, 1, TO, W2, IERR)
      IF (FROM(1) .NE. BEFORE .OR. TO(1) .NE. NEXT) STOP 'neighbours'
      IF (W1(1) .NE. RANK .OR. W2(1) .NE. NEXT) STOP 'weights'
      CALL MPI_COMM_FREE(RING, IERR)
C     Without; the first process says all edges.
      ONES(1) = 0
      IF (RANK .EQ. 0) ONES(1) = 1
      CALL MPI_DIST_GRAPH_CREATE(MPI_COMM_WORLD, ONES(1), 0, 1,
     &     SIZE - 1, MPI_UNWEIGHTED, MPI_INFO_NULL, .FALSE., RING, IERR)
      CALL MPI_DIST_GRAPH_NEIGHBORS_COUNT(RING, IN, OUT, HAS, IERR)
      IF (HAS) STOP 'unweighted'
      IF (RANK .EQ. 0 .AND. OUT .NE. 1) STOP 'told'
      CALL MPI_COMM_FREE(RING, IERR)
      CALL MPI_DIST_GRAPH_CREATE(MPI_COMM_WORLD, 0, EMPTY, EMPTY,
     &     EMPTY, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .FALSE., RING, IERR)
      CALL MPI_DIST_GRAPH_NEIGHBORS_COUNT(RING, IN, OUT, HAS, IERR)
      IF (IN .NE. 0 .OR. OUT .NE. 0 .OR. .NOT. HAS) STOP 'empty'
      CALL MPI_COMM_FREE(RING, IERR)
C     In a ring: what goes down comes from above.
      CALL MPI_CART_CREATE(MPI_COMM_WORLD, 1, SIZE, .TRUE., .FALSE.,
     &                     RING, IERR)
      MINE(1) = 10 * RANK
      MINE(2) = 10 * RANK + 1
      CALL MPI_NEIGHBOR_ALLTOALL(MINE, 1, MPI_INTEGER, GOT, 1,
     &                           MPI_INTEGER, RING, IERR)
      IF (GOT(1) .NE. 10 * BEFORE + 1) STOP 'from below'
      IF (GOT(2) .NE. 10 * NEXT) STOP 'from above'
      CALL MPI_INEIGHBOR_ALLGATHER(MINE(2), 1, MPI_INTEGER, GOT, 1,
     &                             MPI_INTEGER, RING, REQUEST, IERR)
      CALL MPI_WAIT(REQUEST, MPI_STATUS_IGNORE, IERR)
      IF (GOT(1) .NE. 10 * BEFORE + 1) STOP 'all from below'
      IF (GOT(2) .NE. 10 * NEXT + 1) STOP 'all from above'
      KINDS(1) = MPI_INTEGER
      KINDS(2) = MPI_INTEGER
      ONES(1) = 1
      ONES(2) = 1
      PLACES(1) = 4
      PLACES(2) = 0
      CALL MPI_NEIGHBOR_ALLTOALLW(MINE, ONES, PLACES, KINDS, GOT, ONES,
     &                            PLACES, KINDS, RING, IERR)
      IF (GOT(2) .NE. 10 * BEFORE) STOP 'each from below'
      IF (GOT(1) .NE. 10 * NEXT + 1) STOP 'each from above'
      CALL MPI_COMM_FREE(RING, IERR)
      IF (RANK .EQ. 0) PRINT '(A)', ' neighbors are good'
      CALL MPI_FINALIZE(IERR)
      END
