/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The arithmetic of trees: chapter 4.2 of IMPI. A position's parent lacks one of its bits; its children have one more:
 * above its highest one in the first tree, below its lowest one in the second. Used by collectives/barrier.c,
 * collectives/bcast.c, collectives/reduce.c.
 */
#include "ref-impl/mpi/collectives/tree.h"

enum { INT_BITS = 31 };

int coll_tree_dimension(int count)
{
    int dimension = 0;

    if (count <= 0) {
        return -1;
    }
    while (dimension < INT_BITS && (1LL << dimension) < count) {
        dimension++;
    }
    return dimension; //= IMPI-185
}

int coll_tree_highest(int position, int dimension)
{
    for (int bit = dimension - 1; bit >= 0 && position > 0; bit--) {
        if (position >> bit & 1) {
            return bit; //= IMPI-185
        }
    }
    return -1;
}

int coll_tree_children(int position, int count, int *children)
{
    int dimension = coll_tree_dimension(count);
    int found = 0;

    for (int bit = coll_tree_highest(position, dimension) + 1; bit < dimension; bit++) {
        int child = position | 1 << bit;

        if (child < count) {
            children[found++] = child;
        }
    }
    return found;
}

int coll_tree_parent(int position)
{
    int highest = coll_tree_highest(position, INT_BITS);

    return highest < 0 ? 0 : position & ~(1 << highest);
}

int coll_tree_low_children(int position, int count, int *children)
{
    int dimension = coll_tree_dimension(count);
    int found = 0;

    for (int bit = 0; bit < dimension && !(position >> bit & 1); bit++) {
        int child = position | 1 << bit;

        if (child < count) {
            children[found++] = child;
        }
    }
    return found;
}

int coll_tree_low_parent(int position)
{
    return position & (position - 1);
}
