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
      INTEGER MOST, I
      PARAMETER (MOST=16)
      INTEGER INDEX(MOST), EDGES(2 * MOST), ALL(MOST), CAME(MOST)
      INTEGER COUNTS(MOST), TYPES(MOST)
      INTEGER (KIND=MPI_ADDRESS_KIND) FAR(MOST)
      LOGICAL HAS
      COMMON /KEPT/ MINE, GOT, ALL, CAME
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
C     Begun, each block with a type of its own, in a graph that is no
C     grid: all are neighbours of the first.
      DO 10 I = 1, SIZE - 1
         INDEX(I + 1) = SIZE - 1 + I
         EDGES(I) = I
         EDGES(SIZE - 1 + I) = 0
   10 CONTINUE
      INDEX(1) = SIZE - 1
      CALL MPI_GRAPH_CREATE(MPI_COMM_WORLD, SIZE, INDEX, EDGES, .FALSE.,
     &                      RING, IERR)
      DO 20 I = 1, MOST
         ALL(I) = 100 * RANK + I
         CAME(I) = -1
         COUNTS(I) = 1
         FAR(I) = 4 * (I - 1)
         TYPES(I) = MPI_INTEGER
   20 CONTINUE
      CALL MPI_INEIGHBOR_ALLTOALLW(ALL, COUNTS, FAR, TYPES, CAME,
     &     COUNTS, FAR, TYPES, RING, REQUEST, IERR)
      IF (REQUEST .EQ. MPI_REQUEST_NULL) STOP 'no request'
      CALL MPI_WAIT(REQUEST, MPI_STATUS_IGNORE, IERR)
      IF (RANK .EQ. 0 .AND. CAME(SIZE - 1) .NE. 100 * (SIZE - 1) + 1)
     &     STOP 'to the middle'
      IF (RANK .NE. 0 .AND. CAME(1) .NE. RANK) STOP 'from the middle'
      CALL MPI_COMM_FREE(RING, IERR)
C     To the first process from all others, and nothing back.
      IN = 0
      OUT = 1
      IF (RANK .EQ. 0) IN = SIZE - 1
      IF (RANK .EQ. 0) OUT = 0
      DO 30 I = 1, MOST
         CAME(I) = -1
   30 CONTINUE
      CALL MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, IN, EDGES,
     &     MPI_UNWEIGHTED, OUT, 0, MPI_UNWEIGHTED, MPI_INFO_NULL,
     &     .FALSE., RING, IERR)
      CALL MPI_NEIGHBOR_ALLTOALLW(ALL, COUNTS, FAR, TYPES, CAME,
     &     COUNTS, FAR, TYPES, RING, IERR)
      DO 40 I = 1, IN
         IF (CAME(I) .NE. 100 * I + 1) STOP 'from the others'
   40 CONTINUE
      CALL MPI_COMM_FREE(RING, IERR)
      IF (RANK .EQ. 0) PRINT '(A)', ' neighbors are good'
      CALL MPI_FINALIZE(IERR)
      END
