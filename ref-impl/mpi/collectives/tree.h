/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The arithmetic of the trees along which the masters of a communicator send. Chapter 4.2 and the figures of chapter 4
 * of IMPI. Positions are 0 .. count - 1, and 0 is the root; nothing here knows of ranks.
 *
 *      along the highest bit, six positions         along the lowest bit
 *                  0                                        0
 *               /  |  \                                  /  |  \
 *              1   2   4                                1   2   4
 *             / \                                           |   |
 *            3   5                                          3   5
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_TREE_H
#define REF_IMPL_MPI_COLLECTIVES_TREE_H

/* coll_tree_dimension - of the smallest hypercube with at least `count` corners; -1 for none. */
int coll_tree_dimension(int count);

/* coll_tree_highest - the highest bit that is set in a position, of those below `dimension`; -1: none is. */
int coll_tree_highest(int position, int dimension);

/* coll_tree_children - stores the positions below one in the tree along the highest bit, in ascending order, and
 * returns how many. `children` has room for 31. */
int coll_tree_children(int position, int count, int *children);

/* coll_tree_parent - the position above one, which is not 0, in that tree. */
int coll_tree_parent(int position);

/* coll_tree_low_children, coll_tree_low_parent - the same in the tree along the lowest bit. */
int coll_tree_low_children(int position, int count, int *children);
int coll_tree_low_parent(int position);

#endif
