C     SPDX-License-Identifier: BSD-2-Clause
C     Copyright (c) 2026 The Assay authors
C
C     Topologies: a grid that is a ring one way, its rows, and a graph.
      PROGRAM TOPOLO
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, SIZE, GRID, ROW, GRAPH, FROM, TO, KIND, N, M
      INTEGER DIMS(2), COORDS(2), ENDS(4), LINKS(6), GOT(4), ALSO(6)
      LOGICAL RING(2), HAS(2)
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      DIMS(1) = 0
      DIMS(2) = 0
      CALL MPI_DIMS_CREATE(SIZE, 2, DIMS, IERR)
      IF (DIMS(1) .NE. 2 .OR. DIMS(2) .NE. 2) STOP 'lengths'
      RING(1) = .TRUE.
      RING(2) = .FALSE.
      CALL MPI_CART_CREATE(MPI_COMM_WORLD, 2, DIMS, RING, .FALSE., GRID,
     &                     IERR)
      CALL MPI_TOPO_TEST(GRID, KIND, IERR)
      IF (KIND .NE. MPI_CART) STOP 'kind'
      CALL MPI_CART_GET(GRID, 2, DIMS, HAS, COORDS, IERR)
      IF (.NOT. HAS(1) .OR. HAS(2)) STOP 'rings'
      IF (COORDS(1) * 2 + COORDS(2) .NE. RANK) STOP 'coordinates'
      CALL MPI_CART_SHIFT(GRID, 0, 1, FROM, TO, IERR)
      IF (FROM .NE. MOD(RANK + 2, 4) .OR. TO .NE. FROM) STOP 'ring'
      CALL MPI_CART_SHIFT(GRID, 1, 1, FROM, TO, IERR)
      IF (COORDS(2) .EQ. 1 .AND. TO .NE. MPI_PROC_NULL) STOP 'edge'
      HAS(1) = .FALSE.
      HAS(2) = .TRUE.
      CALL MPI_CART_SUB(GRID, HAS, ROW, IERR)
      CALL MPI_COMM_SIZE(ROW, N, IERR)
      IF (N .NE. 2) STOP 'row'
C     A chain of four.
      DATA ENDS /1, 3, 5, 6/
      DATA LINKS /1, 0, 2, 1, 3, 2/
      CALL MPI_GRAPH_CREATE(MPI_COMM_WORLD, 4, ENDS, LINKS, .FALSE.,
     &                      GRAPH, IERR)
      CALL MPI_GRAPHDIMS_GET(GRAPH, N, M, IERR)
      IF (N .NE. 4 .OR. M .NE. 6) STOP 'graph'
      CALL MPI_GRAPH_GET(GRAPH, 4, 6, GOT, ALSO, IERR)
      IF (GOT(4) .NE. 6 .OR. GOT(2) .NE. 3) STOP 'ends'
      IF (ALSO(6) .NE. 2) STOP 'links'
      CALL MPI_GRAPH_NEIGHBORS(GRAPH, 0, 6, ALSO, IERR)
      IF (ALSO(1) .NE. 1) STOP 'neighbour'
      CALL MPI_COMM_FREE(GRAPH, IERR)
      CALL MPI_COMM_FREE(ROW, IERR)
      CALL MPI_COMM_FREE(GRID, IERR)
      IF (RANK .EQ. 0) PRINT '(A)', ' topologies are good'
      CALL MPI_FINALIZE(IERR)
      END
