/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The networks of this library, and which of them a process uses.
 */
#ifndef REF_IMPL_NAL_NETWORKS_H
#define REF_IMPL_NAL_NETWORKS_H

#include "ref-impl/nal/network.h"

#include <stdbool.h>
#include <stddef.h>

enum { NETWORKS_MAX = 8, NETWORKS_NAMES_OCTETS = 128 };

/* networks_count, networks_row - the rows, in the order in which a process begins on them. */
size_t networks_count(void);
const struct network *networks_row(size_t index);

/* networks_find - the row with this name, or NULL. */
const struct network *networks_find(const char *name);

/* networks_names - writes the names of all rows, as in "tcp, shm and loop", with `last` before the last one. Returns
 * `text`, which has room for NETWORKS_NAMES_OCTETS. */
const char *networks_names(const char *last, char *text);

/* networks_choose - the rows that a process uses, in the order of networks_row, where the user has named `name`: that
 * one and the one with which it goes; NULL: all that mix, but where `numbered` is set only those that carry numbered
 * messages. Returns how many, at most NETWORKS_MAX; 0: no network has this name. */
size_t networks_choose(const char *name, bool numbered, const struct network **chosen);

#endif
